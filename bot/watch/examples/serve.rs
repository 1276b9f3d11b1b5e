//! Serves the page of a store until it is stopped: `cargo run -p ltlcrit-watch --example serve -- STORE [PORT]`.
#![allow(clippy::unwrap_used)]

use ltlcrit_watch::{Options, Watch};

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let mut arguments = std::env::args().skip(1);
    let store = arguments.next().unwrap();
    let port = arguments.next().map_or(0, |port| port.parse().unwrap());
    let watch = Watch::open(store.as_ref(), Options { port }).await.unwrap();
    println!("{}", watch.url(None));
    watch.serve(std::future::pending()).await.unwrap();
}
