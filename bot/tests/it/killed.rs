//! A process that is killed in the middle of a smelt, at every click and between them, and the run resumed by another: the
//! action goes on, and what lies in the furnace is taken for what it is, the bot's own.

use std::io::{self, Cursor};
use std::net::SocketAddr;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, PoisonError};

use azalea::protocol::packets::config::{self, ClientboundConfigPacket, ServerboundConfigPacket};
use azalea::protocol::packets::game::{ClientboundGamePacket, ServerboundGamePacket};
use azalea::protocol::packets::{Packet, ProtocolPacket, login};
use ltlcrit::actor::Situation;
use ltlcrit::agent::{Agent, Interrupt, RunSummary, Silent, same_laws};
use ltlcrit_client::ClientWorld;
use ltlcrit_minecraft::blocks::Block;
use ltlcrit_minecraft::items::Item;
use ltlcrit_store::{Durability, End, RunId, Store};
use tokio::io::copy_bidirectional;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Notify;

use crate::common::{Script, facts, propose};
use crate::relay::{frame, login_finished, number, pass_until, send};
use crate::scene::{Scene, arena, client_options, eventually};

/// When a process is killed.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Kill {
    /// Before its click of this number, from 1, reaches the server.
    AtClick(usize),
    /// When the furnace has worked for so many ticks.
    AtProgress(u16),
}

/// Between client and server: tells when the first client is to be killed, and lets nothing of it through from then on.
struct Valve {
    address: SocketAddr,
    closes: Arc<Notify>,
}

impl Valve {
    async fn start(server: SocketAddr, kill: Kill) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let closes = Arc::new(Notify::new());
        let told = closes.clone();
        tokio::spawn(async move {
            let mut first = true;
            while let Ok((mut client, _)) = listener.accept().await {
                let Ok(mut server) = TcpStream::connect(server).await else { return };
                let Ok(handshake) = frame(&mut client).await else { continue };
                if send(&mut server, &handshake).await.is_err() {
                    continue;
                }
                // What the handshake is for is said last: 1 is the status.
                let asks_only = handshake.last() == Some(&1);
                if asks_only || !first {
                    tokio::spawn(async move { copy_bidirectional(&mut client, &mut server).await });
                    continue;
                }
                first = false;
                tokio::spawn(pass(client, server, kill, told.clone()));
            }
        });
        Self { address, closes }
    }
}

async fn pass(client: TcpStream, server: TcpStream, kill: Kill, closes: Arc<Notify>) -> io::Result<()> {
    let (mut from_client, mut to_client) = client.into_split();
    let (mut from_server, mut to_server) = server.into_split();
    let down = async {
        pass_until(&mut from_server, &mut to_client, number(&login_finished())).await?;
        let finish: ClientboundConfigPacket = config::ClientboundFinishConfiguration.into_variant();
        pass_until(&mut from_server, &mut to_client, number(&finish)).await?;
        loop {
            let packet = frame(&mut from_server).await?;
            let read = ClientboundGamePacket::read(u32::from(packet[0]), &mut Cursor::new(&packet[1..]));
            // The third property of a furnace is how far the item is.
            if let Ok(ClientboundGamePacket::ContainerSetData(data)) = read
                && data.id == 2
                && matches!(kill, Kill::AtProgress(ticks) if data.value >= ticks)
            {
                closes.notify_one();
                return Ok::<_, io::Error>(());
            }
            send(&mut to_client, &packet).await?;
        }
    };
    let up = async {
        let acknowledged: login::ServerboundLoginPacket = login::ServerboundLoginAcknowledged.into_variant();
        pass_until(&mut from_client, &mut to_server, number(&acknowledged)).await?;
        let finish: ServerboundConfigPacket = config::ServerboundFinishConfiguration.into_variant();
        pass_until(&mut from_client, &mut to_server, number(&finish)).await?;
        let mut clicks = 0;
        loop {
            let packet = frame(&mut from_client).await?;
            let read = ServerboundGamePacket::read(u32::from(packet[0]), &mut Cursor::new(&packet[1..]));
            clicks += usize::from(matches!(read, Ok(ServerboundGamePacket::ContainerClick(_))));
            if kill == Kill::AtClick(clicks) {
                closes.notify_one();
                return Ok::<_, io::Error>(());
            }
            send(&mut to_server, &packet).await?;
        }
    };
    tokio::select! {
        ended = down => ended,
        ended = up => ended,
    }?;
    // The server hears of the end when the client is gone.
    tokio::io::copy(&mut from_client, &mut tokio::io::sink()).await.map(|_| ())
}

