//! One connection, from its first byte to its last.

use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::sync::{Semaphore, mpsc, oneshot, watch};

use super::events::{Event, Joining};
use super::inbound;
use super::lobby::{Lobby, Seat};
use super::login::{self, Ending, Guest, Wire};
use super::options::ServerOptions;
use super::outbox::{self, Outgoing};
use super::status::Roster;

/// How many of one client's packets may wait for the realm. With more, the client's stream waits.
const TALK: usize = 64;
/// How long a connection is kept after its last word was sent, for the client to read it.
const FAREWELL: Duration = Duration::from_secs(1);

/// What every connection knows.
#[derive(Clone)]
pub(super) struct Gate {
    pub(super) options: Arc<ServerOptions>,
    pub(super) events: mpsc::Sender<Event>,
    pub(super) roster: watch::Receiver<Roster>,
    /// Those that log in or ask for the status.
    pub(super) lobby: Lobby,
    /// Those that are no players any more, until all is said to them. Apart: however many leave, nobody's login is in danger.
    pub(super) leaving: Lobby,
}

/// Serves one client until it goes.
pub(super) async fn serve(stream: TcpStream, from: SocketAddr, seat: Seat, gate: Gate) -> Result<(), Ending> {
    stream.set_nodelay(true)?;
    let (reader, writer) = stream.into_split();
    attend(Wire::new(reader, writer), from.ip(), seat, gate).await
}

async fn attend<R: AsyncRead + Unpin, W: AsyncWrite + Unpin>(
    mut wire: Wire<R, W>,
    from: IpAddr,
    mut seat: Seat,
    gate: Gate,
) -> Result<(), Ending> {
    let greeting = login::greet(&mut wire, &gate.options, &gate.roster);
    // Of everything before the game together: bytes that come one by one win no time.
    let guest = tokio::select! {
        greeted = tokio::time::timeout(gate.options.patience, greeting) => match greeted {
            Ok(guest) => guest?,
            Err(_) => return Err(Ending::SentAway("it took too long to log in".to_owned())),
        },
        () = seat.lost() => return Err(Ending::Crowded),
    };
    match guest {
        Some(guest) => play(wire, from, seat, gate, guest).await,
        None => Ok(()),
    }
}

async fn play<R: AsyncRead + Unpin, W: AsyncWrite + Unpin>(
    wire: Wire<R, W>,
    from: IpAddr,
    seat: Seat,
    gate: Gate,
    guest: Guest,
) -> Result<(), Ending> {
    let Guest { name, uuid, distance } = guest;
    let (outbox, outgoing) = outbox::queue();
    let let_go = outgoing.let_go();
    let (joined, number) = oneshot::channel();
    let joining = Joining { name, uuid, distance, outbox, joined };
    if gate.events.send(Event::Join(joining)).await.is_err() {
        return Err(Ending::SentAway("the server stops".to_owned()));
    }
    let (mut reader, mut writer) = wire.split();
    let number = number.await.ok();
    drop(seat);
    let heard = async {
        match number {
            Some(number) => listen(&mut reader, &gate.events, number).await,
            // Not let in: only the reason is still to be sent.
            None => std::future::pending().await,
        }
    };
    let said = async {
        let sent = talk(&mut writer, outgoing, gate.options.patience).await;
        tokio::time::sleep(FAREWELL).await;
        sent
    };
    let crowded = async {
        let_go.await;
        gate.leaving.admit(from).lost().await;
    };
    // All go on to their ends; none is begun anew.
    let ending = tokio::select! {
        ending = heard => ending,
        ending = said => ending,
        () = crowded => Err(Ending::Crowded),
    };
    if let Some(number) = number {
        let _ = gate.events.send(Event::Leave(number, None)).await;
    }
    ending
}

/// Passes on what the client says. Ends when the client goes.
async fn listen<R: AsyncRead + Unpin>(
    reader: &mut Wire<R, tokio::io::Sink>,
    events: &mpsc::Sender<Event>,
    number: i32,
) -> Result<(), Ending> {
    let talk = Arc::new(Semaphore::new(TALK));
    loop {
        let wrong = match reader.frame().await {
            Ok(frame) => match inbound::parse(frame) {
                Ok(Some(packet)) => {
                    let Ok(permit) = talk.clone().acquire_owned().await else { return Err(Ending::Gone) };
                    // If the realm has ended, its last word is still on its way, and must not be cut off.
                    let _ = events.send(Event::Packet(number, Box::new(packet), permit)).await;
                    continue;
                }
                Ok(None) => continue,
                Err(wrong) => wrong,
            },
            Err(Ending::Frame(
                error @ (super::frame::FrameError::Length(_) | super::frame::FrameError::EndlessLength),
            )) => error.to_string(),
            Err(ending) => return Err(ending),
        };
        // The stream cannot be trusted any more; the realm sends the client away and says why.
        let reason = format!("Your client sent something that makes no sense: {wrong}.");
        if events.send(Event::Leave(number, Some(reason))).await.is_err() {
            return Err(Ending::Nonsense(wrong));
        }
        std::future::pending::<()>().await;
    }
}

