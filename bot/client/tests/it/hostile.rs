//! Hostile servers: their packets end the connection with a reason, and neither fill the memory nor end the run.

use std::cell::Cell;
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream as StdTcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;

use azalea::core::position::{ChunkSectionPos, Vec3};
use azalea::protocol::common::movements::{PositionMoveRotation, RelativeMovements};
use azalea::protocol::packets::Packet;
use azalea::protocol::packets::config::{self, ClientboundConfigPacket};
use azalea::protocol::packets::game::{self, ClientboundGamePacket};
use azalea::protocol::packets::login::{self, ClientboundLoginPacket};
use azalea::protocol::write::serialize_packet;
use flate2::Compression;
use flate2::write::ZlibEncoder;
use ltlcrit_client::{Account, ClientOptions, ClientWorld, JoinError, Reconnect, check_login, status};
use ltlcrit_server::{Server, ServerOptions};
use ltlcrit_worlds::{Interrupt, World, WorldError};
use tokio::io::{BufReader, copy_bidirectional};
use tokio::net::{TcpListener as AsyncListener, TcpStream};
use tokio::sync::mpsc;
use tokio::task::LocalSet;

use super::relay::{self, connect, login_finished, number, pass_until, send, varint};
use super::scene::{Clock, client_options, server_options};

const PATIENCE: Duration = Duration::from_secs(20);
/// The maximum number of bytes that a hostile server sends.
const OFFERED: usize = 96 << 20;
/// The maximum number of these bytes that the client and the sockets may read. The system's buffers have some MiB.
const MAX_TAKEN: usize = 48 << 20;

/// Starts a server that answers one connection with these bytes, after it has read something. It then repeats the last
/// ones until it has sent [`OFFERED`]. Returns its address, and the number of bytes that were read.
fn answers(start: Vec<u8>, repeated: Vec<u8>) -> (String, JoinHandle<usize>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let served = std::thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        let _ = stream.read(&mut [0; 512]);
        flood(&mut stream, &start, &repeated)
    });
    (address, served)
}

fn flood(stream: &mut StdTcpStream, start: &[u8], repeated: &[u8]) -> usize {
    let mut taken = 0;
    let mut next = start;
    while taken < OFFERED && stream.write_all(next).is_ok() {
        taken += next.len();
        next = repeated;
    }
    taken
}

fn frame(packet: &[u8]) -> Vec<u8> {
    let mut frame = Vec::new();
    varint(packet.len(), &mut frame);
    frame.extend(packet);
    frame
}

fn in_login(packet: impl Packet<ClientboundLoginPacket>) -> Vec<u8> {
    serialize_packet(&packet.into_variant()).unwrap().into_vec()
}

fn in_game(packet: impl Packet<ClientboundGamePacket>) -> Vec<u8> {
    serialize_packet(&packet.into_variant()).unwrap().into_vec()
}

#[tokio::test]
async fn a_frame_without_an_end_is_refused_before_it_is_read() {
    let (address, served) = answers(vec![0xFF, 0xFF, 0xFF, 0xFF, 0x07], vec![0; 1 << 16]);
    let error = status(&address, PATIENCE).await.unwrap_err();
    let JoinError::NotMinecraft { reason, .. } = &error else { panic!("{error}") };
    assert!(reason.contains("a packet of 2097152 bytes or more"), "{reason}");
    let taken = served.join().unwrap();
    assert!(taken < MAX_TAKEN, "{taken} bytes");
}

/// Endless packets that are not an answer.
#[tokio::test]
async fn an_answer_that_never_comes_is_not_waited_for() {
    let pong = frame(&[1, 0, 0, 0, 0, 0, 0, 0, 0]);
    let (address, served) = answers(pong.clone(), pong.repeat(1 << 12));
    let error = status(&address, PATIENCE).await.unwrap_err();
    assert!(error.to_string().contains("it sent 64 packets and none of them is an answer"), "{error}");
    assert!(served.join().unwrap() < MAX_TAKEN);
}

/// Compression, and then a packet that declares few bytes and inflates to 256 MiB.
fn bomb() -> Vec<u8> {
    let mut bomb = frame(&in_login(login::ClientboundLoginCompression { compression_threshold: 0 }));
    let mut packet = Vec::new();
    varint(1000, &mut packet);
    let mut deflated = ZlibEncoder::new(packet, Compression::best());
    for _ in 0..256 {
        deflated.write_all(&[0; 1 << 20]).unwrap();
    }
    bomb.extend(frame(&deflated.finish().unwrap()));
    bomb
}

