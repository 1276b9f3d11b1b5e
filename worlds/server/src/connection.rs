//! One connection, from its first byte to its last.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;
use tokio::sync::{Semaphore, mpsc, oneshot, watch};

use super::events::{Event, Joining};
use super::inbound;
use super::login::{self, ConnectionEnd, LoggedInClient, PacketStream, Writer};
use super::options::ServerOptions;
use super::outbox::{self, Outgoing};
use super::status::Roster;

/// The maximum number of connections, of players and others. Beyond it, new ones are closed; those that do not log in
/// within the time limit make room.
pub(super) const MAX_CONNECTIONS: usize = 256;
/// The maximum number of one client's packets that wait for the game. Beyond it, the client's stream waits.
const MAX_PENDING_PACKETS: usize = 64;
/// The time that a connection stays open after the last packet, so that the client can read it.
const LINGER: Duration = Duration::from_secs(1);

/// The channels, options and limits that all connections share.
#[derive(Clone)]
pub(super) struct ConnectionContext {
    pub(super) options: Arc<ServerOptions>,
    pub(super) events: mpsc::Sender<Event>,
    pub(super) roster: watch::Receiver<Roster>,
    /// The places for connections.
    pub(super) connections: Arc<Semaphore>,
}

/// Serves one client until its connection ends.
pub(super) async fn serve(stream: TcpStream, context: ConnectionContext) -> Result<(), ConnectionEnd> {
    stream.set_nodelay(true)?;
    let (reader, writer) = stream.into_split();
    serve_stream(PacketStream::new(reader, writer), context).await
}

async fn serve_stream(mut stream: PacketStream, context: ConnectionContext) -> Result<(), ConnectionEnd> {
    let greeting = login::serve_login(&mut stream, &context.options, &context.roster);
    // One time limit for everything before the game: a client cannot extend it by sending single bytes.
    match tokio::time::timeout(context.options.patience, greeting).await {
        Ok(Ok(Some(client))) => play(stream, context, client).await,
        Ok(other) => other.map(|_| ()),
        Err(_) => Err(ConnectionEnd::Disconnected("it took too long to log in".to_owned())),
    }
}

async fn play(stream: PacketStream, context: ConnectionContext, client: LoggedInClient) -> Result<(), ConnectionEnd> {
    let LoggedInClient { name, uuid, distance } = client;
    let (outbox, outgoing) = outbox::queue();
    let (joined, number) = oneshot::channel();
    let joining = Joining { name, uuid, distance, outbox, joined };
    if context.events.send(Event::Join(joining)).await.is_err() {
        return Err(ConnectionEnd::Disconnected("the server stops".to_owned()));
    }
    let (mut reader, mut writer) = stream.split();
    let number = number.await.ok();
    let heard = async {
        match number {
            Some(number) => receive(&mut reader, &context.events, number).await,
            // The player was refused, and only the reason is still to be sent.
            None => std::future::pending().await,
        }
    };
    let said = async {
        let sent = send(&mut writer, outgoing, context.options.patience).await;
        tokio::time::sleep(LINGER).await;
        sent
    };
    // The first future to end decides how the connection ends; the select is not repeated.
    let ending = tokio::select! {
        ending = heard => ending,
        ending = said => ending,
    };
    if let Some(number) = number {
        let _ = context.events.send(Event::Leave(number, None)).await;
    }
    ending
}

/// Forwards the client's packets to the game until the connection ends.
async fn receive(reader: &mut PacketStream, events: &mpsc::Sender<Event>, number: i32) -> Result<(), ConnectionEnd> {
    let pending = Arc::new(Semaphore::new(MAX_PENDING_PACKETS));
    loop {
        let wrong = match reader.frame().await {
            Ok(frame) => match inbound::parse(frame) {
                Ok(Some(packet)) => {
                    let Ok(permit) = pending.clone().acquire_owned().await else { return Err(ConnectionEnd::Gone) };
                    // If the game has ended, its last packets are still being sent, so the connection stays open.
                    let _ = events.send(Event::Packet(number, Box::new(packet), permit)).await;
                    continue;
                }
                Ok(None) => continue,
                Err(wrong) => wrong,
            },
            Err(ConnectionEnd::Io(error)) if error.kind() == io::ErrorKind::InvalidData => error.to_string(),
            Err(ending) => return Err(ending),
        };
        // The stream is unusable. The game disconnects the client with the reason.
        let reason = format!("Your client sent something that makes no sense: {wrong}.");
        if events.send(Event::Leave(number, Some(reason))).await.is_err() {
            return Err(ConnectionEnd::Malformed(wrong));
        }
        std::future::pending::<()>().await;
    }
}

