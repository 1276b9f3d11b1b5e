//! A scene: a server with something arranged on it, and a client that has joined it.

use std::sync::Arc;
use std::time::{Duration, Instant};

use ltlcrit_client::{Account, ClientOptions, ClientWorld, Operators, Reconnect};
use ltlcrit_minecraft::blocks::Block;
use ltlcrit_minecraft::items::Item;
use ltlcrit_minecraft::observation::BlockPos;
use ltlcrit_minecraft::{MinecraftObservation, vocabulary};
use ltlcrit_server::{Server, ServerOptions};
use ltlcrit_worlds::Interrupt;
use ltlcrit_worlds::{Outcome, World};

pub const NAME: &str = "tester";
/// How many times as fast as the game's the clocks run.
pub const SPEED: u32 = 4;
/// High above the land, out of sight of it.
pub const CENTRE: BlockPos = BlockPos::new(8, 130, 8);
const PATIENCE: Duration = Duration::from_secs(60);

pub struct Scene {
    // The client first: it leaves before the server goes.
    pub world: ClientWorld,
    pub server: Server,
}

pub fn server_options() -> ServerOptions {
    ServerOptions { ticks_per_second: 20 * SPEED, ..ServerOptions::compact() }
}

pub fn client_options(address: impl ToString) -> ClientOptions {
    ClientOptions {
        account: Account::offline(NAME),
        view_distance: 4,
        seed: 1,
        operators: Operators::new(["Alice"]),
        reconnect: Reconnect { attempts: 40, first: Duration::from_millis(50), longest: Duration::from_millis(500) },
        speed: f64::from(SPEED),
        ..ClientOptions::new(address.to_string())
    }
}

/// The small world as it is made, the player where it begins.
pub async fn meadow() -> Scene {
    let server = Server::start(server_options()).unwrap();
    let world = ClientWorld::join(client_options(server.address()), Arc::new(Interrupt::new())).await.unwrap();
    Scene { world, server }
}

/// A floor of one kind of block, 17 by 17, in the air, and the player in its middle.
pub async fn arena(floor: Block) -> Scene {
    let mut scene = meadow().await;
    for x in 0..17 {
        for z in 0..17 {
            scene.server.set_block(BlockPos::new(x, CENTRE.y - 1, z), floor).unwrap();
        }
    }
    scene.stand(CENTRE).await;
    scene
}

impl Scene {
    /// Moves the player to stand in a cell.
    pub async fn stand(&mut self, cell: BlockPos) {
        let at = [f64::from(cell.x) + 0.5, f64::from(cell.y), f64::from(cell.z) + 0.5];
        self.server.teleport(NAME, at).unwrap();
        self.until("the player stands there", |seen| seen.position == cell).await;
    }

    /// A block beside the middle, `x` to the east.
    pub fn put(&self, x: i32, y: i32, z: i32, block: Block) {
        self.server.set_block(CENTRE.offset(x, y, z), block).unwrap();
    }

    pub async fn give(&mut self, items: &[(Item, u32)]) {
        let mut due = self.look().await.inventory;
        for (item, count) in items {
            assert_eq!(self.server.give(NAME, *item, *count).unwrap(), 0, "there is room for {}", item.name());
            *due.entry(item.name().to_owned()).or_insert(0) += count;
        }
        self.until("everything has come", |seen| seen.inventory == due).await;
    }

    /// How many of an item the server says the player carries.
    pub fn carries(&self, item: Item) -> u32 {
        let slots = self.server.inventory(NAME).unwrap();
        slots.iter().flatten().filter(|stack| stack.item == item).map(|stack| stack.count).sum()
    }

    pub async fn look(&mut self) -> MinecraftObservation {
        self.world.observe().await.unwrap().details.get().unwrap()
    }

    pub async fn holds(&mut self, name: &str) -> bool {
        let seen = self.world.observe().await.unwrap();
        vocabulary().names(&seen.holds).contains(&name)
    }

    /// Waits until what is observed is so.
    pub async fn until(&mut self, what: &str, mut so: impl FnMut(&MinecraftObservation) -> bool) {
        let began = Instant::now();
        loop {
            let seen = self.look().await;
            if so(&seen) {
                return;
            }
            assert!(began.elapsed() < PATIENCE, "{what}: {seen:?}");
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
    }

    /// Waits until blocks of these kinds are in sight: all that was put before has been seen then too.
    pub async fn sees(&mut self, kinds: &[&str]) {
        self.until("it is in sight", |seen| kinds.iter().all(|kind| seen.nearby.contains_key(*kind))).await;
    }

    pub async fn act(&mut self, name: &str) -> Outcome {
        let action = vocabulary().action(&format!("action_{name}")).unwrap();
        self.world.execute(action).await.unwrap()
    }

    /// Acts, and it works.
    pub async fn does(&mut self, name: &str) -> String {
        let outcome = self.act(name).await;
        assert!(outcome.succeeded(), "{name}: {outcome:?}");
        outcome.message
    }

    /// The reason code an action fails with.
    pub async fn reason(&mut self, name: &str) -> String {
        let outcome = self.act(name).await;
        outcome.failure.unwrap_or_else(|| panic!("{name} succeeded: {}", outcome.message)).to_string()
    }
}

/// Joins as another player.
pub async fn other(server: &Server, name: &str) -> ClientWorld {
    let options = ClientOptions { account: Account::offline(name), ..client_options(server.address()) };
    ClientWorld::join(options, Arc::new(Interrupt::new())).await.unwrap()
}

/// An interrupt that operators may request, and the same at hand.
pub fn board() -> (Arc<Interrupt>, Interrupt) {
    let interrupt = Interrupt::new();
    (Arc::new(interrupt.clone()), interrupt)
}

/// Waits until something is so.
pub async fn eventually(what: &str, mut so: impl FnMut() -> bool) {
    let began = Instant::now();
    while !so() {
        assert!(began.elapsed() < PATIENCE, "{what}");
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

/// An engine for several players.
pub fn engine() -> Arc<ltlcrit_client::Engine> {
    Arc::new(ltlcrit_client::Engine::start(f64::from(SPEED)).unwrap())
}