#[tokio::test]
async fn a_packet_inflates_to_no_more_than_it_declares() {
    let (address, _) = answers(bomb(), Vec::new());
    let error = check_login(&address, &Account::default(), PATIENCE).await.unwrap_err();
    let JoinError::NotMinecraft { reason, .. } = &error else { panic!("{error}") };
    assert_eq!(reason, "it sent a packet that inflates to more than the 1000 bytes it declares");
}

/// Starts a server that is honest until clients log in, and then runs `acts` on each connection, with the client's
/// bytes.
fn on_login(acts: impl Fn(&mut StdTcpStream) + Send + 'static) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let version = ltlcrit_client::CLIENT_VERSION;
    let protocol = ltlcrit_client::CLIENT_PROTOCOL;
    let status = format!(
        r#"{{"version":{{"name":"{version}","protocol":{protocol}}},"players":{{"max":1,"online":0}},"description":"x"}}"#
    );
    std::thread::spawn(move || {
        while let Ok((mut stream, _)) = listener.accept() {
            let mut bytes = [0; 512];
            let count = stream.read(&mut bytes).unwrap_or(0);
            // The purpose of the handshake is the last byte of the first frame: 1 is the status.
            if bytes[..count].get(usize::from(bytes[0])) == Some(&1) {
                let mut answer = vec![0];
                varint(status.len(), &mut answer);
                answer.extend(status.as_bytes());
                let _ = stream.write_all(&frame(&answer));
            } else {
                acts(&mut stream);
            }
        }
    });
    address
}

async fn join_error(options: ClientOptions) -> JoinError {
    match ClientWorld::join(options, Interrupt::new()).await {
        Ok(_) => panic!("it should not have been let in"),
        Err(error) => error,
    }
}

/// A malformed packet during the login is reported at once, not after the time limit for silence.
#[tokio::test]
async fn a_malformed_login_is_told() {
    for packet in [vec![99, 1, 2], vec![2, 1], vec![0x80]] {
        let address = on_login(move |stream| {
            let _ = stream.write_all(&frame(&packet));
            // The connection stays open until the client closes it.
            let _ = stream.read_to_end(&mut Vec::new());
        });
        let options = ClientOptions { patience: Duration::from_secs(600), ..client_options(address) };
        let error = join_error(options).await;
        let JoinError::Misbehaved { what, .. } = &error else { panic!("{error}") };
        assert!(what.contains("a packet that cannot be read"), "{what}");
    }
}

/// Packets that the protocol does not allow are also refused, in any phase.
#[tokio::test]
async fn a_login_without_an_end_is_broken_off() {
    let address = on_login(|stream| {
        flood(stream, &[0xFF, 0xFF, 0xFF, 0xFF, 0x07], &[0; 1 << 16]);
    });
    let error = join_error(client_options(address)).await;
    assert!(error.to_string().contains("misbehaves: it sent a packet of 2097152 bytes or more"), "{error}");
}

/// A run that is cancelled while it joins does not wait for the server.
#[tokio::test]
async fn joining_can_be_cancelled() {
    let (told, mut joining) = mpsc::unbounded_channel();
    let address = on_login(move |stream| {
        let _ = told.send(());
        let _ = stream.read_to_end(&mut Vec::new());
    });
    let options = ClientOptions { patience: Duration::from_secs(3600), ..client_options(address) };
    let interrupt = Interrupt::new();
    let cancel = async {
        joining.recv().await.unwrap();
        interrupt.request();
    };
    let (joined, ()) = tokio::join!(ClientWorld::join(options, interrupt.clone()), cancel);
    assert_eq!(joined.err(), Some(JoinError::Cancelled));
}

/// The action of a relay once the player of the first connection is in the game.
#[derive(Clone)]
enum Attack {
    /// Sends this packet, and then nothing more.
    FallSilent(Vec<u8>),
    /// Sends this packet, and closes the connection.
    Close(Vec<u8>),
    /// Sends packets made from numbers until [`OFFERED`] bytes are sent or the connection ends. Reads the client's
    /// packets only if the flag is set.
    Flood(fn(u32) -> Vec<u8>, bool),
}

/// A relay to an honest server that attacks the first connection in the game. It runs on a thread of its own.
struct Attacker {
    address: SocketAddr,
    /// True once the attack may begin.
    begins: Arc<AtomicBool>,
    /// The number of bytes of a flood that were read.
    taken: mpsc::UnboundedReceiver<usize>,
}