/// Sends the game's packets until the game closes the queue.
async fn send(writer: &mut Writer, mut outgoing: Outgoing, patience: Duration) -> Result<(), ConnectionEnd> {
    while let Some(frame) = outgoing.next().await {
        match tokio::time::timeout(patience, writer.write_all(&frame)).await {
            Ok(written) => written?,
            Err(_) => return Err(ConnectionEnd::Disconnected("it does not read".to_owned())),
        }
        outgoing.sent(&frame);
    }
    Ok(writer.shutdown().await?)
}

#[cfg(test)]
mod tests {
    use azalea_protocol::packets::Packet;
    use azalea_protocol::packets::game::ServerboundKeepAlive;
    use tokio::io::{AsyncReadExt, DuplexStream};
    use tokio::time::Instant;

    use super::*;
    use crate::frame;

    /// The length prefix of a handshake that is longer than the time limit allows at one byte a second.
    const LENGTH: &[u8] = &[0xFF, 0xFF, 0x03];

    /// A context of a game that never answers, and the values that keep its channels open.
    fn context() -> (ConnectionContext, impl Sized) {
        let (events, inbox) = mpsc::channel(8);
        let (told, roster) = watch::channel(Roster::default());
        let options = Arc::new(ServerOptions { patience: Duration::from_secs(30), ..ServerOptions::compact() });
        (ConnectionContext { options, events, roster, connections: Arc::new(Semaphore::new(1)) }, (inbox, told))
    }

    /// The client's end of a connection, and the future that serves it.
    fn connect(context: &ConnectionContext) -> (DuplexStream, impl Future<Output = Result<(), ConnectionEnd>> + use<>) {
        let (client, server) = tokio::io::duplex(1 << 16);
        let (reader, writer) = tokio::io::split(server);
        (client, serve_stream(PacketStream::new(reader, writer), context.clone()))
    }

    #[tokio::test(start_paused = true)]
    async fn single_bytes_do_not_extend_the_time_limit() {
        let (context, _game) = context();
        let (mut client, attended) = connect(&context);
        let begun = Instant::now();
        let trickle = async {
            let _ = client.write_all(LENGTH).await;
            while client.write_all(&[0]).await.is_ok() {
                tokio::time::sleep(Duration::from_secs(1)).await;
            }
            std::future::pending::<()>().await;
        };
        let ending = tokio::select! {
            ending = attended => ending,
            () = trickle => Ok(()),
        };
        assert_eq!(ending.unwrap_err().to_string(), "it was sent away: it took too long to log in");
        assert_eq!(begun.elapsed(), context.options.patience);
    }

    /// The handshake of a status request, as server lists send it.
    const STATUS: &[u8] = &[16, 0, 0x87, 0x06, 9, b'l', b'o', b'c', b'a', b'l', b'h', b'o', b's', b't', 0x63, 0xDD, 1];
    const REQUEST: &[u8] = &[1, 0];
    const PING: &[u8] = &[9, 1, 0, 0, 0, 0, 0, 0, 0, 42];

    #[tokio::test(start_paused = true)]
    async fn the_status_is_answered_once_and_a_ping_ends_the_connection() {
        let (context, _game) = context();
        for (said, ends_well, pong) in [
            (&[STATUS, REQUEST, PING][..], true, true),
            (&[STATUS, PING], true, true),
            (&[STATUS, REQUEST, REQUEST, PING], false, false),
        ] {
            let (mut client, attended) = connect(&context);
            let asked = async {
                client.write_all(&said.concat()).await.unwrap();
                let mut answer = Vec::new();
                client.read_to_end(&mut answer).await.unwrap();
                answer
            };
            let (ended, answer) = tokio::join!(attended, asked);
            assert_eq!(ended.is_ok(), ends_well, "{ended:?}");
            assert_eq!(answer.ends_with(PING), pong, "{answer:?}");
        }
    }

    #[tokio::test]
    async fn a_client_of_a_game_that_has_ended_still_receives_the_reason() {
        let (mut client, server) = tokio::io::duplex(1024);
        let (events, inbox) = mpsc::channel(1);
        drop(inbox);
        let (mut reader, _) = PacketStream::new(server, tokio::io::sink()).split();
        client.write_all(&frame::of(&ServerboundKeepAlive { id: 1 }.into_variant()).unwrap()).await.unwrap();
        let mut listening = std::pin::pin!(receive(&mut reader, &events, 1));
        tokio::select! {
            biased;
            _ = &mut listening => panic!("the connection ends before the last word"),
            () = tokio::task::yield_now() => {}
        }
        drop(client);
        assert!(listening.await.is_err());
    }
}
