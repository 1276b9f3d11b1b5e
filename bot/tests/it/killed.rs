//! A process that is killed during a smelt, at every click and between clicks, and resumed by another: the action
//! continues, and the items in the furnace are recognised as the bot's own.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, PoisonError};

use azalea::protocol::packets::game::{ClientboundGamePacket, ServerboundGamePacket};
use ltlcrit_client::ClientWorld;
use ltlcrit_engine::actor::Situation;
use ltlcrit_engine::agent::{Agent, Interrupt, RunSummary, Silent, Start, same_laws};
use ltlcrit_minecraft::blocks::Block;
use ltlcrit_minecraft::items::Item;
use ltlcrit_store::{Durability, End, RunId, Store};
use tokio::sync::Notify;

use crate::common::{Script, facts, propose};
use crate::packet_filter::{self, FilterRules, PacketAction};
use crate::scene::{Scene, arena, client_options};

/// When a process is killed.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Kill {
    /// Before its click of this number, from 1, reaches the server.
    AtClick(usize),
    /// When the furnace has worked for this number of ticks.
    AtProgress(u16),
}

/// Cuts the first connection and reports that its process is to be killed.
struct Cut {
    kill: Kill,
    clicks: AtomicUsize,
    told: Arc<Notify>,
}

impl Cut {
    fn when(&self, connection: usize, now: bool) -> PacketAction {
        if connection > 0 || !now {
            return PacketAction::Forward;
        }
        self.told.notify_one();
        PacketAction::Cut
    }
}

impl FilterRules for Cut {
    fn down(&self, connection: usize, packet: &ClientboundGamePacket) -> PacketAction {
        // The third property of a furnace is how far the item is.
        let now = matches!((packet, self.kill), (ClientboundGamePacket::ContainerSetData(data), Kill::AtProgress(ticks))
            if data.id == 2 && data.value >= ticks);
        self.when(connection, now)
    }

    fn up(&self, connection: usize, packet: &ServerboundGamePacket) -> PacketAction {
        let click = matches!(packet, ServerboundGamePacket::ContainerClick(_));
        let now = click && self.kill == Kill::AtClick(self.clicks.fetch_add(1, Ordering::Relaxed) + 1);
        self.when(connection, now)
    }
}

/// The problems of a run that is killed at this point while it smelts with this fuel, and resumed.
async fn story(kill: Kill, fuel: (Item, u32)) -> Vec<String> {
    let mut scene = arena(Block::Bedrock).await;
    scene.put(2, 0, 0, Block::Furnace);
    scene.sees(&["furnace"]).await;
    scene.give(&[(Item::RawIron, 1), fuel]).await;
    let Scene { world, server, clock } = scene;
    drop(world);
    clock.until("the player has left", || server.players().unwrap().is_empty()).await;
    let killed = Arc::new(Notify::new());
    let rules = Cut { kill, clicks: AtomicUsize::new(0), told: killed.clone() };
    let address = packet_filter::start(server.address(), rules).await;
    let directory = ltlcrit_store::scratch::directory().unwrap();
    let laws = ltlcrit_laws::shipped("minecraft-hard").unwrap().laws_in_force();

    let asked = Mutex::new(Vec::new());
    let mut actor = Script(async |situation: &Situation<'_>| {
        asked.lock().unwrap_or_else(PoisonError::into_inner).push(situation.step);
        propose(situation, if situation.step == 1 { "action_smelt_iron" } else { "action_stop" })
    });
    let mut process = async |resumes: bool| -> Option<(ClientWorld, RunSummary)> {
        let store = Store::open(directory.path().join("store")).unwrap();
        let mut world = clock.join(client_options(address)).await;
        let (mut observer, mut new_laws) = (Silent, same_laws);
        let agent = Agent {
            actor: &mut actor,
            observer: &mut observer,
            interrupt: Interrupt::new(),
            new_laws: &mut new_laws,
            keep_traces: false,
        };
        let (store, durability) = (&store, Durability::EachStep);
        let summary = match resumes {
            true => {
                let start = Start::Resumed { store, durability, run: RunId(1), limits: None };
                agent.run_in(&mut world, start).await.unwrap()
            }
            false => {
                let start = Start::Stored { store, durability, facts: facts(laws.clone()) };
                tokio::select! {
                    biased;
                    () = killed.notified() => return None,
                    summary = agent.run_in(&mut world, start) => summary.unwrap(),
                }
            }
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
    let mut scene = Scene { world, server, clock };
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
        for _ in 0..2 {
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
