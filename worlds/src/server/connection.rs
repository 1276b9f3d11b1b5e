//! One connection, from its first byte to its last.

use std::sync::Arc;
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::sync::{Semaphore, mpsc, oneshot, watch};

use super::inbound;
use super::login::{self, Ending, Guest, Wire};
use super::options::ServerOptions;
use super::outbox::{self, Outgoing};
use super::realm::{Event, Joining};
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
}

/// Serves one client until it goes.
pub(super) async fn serve(stream: TcpStream, gate: Gate) -> Result<(), Ending> {
    stream.set_nodelay(true)?;
    let (from, to) = stream.into_split();
    let mut wire = Wire::new(from, to);
    let greeting = login::greet(&mut wire, &gate.options, &gate.roster);
    let guest = match tokio::time::timeout(gate.options.patience, greeting).await {
        Ok(guest) => guest?,
        Err(_) => return Err(Ending::SentAway("it took too long to log in".to_owned())),
    };
    match guest {
        Some(guest) => play(wire, gate, guest).await,
        None => Ok(()),
    }
}

async fn play<R: AsyncRead + Unpin, W: AsyncWrite + Unpin>(
    wire: Wire<R, W>,
    gate: Gate,
    guest: Guest,
) -> Result<(), Ending> {
    let Guest { name, uuid, distance } = guest;
    let (outbox, outgoing) = outbox::queue();
    let (joined, number) = oneshot::channel();
    let joining = Joining { name, uuid, distance, outbox, joined };
    if gate.events.send(Event::Join(joining)).await.is_err() {
        return Err(Ending::SentAway("the server stops".to_owned()));
    }
    let (mut reader, mut writer) = wire.split();
    let number = number.await.ok();
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
    // Both go on to their ends; neither is begun anew.
    let ending = tokio::select! {
        ending = heard => ending,
        ending = said => ending,
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

    use super::*;
    use crate::server::frame;

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
