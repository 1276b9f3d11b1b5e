//! Several bots at once, in one engine.

use std::sync::Arc;

use ltlcrit_client::{Account, ClientOptions, ClientWorld};
use ltlcrit_minecraft::vocabulary;
use ltlcrit_worlds::Interrupt;
use ltlcrit_worlds::World;

use super::scene::{Clock, client_options, server_options};

#[tokio::test]
async fn share_an_engine_and_do_not_disturb_each_other() {
    let clock = Clock::start();
    let server = clock.serve(server_options());
    let engine = clock.engine();
    let mut bots = Vec::new();
    for name in ["one", "two", "three"] {
        let options = ClientOptions { account: Account::offline(name), ..client_options(server.address()) };
        bots.push(ClientWorld::join_with(Arc::clone(&engine), options, Interrupt::new()).await.unwrap());
    }
    let action = vocabulary().action("action_mine_log").unwrap();
    let mut bots = bots.into_iter();
    let (mut a, mut b, mut c) = (bots.next().unwrap(), bots.next().unwrap(), bots.next().unwrap());
    // All bots want the same tree. A bot that comes late to a log takes another in the next step.
    for _ in 0..3 {
        let (a, b, c) = tokio::join!(a.execute(action), b.execute(action), c.execute(action));
        for outcome in [a, b, c] {
            outcome.unwrap();
        }
    }
    let mut logs = 0;
    for bot in [&mut a, &mut b, &mut c] {
        let seen = bot.observe().await.unwrap();
        logs += usize::from(vocabulary().names(&seen.holds).contains(&"obs_has_log"));
    }
    assert!(logs >= 2, "{logs} of three have a log");
    assert_eq!(server.players().unwrap().len(), 3);
}