fn attacker(server: SocketAddr, attack: Attack) -> Attacker {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    listener.set_nonblocking(true).unwrap();
    let (told, taken) = mpsc::unbounded_channel();
    let begins = Arc::new(AtomicBool::new(false));
    let begun = begins.clone();
    let relay = async move {
        let listener = AsyncListener::from_std(listener).unwrap();
        let mut logins = 0;
        while let Ok((mut client, _)) = listener.accept().await {
            let Ok((mut server, asks_only)) = connect(&mut client, server).await else { continue };
            logins += u32::from(!asks_only);
            if asks_only || logins > 1 {
                tokio::spawn(async move { copy_bidirectional(&mut client, &mut server).await });
            } else {
                let (attack, begun, told) = (attack.clone(), begun.clone(), told.clone());
                tokio::task::spawn_local(async move { pass(client, server, attack, &begun, told).await });
            }
        }
    };
    std::thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        LocalSet::new().block_on(&runtime, relay);
    });
    Attacker { address, begins, taken }
}

/// Forwards until the player is in the game and the attack begins, and then attacks. Reports the bytes of a flood that
/// were read.
async fn pass(
    client: TcpStream,
    server: TcpStream,
    attack: Attack,
    begun: &AtomicBool,
    told: mpsc::UnboundedSender<usize>,
) -> std::io::Result<()> {
    let (from_client, mut to_client) = client.into_split();
    let (from_server, mut to_server) = server.into_split();
    let (mut from_client, mut from_server) = (BufReader::new(from_client), BufReader::new(from_server));
    let attacks = Cell::new(false);
    let deaf = matches!(attack, Attack::Flood(_, false));
    let down = async {
        pass_until(&mut from_server, &mut to_client, number(&login_finished())).await?;
        let finish: ClientboundConfigPacket = config::ClientboundFinishConfiguration.into_variant();
        pass_until(&mut from_server, &mut to_client, number(&finish)).await?;
        let placed: ClientboundGamePacket = position(Vec3::ZERO).into_variant();
        pass_until(&mut from_server, &mut to_client, number(&placed)).await?;
        while !begun.load(Ordering::Relaxed) {
            let packet = relay::frame(&mut from_server).await?;
            send(&mut to_client, &packet).await?;
        }
        attacks.set(true);
        match attack {
            Attack::FallSilent(packet) => {
                send(&mut to_client, &packet).await?;
                std::future::pending::<()>().await;
            }
            Attack::Close(packet) => send(&mut to_client, &packet).await?,
            Attack::Flood(packet, _) => {
                let mut taken = 0;
                for number in 0.. {
                    let packet = packet(number);
                    if taken > OFFERED || send(&mut to_client, &packet).await.is_err() {
                        break;
                    }
                    taken += packet.len();
                }
                let _ = told.send(taken);
            }
        }
        Ok(())
    };
    let up = async {
        while !(deaf && attacks.get()) {
            let Ok(packet) = relay::frame(&mut from_client).await else { break };
            send(&mut to_server, &packet).await?;
        }
        // A flood lasts until it can no longer be sent.
        std::future::pending().await
    };
    tokio::select! {
        ended = down => ended,
        ended = up => ended,
    }
}

fn position(pos: Vec3) -> game::ClientboundPlayerPosition {
    let change = PositionMoveRotation { pos, delta: Vec3::ZERO, look_direction: Default::default() };
    game::ClientboundPlayerPosition { id: 77, change, relative: RelativeMovements::default() }
}

/// Checks that the player joins again and continues after an attack that ends its connection.
async fn recovers(attack: Attack, patience: Duration) {
    let clock = Clock::start();
    let server = clock.serve(server_options());
    let attacker = attacker(server.address(), attack);
    let mut world = clock.join(ClientOptions { patience, ..client_options(attacker.address) }).await;
    attacker.begins.store(true, Ordering::Relaxed);
    clock.until("the connection is lost", || world.is_lost()).await;
    world.observe().await.unwrap();
    assert_eq!(world.reconnects(), 1);
}

/// A proxy may reconfigure a player during the game. The loss of the connection is noticed in every case.
#[tokio::test]
async fn a_connection_that_closes_in_a_configuration_is_lost() {
    recovers(Attack::Close(in_game(game::ClientboundStartConfiguration)), PATIENCE).await;
}

#[tokio::test]
async fn a_configuration_that_falls_silent_is_lost() {
    recovers(Attack::FallSilent(in_game(game::ClientboundStartConfiguration)), Duration::from_secs(1)).await;
}

