//! A small client for the server's tests: it stores the packets it receives, and waits for conditions with a deadline.
#![allow(dead_code)]

use std::fmt::Debug;
use std::io::Cursor;
use std::net::SocketAddr;
use std::time::Duration;

use azalea_block::BlockState;
use azalea_core::direction::Direction;
use azalea_core::position::{BlockPos, ChunkBlockPos, Vec3};
use azalea_entity::LookDirection;
use azalea_protocol::common::movements::MoveFlags;
use azalea_protocol::connect::{Connection, WriteConnection};
use azalea_protocol::packets::config::{
    ClientboundConfigPacket, ClientboundRegistryData, ServerboundFinishConfiguration,
};
use azalea_protocol::packets::game::*;
use azalea_protocol::packets::handshake::s_intention::ServerboundIntention;
use azalea_protocol::packets::login::{ClientboundLoginPacket, ServerboundHello, ServerboundLoginAcknowledged};
use azalea_protocol::packets::{ClientIntention, PROTOCOL_VERSION, Packet};
use azalea_registry::builtin::BlockKind;
use azalea_world::Chunk;
use ltlcrit_minecraft::blocks::Block;
use ltlcrit_minecraft::items::Item;
use ltlcrit_minecraft::observation::BlockPos as Cell;
use ltlcrit_server::{Server, ServerOptions};
use tokio::net::TcpStream;
use tokio::sync::mpsc;

/// The time limit of every wait.
pub const DEADLINE: Duration = Duration::from_secs(20);

pub fn server(options: ServerOptions) -> Server {
    Server::start(options).unwrap()
}

pub fn compact() -> Server {
    server(ServerOptions::compact())
}

/// The handshake of a client that requests a login.
pub fn intention(protocol_version: i32, intention: ClientIntention) -> ServerboundIntention {
    ServerboundIntention { protocol_version, hostname: "localhost".to_owned(), port: 25565, intention }
}

/// A client in the game.
pub struct Client {
    pub id: i32,
    pub name: String,
    pub at: Vec3,
    /// The received packets that no wait has consumed.
    pub heard: Vec<ClientboundGamePacket>,
    pub registries: Vec<ClientboundRegistryData>,
    /// Every chunk received, with its position.
    pub chunks: Vec<((i32, i32), Chunk)>,
    /// True if keep-alives and teleports are answered automatically.
    pub answers: bool,
    writer: WriteConnection<ServerboundGamePacket>,
    packets: mpsc::UnboundedReceiver<ClientboundGamePacket>,
}

/// Logs in. The error is the reason of a refusal.
pub async fn try_join(address: SocketAddr, name: &str) -> Result<Client, String> {
    let stream = TcpStream::connect(address).await.unwrap();
    let mut connection = Connection::new_from_stream(stream).await.unwrap();
    connection.write(intention(PROTOCOL_VERSION, ClientIntention::Login)).await.unwrap();
    let mut connection = connection.login();
    let hello = ServerboundHello { name: name.to_owned(), profile_id: uuid::Uuid::nil() };
    connection.write(hello).await.unwrap();
    match in_time(connection.read()).await {
        Ok(ClientboundLoginPacket::LoginFinished(finished)) => assert_eq!(finished.game_profile.name, name),
        Ok(ClientboundLoginPacket::LoginDisconnect(refused)) => return Err(refused.reason.to_string()),
        other => return Err(format!("{other:?}")),
    }
    connection.write(ServerboundLoginAcknowledged).await.unwrap();
    let mut connection = connection.config();
    let mut registries = Vec::new();
    loop {
        match in_time(connection.read()).await.unwrap() {
            ClientboundConfigPacket::RegistryData(registry) => registries.push(registry),
            ClientboundConfigPacket::FinishConfiguration(_) => break,
            other => panic!("unexpected: {other:?}"),
        }
    }
    connection.write(ServerboundFinishConfiguration).await.unwrap();
    let (mut reader, writer) = connection.game().into_split();
    let (sender, packets) = mpsc::unbounded_channel();
    // Reads in a separate task, because reading is not cancellation-safe.
    tokio::spawn(async move {
        while let Ok(packet) = reader.read().await {
            if sender.send(packet).is_err() {
                break;
            }
        }
    });
    let mut client = Client {
        id: 0,
        name: name.to_owned(),
        at: Vec3::ZERO,
        heard: Vec::new(),
        registries,
        chunks: Vec::new(),
        answers: true,
        writer,
        packets,
    };
    let first = client.next().await.ok_or("the connection was closed")?;
    match first {
        ClientboundGamePacket::Login(login) => client.id = login.player_id.0,
        ClientboundGamePacket::Disconnect(refused) => return Err(refused.reason.to_string()),
        other => panic!("unexpected: {other:?}"),
    }
    Ok(client)
}

/// Logs in and waits until the client has its position and the land around it.
pub async fn join(server: &Server, name: &str) -> Client {
    let mut client = try_join(server.address(), name).await.unwrap();
    client.wait("chunks", |packet| matches!(packet, ClientboundGamePacket::ChunkBatchFinished(_)).then_some(())).await;
    client.wait("health", |packet| matches!(packet, ClientboundGamePacket::SetHealth(_)).then_some(())).await;
    client
}

