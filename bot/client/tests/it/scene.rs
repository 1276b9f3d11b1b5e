//! A scene: a server with prepared blocks, and a client on it.

use std::io;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use ltlcrit_client::{Account, ClientOptions, ClientWorld, Engine, JoinError, Lockstep, Reconnect};
use ltlcrit_minecraft::blocks::Block;
use ltlcrit_minecraft::items::Item;
use ltlcrit_minecraft::observation::BlockPos;
use ltlcrit_minecraft::{MinecraftObservation, vocabulary};
use ltlcrit_server::{Server, ServerOptions};
use ltlcrit_worlds::Interrupt;
use ltlcrit_worlds::{Outcome, World};
use tracing::subscriber::DefaultGuard;

pub const NAME: &str = "tester";
/// A position high above the land, out of sight of it.
pub const CENTRE: BlockPos = BlockPos::new(8, 130, 8);
/// The time limit of a wait, in ticks.
const PATIENCE: u64 = 20_000;

pub struct Scene {
    // The client is the first field, so that it leaves before the server stops.
    pub world: ClientWorld,
    pub server: Server,
    pub clock: Clock,
}

pub fn server_options() -> ServerOptions {
    ServerOptions { stepped: true, ..ServerOptions::compact() }
}

pub fn client_options(address: impl ToString) -> ClientOptions {
    ClientOptions {
        account: Account::offline(NAME),
        view_distance: 4,
        seed: 1,
        reconnect: Reconnect { attempts: 40, first: Duration::from_millis(50), longest: Duration::from_millis(500) },
        ..ClientOptions::new(address.to_string())
    }
}

/// The warnings of the client on this thread while it lives.
pub struct Warnings {
    lines: Lines,
    _guard: DefaultGuard,
}

#[derive(Clone, Default)]
struct Lines(Arc<Mutex<Vec<u8>>>);

impl io::Write for Lines {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Warnings {
    pub fn listen() -> Self {
        let lines = Lines::default();
        let writer = lines.clone();
        let log = tracing_subscriber::fmt().with_env_filter("ltlcrit=warn").with_writer(move || writer.clone());
        Self { lines, _guard: tracing::subscriber::set_default(log.finish()) }
    }

    pub fn text(&self) -> String {
        String::from_utf8(self.lines.0.lock().unwrap().clone()).unwrap()
    }
}

/// The clock of one test: its servers and clients advance together, as fast as they can, while the test waits.
#[derive(Clone)]
pub struct Clock(Lockstep);

impl Clock {
    /// Starts a clock on the test's runtime.
    pub fn start() -> Self {
        let lockstep = Lockstep::default();
        tokio::spawn(lockstep.clone().run());
        Self(lockstep)
    }

    /// Starts a server that ticks with the others.
    pub fn serve(&self, options: ServerOptions) -> Server {
        self.serve_slowly(options, 1)
    }

    /// Starts a server under load: it ticks once when the others tick `times` times.
    pub fn serve_slowly(&self, options: ServerOptions, times: u64) -> Server {
        let server = Server::start(options).unwrap();
        let ticker = server.ticker();
        let mut rounds = 0;
        self.0.add_server(move || {
            rounds += 1;
            rounds % times != 0 || ticker.tick().is_ok()
        });
        server
    }

    pub fn engine(&self) -> Arc<Engine> {
        self.0.engine().unwrap()
    }

    /// Joins a server with an engine of its own.
    pub async fn join(&self, options: ClientOptions) -> ClientWorld {
        self.try_join(options, Interrupt::new()).await.unwrap()
    }

    /// Joins as another player.
    pub async fn join_as(&self, name: &str, server: &Server) -> ClientWorld {
        self.join(ClientOptions { account: Account::offline(name), ..client_options(server.address()) }).await
    }

    pub async fn try_join(&self, options: ClientOptions, interrupt: Interrupt) -> Result<ClientWorld, JoinError> {
        ClientWorld::join_with(self.engine(), options, interrupt).await
    }

    /// Waits until ticks have passed.
    pub async fn ticks(&self, count: u64) {
        self.0.ticks(count).await;
    }

    /// Waits until a condition holds.
    pub async fn until(&self, what: &str, mut so: impl FnMut() -> bool) {
        for _ in 0..PATIENCE {
            if so() {
                return;
            }
            self.ticks(1).await;
        }
        panic!("{what}");
    }
}

/// The small world, unchanged, with the player at its start.
pub async fn meadow() -> Scene {
    let clock = Clock::start();
    let server = clock.serve(server_options());
    let world = clock.join(client_options(server.address())).await;
    Scene { world, server, clock }
}

/// A floor of one kind of block, 17 by 17, in the air, and the player in its middle.
pub async fn arena(floor: Block) -> Scene {
    arena_in(meadow().await, floor).await
}

/// The same floor in the world of a scene.
pub async fn arena_in(mut scene: Scene, floor: Block) -> Scene {
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

    /// Puts a block beside the middle, `x` to the east.
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

    /// The number of an item in the player's inventory on the server.
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

    /// Waits until a condition on the observation holds.
    pub async fn until(&mut self, what: &str, mut so: impl FnMut(&MinecraftObservation) -> bool) {
        let mut seen = self.look().await;
        for _ in 0..PATIENCE {
            if so(&seen) {
                return;
            }
            self.clock.ticks(1).await;
            seen = self.look().await;
        }
        panic!("{what}: {seen:?}");
    }

    /// Waits until blocks of these kinds are in sight. Then all blocks put before have been seen too.
    pub async fn sees(&mut self, kinds: &[&str]) {
        self.until("it is in sight", |seen| kinds.iter().all(|kind| seen.nearby.contains_key(*kind))).await;
    }

    pub async fn act(&mut self, name: &str) -> Outcome {
        let action = vocabulary().action(&format!("action_{name}")).unwrap();
        self.world.execute(action).await.unwrap()
    }

    /// Executes an action that must succeed.
    pub async fn does(&mut self, name: &str) -> String {
        let outcome = self.act(name).await;
        assert!(outcome.succeeded(), "{name}: {outcome:?}");
        outcome.message
    }

    /// The reason code of a failing action.
    pub async fn reason(&mut self, name: &str) -> String {
        let outcome = self.act(name).await;
        outcome.failure.unwrap_or_else(|| panic!("{name} succeeded: {}", outcome.message)).to_string()
    }
}
