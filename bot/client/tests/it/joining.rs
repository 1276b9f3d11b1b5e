//! Joining a server, the errors of joining, and checking a server beforehand.

use std::io::{Read, Write};
use std::net::TcpListener;
use std::time::Duration;

use ltlcrit_client::{
    Account, CLIENT_PROTOCOL, ClientOptions, ClientWorld, JoinError, LoginResult, check_login, status,
};
use ltlcrit_server::ServerOptions;
use ltlcrit_worlds::Interrupt;
use ltlcrit_worlds::World;

use super::relay::varint;
use super::relay::{Pack, Relay};
use super::scene::{Clock, NAME, Scene, Warnings, client_options, server_options};

const PATIENCE: Duration = Duration::from_secs(20);

async fn refused(options: ClientOptions) -> JoinError {
    match ClientWorld::join(options, Interrupt::new()).await {
        Ok(_) => panic!("it should not have been let in"),
        Err(error) => error,
    }
}

#[tokio::test]
async fn tells_what_it_is_told_of_the_server() {
    let clock = Clock::start();
    let server = clock.serve(ServerOptions { description: "A test".to_owned(), ..server_options() });
    let found = status(&server.address().to_string(), PATIENCE).await.unwrap();
    assert_eq!((found.protocol, found.players, found.description.as_str()), (CLIENT_PROTOCOL, 0, "A test"));
    let address = server.address().to_string();
    assert_eq!(check_login(&address, &Account::default(), PATIENCE).await.unwrap(), LoginResult::Accepted);
    assert_eq!(server.players().unwrap(), Vec::<String>::new(), "who only knocks is not in");
    let world = clock.join(client_options(&address)).await;
    let info = world.info();
    assert_eq!((info.kind.as_str(), info.deterministic, info.seed), ("server", false, None));
    assert_eq!((&info.options["address"], &info.options["player"]), (&address.into(), &NAME.into()));
}

/// A server that answers the status request with this text, in a packet.
fn answers(words: String) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    std::thread::spawn(move || {
        while let Ok((mut stream, _)) = listener.accept() {
            let _ = stream.read(&mut [0; 512]);
            let mut packet = vec![0];
            varint(words.len(), &mut packet);
            packet.extend(words.as_bytes());
            let mut frame = Vec::new();
            varint(packet.len(), &mut frame);
            frame.extend(packet);
            let _ = stream.write_all(&frame);
        }
    });
    address
}

#[tokio::test]
async fn refuses_another_version() {
    let answer =
        r#"{"version":{"name":"§c1.21.4\u001b","protocol":769},"players":{"max":1,"online":0},"description":"x"}"#;
    let address = answers(answer.to_owned());
    let error = refused(client_options(&address)).await;
    assert_eq!(error, JoinError::Version { address: address.clone(), name: "1.21.4".to_owned(), protocol: 769 });
    let said = error.to_string();
    assert!(said.contains("1.21.4 (protocol 769), this client 26.1 (protocol 775)"), "{said}");
}

#[tokio::test]
async fn distinguishes_unreachable_silent_and_other_servers() {
    let free = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let nobody = refused(client_options(free)).await;
    assert!(matches!(nobody, JoinError::Unreachable { .. }), "{nobody}");
    assert!(nobody.to_string().contains("is the server running?") && nobody.is_passing());
    let other = refused(client_options(answers("not a status".to_owned()))).await;
    assert!(matches!(other, JoinError::NotMinecraft { .. }), "{other}");
    // A server that accepts connections and sends nothing.
    let silent = TcpListener::bind("127.0.0.1:0").unwrap();
    let options = ClientOptions { patience: Duration::from_secs(1), ..client_options(silent.local_addr().unwrap()) };
    let late = refused(options).await;
    assert!(matches!(late, JoinError::Timeout { seconds: 1, .. }), "{late}");
    let wrong = refused(client_options("no address")).await;
    assert_eq!(wrong, JoinError::Address("no address".to_owned()));
}

/// A server under load sends the land slowly: the first join takes longer, without a warning.
#[tokio::test]
async fn joins_without_a_warning() {
    for times in [1, 5] {
        let warnings = Warnings::listen();
        let clock = Clock::start();
        let server = clock.serve_slowly(server_options(), times);
        let world = clock.join(client_options(server.address())).await;
        let mut scene = Scene { world, server, clock };
        scene.look().await;
        assert_eq!((warnings.text().as_str(), scene.world.reconnects()), ("", 0));
    }
}

#[tokio::test]
async fn passes_on_the_servers_reason() {
    let clock = Clock::start();
    let server = clock.serve(ServerOptions { max_players: 1, ..server_options() });
    let _first = clock.join_as("first", &server).await;
    let error = refused(client_options(server.address())).await;
    let JoinError::Refused { reason, .. } = &error else { panic!("{error}") };
    assert!(reason.to_lowercase().contains("full"), "{reason}");
    let address = server.address().to_string();
    let reception = check_login(&address, &Account::default(), PATIENCE).await.unwrap();
    assert_eq!(reception, LoginResult::Refused { reason: reason.clone() });
}

/// The client accepts resource packs, required or not, without downloading them, and continues.
#[tokio::test]
async fn takes_every_resource_pack_and_plays_on() {
    let packs = TcpListener::bind("127.0.0.1:0").unwrap();
    packs.set_nonblocking(true).unwrap();
    let url = format!("http://{}/pack.zip", packs.local_addr().unwrap());
    for (before_the_game, required) in [(true, true), (true, false), (false, true), (false, false)] {
        let clock = Clock::start();
        let server = clock.serve(server_options());
        let relay = Relay::start(server.address(), Pack { url: url.clone(), required, before_the_game }).await;
        let world = clock.join(client_options(relay.address)).await;
        let mut scene = Scene { world, server, clock };
        scene.does("mine_log").await;
        let answers = relay.answers();
        assert_eq!(answers, ["Accepted", "SuccessfullyLoaded"], "before the game: {before_the_game}");
        assert_eq!(scene.world.reconnects(), 0);
    }
    assert!(packs.accept().is_err(), "nobody asked for the pack");
}