/// Sends what the realm has to say, to its last word.
async fn talk<W: AsyncWrite + Unpin>(writer: &mut W, mut outgoing: Outgoing, patience: Duration) -> Result<(), Ending> {
    while let Some(frame) = outgoing.next().await {
        match tokio::time::timeout(patience, writer.write_all(&frame)).await {
            Ok(written) => written?,
            Err(_) => return Err(Ending::SentAway("it does not read".to_owned())),
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

    const FROM: IpAddr = IpAddr::V4(std::net::Ipv4Addr::LOCALHOST);
    /// A handshake of a length that more bytes fit in than anybody waits for.
    const LENGTH: &[u8] = &[0xFF, 0xFF, 0x03];

    /// A gate to a realm that answers nobody, and what must be kept for it to stay open.
    fn gate() -> (Gate, impl Sized) {
        let (events, inbox) = mpsc::channel(8);
        let (told, roster) = watch::channel(Roster::default());
        let options = Arc::new(ServerOptions { patience: Duration::from_secs(30), ..ServerOptions::compact() });
        (Gate { options, events, roster, lobby: Lobby::default(), leaving: Lobby::default() }, (inbox, told))
    }

    /// A connection that is attended to, as its client has it.
    fn connect(gate: &Gate) -> (DuplexStream, impl Future<Output = Result<(), Ending>> + use<>) {
        let (client, server) = tokio::io::duplex(1 << 16);
        let (reader, writer) = tokio::io::split(server);
        (client, attend(Wire::new(reader, writer), FROM, gate.lobby.admit(FROM), gate.clone()))
    }

    #[tokio::test(start_paused = true)]
    async fn bytes_that_come_one_by_one_win_no_time() {
        let (gate, _realm) = gate();
        let (mut client, attended) = connect(&gate);
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
        assert_eq!(begun.elapsed(), gate.options.patience);
    }

    #[tokio::test(start_paused = true)]
    async fn who_comes_later_takes_the_place_of_who_says_nothing() {
        let (gate, _realm) = gate();
        let begun = Instant::now();
        let (_client, attended) = connect(&gate);
        let _crowd: Vec<Seat> = (0..200).map(|_| gate.lobby.admit(FROM)).collect();
        assert!(matches!(attended.await, Err(Ending::Crowded)));
        assert_eq!(begun.elapsed(), Duration::ZERO);
    }

    /// The status of a server, asked for as lists of servers do.
    const STATUS: &[u8] = &[16, 0, 0x87, 0x06, 9, b'l', b'o', b'c', b'a', b'l', b'h', b'o', b's', b't', 0x63, 0xDD, 1];
    const REQUEST: &[u8] = &[1, 0];
    const PING: &[u8] = &[9, 1, 0, 0, 0, 0, 0, 0, 0, 42];

    #[tokio::test(start_paused = true)]
    async fn a_status_is_told_once_and_a_ping_is_the_end() {
        let (gate, _realm) = gate();
        for (said, ends_well, pong) in [
            (&[STATUS, REQUEST, PING][..], true, true),
            (&[STATUS, PING], true, true),
            (&[STATUS, REQUEST, REQUEST, PING], false, false),
        ] {
            let (mut client, attended) = connect(&gate);
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
    async fn who_talks_to_a_realm_that_has_ended_is_still_told_so() {
        let (mut client, server) = tokio::io::duplex(1024);
        let (events, inbox) = mpsc::channel(1);
        drop(inbox);
        let (mut reader, _) = Wire::new(server, tokio::io::sink()).split();
        client.write_all(&frame::of(&ServerboundKeepAlive { id: 1 }.into_variant()).unwrap()).await.unwrap();
        let mut listening = std::pin::pin!(listen(&mut reader, &events, 1));
        tokio::select! {
            biased;
            _ = &mut listening => panic!("the connection ends before the last word"),
            () = tokio::task::yield_now() => {}
        }
        drop(client);
        assert!(listening.await.is_err());
    }
}
