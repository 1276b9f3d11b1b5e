//! mineflayer plays from the first log to the diamond on the loopback server, and sorts its inventory.

use std::path::Path;
use std::time::Duration;

use ltlcrit_tests::mineflayer::{Error, Mineflayer, REQUIRED, SORTING};
use ltlcrit_worlds::server::{Server, ServerOptions};

/// What it cannot do here is a fault of the server until proven otherwise.
#[test]
fn mineflayer_gets_the_diamond() {
    let mineflayer = match Mineflayer::install(Path::new(env!("CARGO_TARGET_TMPDIR"))) {
        Err(Error::NoNode(why)) if std::env::var_os(REQUIRED).is_none() => {
            eprintln!("SKIPPED: mineflayer did not judge the server. {why}. With {REQUIRED} set this is a failure.");
            return;
        }
        installed => installed.unwrap_or_else(|error| panic!("{error}")),
    };
    let server = Server::start(ServerOptions { seed: 7, ..ServerOptions::compact() }).unwrap();
    let report = mineflayer.play(server.address(), "Flayer", Duration::from_secs(420), |step| println!("{step}"));
    let report = report.unwrap_or_else(|error| panic!("{error}"));

    if let Some(failed) = report.iter().find(|step| !step.ok) {
        panic!("{failed}");
    }
    let names: Vec<&str> = report.iter().map(|step| step.name.as_str()).collect();
    let sequence = Mineflayer::sequence().unwrap();
    let played = sequence.iter().map(String::as_str);
    assert_eq!(names, ["join"].into_iter().chain(played).chain([SORTING, "total"]).collect::<Vec<_>>());
    let total = report.last().unwrap();
    assert!(total.corrections.is_empty(), "one who walked as one may was moved: {:?}", total.corrections);
    server.stop().unwrap();
}