/// Runs a future that must end within the deadline.
pub async fn in_time<T>(future: impl Future<Output = T>) -> T {
    tokio::time::timeout(DEADLINE, future).await.expect("nothing happened in time")
}

impl Client {
    pub async fn say(&mut self, packet: impl Packet<ServerboundGamePacket> + Debug) {
        self.writer.write(packet.into_variant()).await.unwrap();
    }

    /// The next packet; `None` once the connection is closed.
    pub async fn next(&mut self) -> Option<ClientboundGamePacket> {
        let packet = in_time(self.packets.recv()).await?;
        self.note(&packet).await;
        Some(packet)
    }

    async fn note(&mut self, packet: &ClientboundGamePacket) {
        match packet {
            ClientboundGamePacket::PlayerPosition(moved) => {
                self.at = moved.change.pos;
                if self.answers {
                    let _ = self.writer.write(ServerboundAcceptTeleportation { id: moved.id }.into_variant()).await;
                }
            }
            ClientboundGamePacket::KeepAlive(asked) if self.answers => {
                let _ = self.writer.write(ServerboundKeepAlive { id: asked.id }.into_variant()).await;
            }
            ClientboundGamePacket::LevelChunkWithLight(chunk) => {
                let data = chunk.chunk_data.data.clone();
                let read = Chunk::read_with_dimension_height(&mut Cursor::new(data.as_ref()), 384, -64, &[]).unwrap();
                self.chunks.retain(|(at, _)| *at != (chunk.x, chunk.z));
                self.chunks.push(((chunk.x, chunk.z), read));
            }
            ClientboundGamePacket::ForgetLevelChunk(gone) => {
                self.chunks.retain(|(at, _)| *at != (gone.pos.x, gone.pos.z));
            }
            ClientboundGamePacket::BlockUpdate(update) => {
                let pos = update.pos;
                if let Some((_, chunk)) = self.chunks.iter_mut().find(|(at, _)| *at == (pos.x >> 4, pos.z >> 4)) {
                    let at = ChunkBlockPos { x: (pos.x & 15) as u8, y: pos.y, z: (pos.z & 15) as u8 };
                    chunk.set_block_state(&at, update.block_state, -64);
                }
            }
            _ => {}
        }
    }

    /// Waits for a packet, among those received before or from now on, and consumes all packets up to it.
    pub async fn wait<T>(&mut self, what: &str, mut of: impl FnMut(&ClientboundGamePacket) -> Option<T>) -> T {
        let waiting = async {
            let mut seen = 0;
            loop {
                while seen < self.heard.len() {
                    if let Some(found) = of(&self.heard[seen]) {
                        self.heard.drain(..=seen);
                        return found;
                    }
                    seen += 1;
                }
                match self.packets.recv().await {
                    Some(packet) => {
                        self.note(&packet).await;
                        self.heard.push(packet);
                    }
                    None => panic!("closed while waiting for {what}; heard {:?}", kinds(&self.heard)),
                }
            }
        };
        match tokio::time::timeout(DEADLINE, waiting).await {
            Ok(found) => found,
            Err(_) => panic!("no {what} in time"),
        }
    }

    /// Waits until the connection is closed, and returns the server's reason, if any.
    pub async fn closed(&mut self) -> Option<String> {
        let mut reason = None;
        for packet in std::mem::take(&mut self.heard) {
            if let ClientboundGamePacket::Disconnect(why) = packet {
                reason = Some(why.reason.to_string());
            }
        }
        while let Some(packet) = self.next().await {
            if let ClientboundGamePacket::Disconnect(why) = packet {
                reason = Some(why.reason.to_string());
            }
        }
        reason
    }

    /// All packets received before the server's answer to a ping sent now. Consumes nothing.
    pub async fn settled(&mut self) -> &[ClientboundGamePacket] {
        static PINGS: std::sync::atomic::AtomicU64 = std::sync::atomic::AtomicU64::new(1);
        let time = PINGS.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        self.say(ServerboundPingRequest { time }).await;
        loop {
            let packet = self.next().await.expect("closed");
            if matches!(&packet, ClientboundGamePacket::PongResponse(pong) if pong.time == time) {
                return &self.heard;
            }
            self.heard.push(packet);
        }
    }

    /// The block at a position, as the client has received it.
    pub fn block(&self, x: i32, y: i32, z: i32) -> Option<BlockState> {
        let (_, chunk) = self.chunks.iter().find(|(at, _)| *at == (x >> 4, z >> 4))?;
        chunk.get_block_state(&ChunkBlockPos { x: (x & 15) as u8, y, z: (z & 15) as u8 }, -64)
    }

    /// Sends its position.
    pub async fn go(&mut self, x: f64, y: f64, z: f64) {
        self.at = Vec3 { x, y, z };
        let flags = MoveFlags { on_ground: true, horizontal_collision: false };
        self.say(ServerboundMovePlayerPos { pos: self.at, flags }).await;
    }