/// The reason that a flooded run is lost, and the number of bytes of the flood that were read.
async fn flooded(packet: fn(u32) -> Vec<u8>, reads: bool) -> (String, usize) {
    let server = Server::start(ServerOptions::compact()).unwrap();
    let mut attacker = attacker(server.address(), Attack::Flood(packet, reads));
    let reconnect = Reconnect { attempts: 0, ..Reconnect::default() };
    let options = ClientOptions { reconnect, ..client_options(attacker.address) };
    let mut world = ClientWorld::join(options, Interrupt::new()).await.ok().unwrap();
    attacker.begins.store(true, Ordering::Relaxed);
    let why = loop {
        match world.observe().await {
            Ok(_) => tokio::task::yield_now().await,
            Err(WorldError::Gone(why)) => break why,
            Err(error) => panic!("{error}"),
        }
    };
    let taken = attacker.taken.recv().await.unwrap();
    server.stop().unwrap();
    (why, taken)
}

#[tokio::test]
async fn answers_that_are_not_read_are_not_kept() {
    let (why, taken) = flooded(|number| in_game(game::ClientboundKeepAlive { id: number.into() }), false).await;
    assert!(why.contains("it leaves 2097152 bytes of answers unread"), "{why}");
    assert!(taken < MAX_TAKEN, "{taken} bytes");
}

#[tokio::test]
async fn pings_whose_answers_are_not_read_are_not_kept() {
    let (why, taken) = flooded(|number| in_game(game::ClientboundPing { id: number }), false).await;
    assert!(why.contains("it leaves 2097152 bytes of answers unread"), "{why}");
    assert!(taken < MAX_TAKEN, "{taken} bytes");
}

/// The maximum memory of a flooded process, in KiB. It takes about 60 MiB with and without a flood.
const MAX_RESIDENT: usize = 256 << 10;

/// Runs an ignored test in a process of its own, which prints its peak memory.
fn peak_of(test: &str) -> usize {
    let arguments = ["--ignored", "--exact", "--nocapture", test];
    let run = std::process::Command::new(std::env::current_exe().unwrap()).args(arguments).output().unwrap();
    let printed = String::from_utf8(run.stdout).unwrap();
    assert!(run.status.success(), "{printed}{}", String::from_utf8_lossy(&run.stderr));
    printed.lines().find_map(|line| line.strip_prefix("peak: ")).unwrap().parse().unwrap()
}

fn print_peak() {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    println!("peak: {}", peak.trim().trim_end_matches(" kB"));
}

/// Whole sections change endlessly: the changed land is kept once, and the packets wait outside.
#[tokio::test]
#[ignore = "runs in a process of its own"]
async fn flood_of_blocks() {
    let (why, taken) = flooded(
        |number| {
            let kind = azalea::block::BlockState::try_from(number % 1000).unwrap();
            let state = |at: u32| game::c_section_blocks_update::BlockStateWithPosition {
                pos: azalea::core::position::ChunkSectionBlockPos {
                    x: (at % 16) as u8,
                    y: (at / 16 % 16) as u8,
                    z: (at / 256) as u8,
                },
                state: kind,
            };
            let section = number as i32;
            in_game(game::ClientboundSectionBlocksUpdate {
                section_pos: ChunkSectionPos::new(section % 13 - 6, section / 13 % 16 - 4, section / 208 % 13 - 6),
                states: (0..4096).map(state).collect(),
            })
        },
        true,
    )
    .await;
    println!("{taken} bytes; {why}");
    print_peak();
}

#[test]
#[cfg(target_os = "linux")]
fn changes_of_blocks_without_an_end_are_not_kept() {
    let peak = peak_of("hostile::flood_of_blocks");
    assert!(peak < MAX_RESIDENT, "{peak} KiB");
}

/// A run that is cancelled while it waits for the server ends soon.
#[tokio::test]
async fn waiting_can_be_cancelled() {
    let server = Server::start(ServerOptions::compact()).unwrap();
    let attack = Attack::FallSilent(in_game(game::ClientboundStartConfiguration));
    let attacker = attacker(server.address(), attack);
    let interrupt = Interrupt::new();
    let options = ClientOptions { patience: Duration::from_secs(3600), ..client_options(attacker.address) };
    let joined = ClientWorld::join(options, interrupt.clone()).await;
    let Ok(mut world) = joined else { panic!("{:?}", joined.err()) };
    attacker.begins.store(true, Ordering::Relaxed);
    interrupt.request();
    while world.observe().await.is_ok() {}
    let WorldError::Gone(why) = world.observe().await.unwrap_err() else { panic!("it is gone") };
    assert_eq!(why, "cancelled while waiting for the server");
}