/// What is wrong with a run that is killed there while it smelts with this fuel, and resumed.
async fn story(kill: Kill, fuel: (Item, u32)) -> Vec<String> {
    let mut scene = arena(Block::Bedrock).await;
    scene.put(2, 0, 0, Block::Furnace);
    scene.sees(&["furnace"]).await;
    scene.give(&[(Item::RawIron, 1), fuel]).await;
    let Scene { world, server } = scene;
    drop(world);
    eventually("the player has left", || server.players().unwrap().is_empty()).await;
    let valve = Valve::start(server.address(), kill).await;
    let directory = tempfile::tempdir().unwrap();
    let laws = ltlcrit_laws::shipped("minecraft-hard").unwrap().laws_in_force();

    let asked = Mutex::new(Vec::new());
    let mut actor = Script(async |situation: &Situation<'_>| {
        asked.lock().unwrap_or_else(PoisonError::into_inner).push(situation.step);
        propose(situation, if situation.step == 1 { "action_smelt_iron" } else { "action_stop" })
    });
    let mut process = async |resumes: bool| -> Option<(ClientWorld, RunSummary)> {
        let store = Store::open(directory.path().join("store")).unwrap();
        let mut world = ClientWorld::join(client_options(valve.address), Arc::new(Interrupt::new())).await.unwrap();
        let (mut observer, mut new_laws) = (Silent, same_laws);
        let agent = Agent {
            world: &mut world,
            actor: &mut actor,
            store: &store,
            observer: &mut observer,
            interrupt: Interrupt::new(),
            new_laws: &mut new_laws,
            durability: Durability::EachStep,
        };
        let summary = match resumes {
            true => agent.resume(RunId(1), None).await.unwrap(),
            false => tokio::select! {
                biased;
                () = valve.closes.notified() => return None,
                summary = agent.run(facts(laws.clone())) => summary.unwrap(),
            },
        };
        assert!(store.verify().unwrap().is_sound());
        assert_eq!(store.in_flight(RunId(1)).unwrap(), None, "nothing is in flight after the run");
        let steps: Vec<_> = store.steps(RunId(1)).map(Result::unwrap).collect();
        assert_eq!(steps.len(), 3, "one step to smelt, one to stop: {:?}", summary.end);
        assert_eq!(steps[1].proposals.len(), 1);
        let outcome = &steps[1].executed.as_ref().unwrap().outcome;
        assert!(outcome.succeeded(), "{kill:?}: {outcome:?}");
        Some((world, summary))
    };
    assert!(process(false).await.is_none(), "{kill:?}, {fuel:?}: it is killed");
    let (world, summary) = process(true).await.unwrap();
    let mut scene = Scene { world, server };
    let mut wrong = Vec::new();
    let mut check = |what: &str, holds: bool| wrong.extend((!holds).then(|| format!("{kill:?}, {fuel:?}: {what}")));
    check("it stopped by itself", summary.end == Some(End::Stopped));
    check("nothing was asked twice", *asked.lock().unwrap() == [1, 2]);
    check("one ingot", (scene.carries(Item::IronIngot), scene.carries(Item::RawIron)) == (1, 0));
    check("one piece of fuel burnt", scene.carries(fuel.0) == fuel.1 - 1);
    // The furnace is free.
    scene.give(&[(Item::RawIron, 1), (Item::Coal, 1)]).await;
    let again = scene.act("smelt_iron").await;
    check(&format!("it smelts again: {again:?}"), again.succeeded() && scene.carries(Item::IronIngot) == 2);
    wrong
}

#[test]
fn a_smelt_goes_on_wherever_its_process_is_killed() {
    // A smelt takes seven clicks with two pieces of fuel, and six with one: none is put back.
    let (coal, planks) = ((Item::Coal, 2), (Item::OakPlanks, 1));
    let clicks = |fuel, last| (1..=last).map(move |click| (Kill::AtClick(click), fuel));
    let between = [1, 50, 150, 199].map(Kill::AtProgress).into_iter().flat_map(|kill| [(kill, coal), (kill, planks)]);
    let stories: Vec<_> = clicks(coal, 7).chain(clicks(planks, 6)).chain(between).collect();
    let next = AtomicUsize::new(0);
    let told = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                while let Some((kill, fuel)) = stories.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
                    let wrong = runtime.block_on(story(*kill, *fuel));
                    told.lock().unwrap().extend(wrong);
                }
            });
        }
    });
    let wrong = told.into_inner().unwrap();
    assert!(wrong.is_empty(), "{wrong:#?}");
}