    pub async fn look(&mut self, y_rot: f32, x_rot: f32) {
        let flags = MoveFlags { on_ground: true, horizontal_collision: false };
        self.say(ServerboundMovePlayerRot { look_direction: LookDirection::new(y_rot, x_rot), flags }).await;
    }

    pub async fn act(&mut self, action: s_player_action::Action, pos: BlockPos, seq: u32) {
        self.say(ServerboundPlayerAction { action, pos, direction: Direction::Up, seq }).await;
    }

    /// Uses the item in the main hand on a side of a block.
    pub async fn use_on(&mut self, pos: BlockPos, direction: Direction, seq: u32) {
        let location = Vec3 { x: f64::from(pos.x) + 0.5, y: f64::from(pos.y) + 0.5, z: f64::from(pos.z) + 0.5 };
        let block_hit =
            s_use_item_on::BlockHit { block_pos: pos, direction, location, inside: false, world_border: false };
        self.say(ServerboundUseItemOn { hand: s_interact::InteractionHand::MainHand, block_hit, seq }).await;
    }

    /// Waits until a request about a block is acknowledged. Returns the block that the server sent last before that.
    pub async fn acknowledged(&mut self, pos: BlockPos, seq: u32) -> BlockKind {
        let mut last = None;
        self.wait("an acknowledgement", |packet| match packet {
            ClientboundGamePacket::BlockUpdate(update) if update.pos == pos => {
                last = Some(update.block_state.as_block_kind());
                None
            }
            ClientboundGamePacket::BlockChangedAck(ack) if ack.seq == seq => Some(()),
            _ => None,
        })
        .await;
        last.expect("the block was not told of before it was acknowledged")
    }

    /// Waits until the server sends this block for a position.
    pub async fn becomes(&mut self, pos: BlockPos, kind: BlockKind) {
        self.wait(&format!("{kind} at {pos:?}"), |packet| match packet {
            ClientboundGamePacket::BlockUpdate(update) => {
                (update.pos == pos && update.block_state.as_block_kind() == kind).then_some(())
            }
            _ => None,
        })
        .await;
    }

    /// The block that contains its feet.
    pub fn feet(&self) -> BlockPos {
        BlockPos::new(self.at.x.floor() as i32, self.at.y.floor() as i32, self.at.z.floor() as i32)
    }
}

/// The y of the feet of a player on the floor of a [`scene`].
pub const FLOOR: i32 = 150;

/// The middle of a scene's floor, one above it.
pub const CENTRE: Cell = Cell::new(8, FLOOR, 8);

/// A position in the protocol's type.
pub fn wire(pos: Cell) -> BlockPos {
    BlockPos::new(pos.x, pos.y, pos.z)
}

/// A scene high above the land: a floor of one kind of block, 16 by 16, with bedrock below, and a client called
/// `player` in its middle.
pub async fn scene(server: &Server, floor: Block) -> Client {
    let mut client = join(server, "player").await;
    for x in 0..16 {
        for z in 0..16 {
            server.set_block(Cell::new(x, FLOOR - 2, z), Block::Bedrock).unwrap();
            server.set_block(Cell::new(x, FLOOR - 1, z), floor).unwrap();
        }
    }
    place(server, &mut client, [8.5, f64::from(FLOOR), 8.5]).await;
    client.settled().await;
    client.heard.clear();
    client
}

/// Moves a client and waits until the client has received it.
pub async fn place(server: &Server, client: &mut Client, at: [f64; 3]) {
    server.teleport(&client.name, at).unwrap();
    client
        .wait("being moved", |packet| match packet {
            ClientboundGamePacket::PlayerPosition(moved) => {
                let pos = moved.change.pos;
                ([pos.x, pos.y, pos.z] == at).then_some(())
            }
            _ => None,
        })
        .await;
    client.settled().await;
}

/// The number of an item that a player carries.
pub fn carried(server: &Server, player: &str, item: Item) -> u32 {
    let slots = server.inventory(player).unwrap();
    slots.into_iter().flatten().filter(|stack| stack.item == item).map(|stack| stack.count).sum()
}

/// Waits until this many ticks have passed.
pub async fn ticks(server: &Server, client: &mut Client, count: u64) {
    let end = server.ticks().unwrap() + count;
    in_time(async {
        while server.ticks().unwrap() < end {
            client.settled().await;
        }
    })
    .await;
}

/// Waits until a condition on the server holds.
pub async fn until(client: &mut Client, what: &str, mut so: impl FnMut() -> bool) {
    let waiting = async {
        while !so() {
            client.settled().await;
        }
    };
    assert!(tokio::time::timeout(DEADLINE, waiting).await.is_ok(), "not in time: {what}");
}

/// The kinds of the packets, for messages.
pub fn kinds(heard: &[ClientboundGamePacket]) -> Vec<String> {
    use azalea_protocol::packets::ProtocolPacket;
    heard.iter().map(|packet| packet.name().to_owned()).collect()
}
