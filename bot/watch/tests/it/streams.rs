//! Tests of streams: their events and their readers.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use ltlcrit_store::{RunId, StepRecord};
use ltlcrit_watch::{Options, Report, Watch, WatchError};
use serde_json::{Value, json};
use tokio::io::AsyncReadExt;

use crate::records::{HOSTILE, append, finish, manifest, opened, step};
use crate::site::{Events, Site};

#[tokio::test]
async fn a_growing_run_is_followed_to_its_end() {
    let (_directory, store) = opened();
    let site = Site::of(store.path()).await;
    // The page may be open before the run begins, and other runs may be written between its steps.
    let mut events = site.events(RunId(2), "").await;
    let other = store.begin(&mut manifest()).unwrap();
    append(&store, other, 0..100);
    let run = store.begin(&mut manifest()).unwrap();
    append(&store, run, 0..3);
    let begun = events.next().await.unwrap();
    assert_eq!((begun.kind.as_str(), &begun.data[0]["run"]), ("run", &json!(2)));
    assert_eq!(begun.data[0]["land"], json!(format!("compact/{}", u64::MAX)));
    assert_eq!(events.steps_to(2).await, [0, 1, 2]);
    append(&store, other, 100..200);
    append(&store, run, 3..150);
    assert_eq!(events.steps_to(149).await, (3..150).collect::<Vec<_>>());
    finish(&store, run, 149);
    let end = events.next().await.unwrap();
    assert_eq!((end.kind.as_str(), &end.data[0]["end"]["text"]), ("end", &json!("goal reached")));
    assert!(events.next().await.is_none(), "the stream goes on");
    // The other run goes on.
    let mut others = site.events(other, "").await;
    others.next().await.unwrap();
    assert_eq!(others.steps_to(199).await.len(), 200);
}

#[tokio::test]
async fn a_client_that_reconnects_resumes() {
    let (_directory, store) = opened();
    let run = store.begin(&mut manifest()).unwrap();
    append(&store, run, 0..200);
    let site = Site::of(store.path()).await;
    let mut events = site.events(run, "Last-Event-ID: 137\r\n").await;
    assert_eq!(events.next().await.unwrap().kind, "run");
    assert_eq!(events.steps_to(199).await, (137..200).collect::<Vec<_>>());
    drop(events);
    append(&store, run, 200..201);
    // A resumed run replaces its last step and removes its end.
    finish(&store, run, 200);
    store.reopen(run).unwrap();
    store.amend_last_step(run, &StepRecord { owed: Vec::new(), ..step(200) }).unwrap();
    finish(&store, run, 200);
    let mut events = site.events(run, "Last-Event-ID: 200\r\n").await;
    events.next().await.unwrap();
    let amended = events.next().await.unwrap();
    let owed: Vec<&Value> = amended.data.iter().map(|step| &step["owed"]).collect();
    assert_eq!(owed, [&json!(["closed"]), &json!([])]);
    assert_eq!(events.next().await.unwrap().kind, "end");
    // A step is asked for again when the page dropped it.
    let step: Value = serde_json::from_str(site.text(&format!("run/{run}/step/100")).await.trim()).unwrap();
    assert_eq!((&step["n"], &step["proposals"][0]["ruling"]["laws"]), (&json!(100), &json!(["closed"])));
    assert!(site.ask(&format!("run/{run}/step/201"), "").await.0.starts_with("HTTP/1.1 404"));
}

#[tokio::test]
async fn a_killed_run_ends_its_stream() {
    let (_directory, store) = opened();
    let run = store.begin(&mut manifest()).unwrap();
    append(&store, run, 0..5);
    let site = Site::of(store.path()).await;
    let mut events = site.events(run, "").await;
    events.next().await.unwrap();
    events.steps_to(4).await;
    drop(store);
    assert_eq!(events.next().await.unwrap().kind, "gone");
    assert!(events.next().await.is_none());
}

#[tokio::test]
async fn a_server_that_stops_sends_what_is_stored() {
    let (_directory, store) = opened();
    let run = store.begin(&mut manifest()).unwrap();
    append(&store, run, 0..1);
    let site = Site::of(store.path()).await;
    let mut events = site.events(run, "").await;
    events.next().await.unwrap();
    events.steps_to(0).await;
    append(&store, run, 1..4);
    finish(&store, run, 3);
    site.stop.send(()).unwrap();
    assert_eq!(events.steps_to(3).await.last(), Some(&3));
    assert_eq!(events.next().await.unwrap().kind, "end");
    assert!(events.next().await.is_none());
    site.server.await.unwrap().unwrap();
}

#[tokio::test]
async fn only_this_machine_with_the_token_is_answered() {
    let (_directory, store) = opened();
    let site = Site::of(store.path()).await;
    assert!(site.address.starts_with("127.0.0.1:"), "{}", site.address);
    assert_eq!(site.token.len(), 34, "{}", site.token);
    for path in ["/", "/watch.js", "/runs", "/run/1/events", &format!("/{}/", "0".repeat(32))] {
        let (head, _) = site.ask_as(&site.address, path, "").await;
        assert!(head.starts_with("HTTP/1.1 404"), "{path}: {head}");
    }
    for host in ["evil.example", "127.0.0.1.evil.example"] {
        let (head, _) = site.ask_as(host, &site.token, "").await;
        assert!(head.starts_with("HTTP/1.1 403"), "{host}: {head}");
    }
    let (head, _) = site.ask("", "").await;
    assert!(head.starts_with("HTTP/1.1 200"), "{head}");
    assert!(head.contains("content-security-policy: default-src 'none'; script-src 'self';"), "{head}");
    let page = site.text("run/7/").await;
    assert!(page.contains(&format!("src=\"{}watch.js\"", site.token)), "{page}");
    assert!(site.text("watch.css").await.contains("prefers-color-scheme"));
}

#[tokio::test]
async fn hostile_texts_stay_data_and_are_bounded() {
    let (_directory, store) = opened();
    let run = store.begin(&mut manifest()).unwrap();
    append(&store, run, 0..2);
    finish(&store, run, 1);
    let site = Site::of(store.path()).await;
    let mut events = site.events(run, "").await;
    let shown = HOSTILE.replace(['\u{202e}', '\r'], "\u{fffd}");
    let begun = events.next().await.unwrap();
    assert_eq!((&begun.data[0]["task"], &begun.data[0]["observations"][1]["name"]), (&json!(shown), &json!(shown)));
    let mut steps = Vec::new();
    while steps.len() < 2 {
        let event = events.next().await.unwrap();
        assert_eq!(event.kind, "steps", "{event:?}");
        steps.extend(event.data);
    }
    assert_eq!(steps[1]["message"], json!(shown));
    let thought = steps[1]["thought"].as_str().unwrap();
    assert_eq!((thought.chars().count(), thought.chars().last()), (4001, Some('…')));
    assert_eq!(events.next().await.unwrap().kind, "end");
    for page in ["", "run/1/"] {
        assert!(!site.text(page).await.contains("alert("), "the page contains data");
    }
}

#[tokio::test]
async fn runs_are_listed() {
    let (_directory, store) = opened();
    let site = Site::of(store.path()).await;
    let (_, rest) = site.ask("runs", "").await;
    let mut events = Events(rest);
    assert_eq!(events.next().await.unwrap().data[0]["total"], json!(0));
    for steps in [3, 5] {
        let run = store.begin(&mut manifest()).unwrap();
        append(&store, run, 0..steps);
        if steps == 3 {
            finish(&store, run, 2);
        }
    }
    let list = loop {
        let list = events.next().await.unwrap().data.remove(0);
        if list["total"] == json!(2) && list["runs"][0]["steps"] == json!(4) {
            break list;
        }
    };
    assert_eq!((&list["runs"][0]["run"], &list["runs"][0]["end"]), (&json!(2), &Value::Null));
    assert_eq!((&list["runs"][1]["end"]["kind"], &list["live"]), (&json!("goal"), &json!(true)));
}

#[tokio::test]
async fn tiles_of_the_land_are_served() {
    let (_directory, store) = opened();
    let site = Site::of(store.path()).await;
    let (head, mut rest) = site.ask(&format!("land/compact/{}/-1/0", u64::MAX), "").await;
    assert!(head.starts_with("HTTP/1.1 200") && head.contains("content-length: 20480"), "{head}");
    let mut bytes = Vec::new();
    rest.read_to_end(&mut bytes).await.unwrap();
    assert_eq!(bytes.len(), 64 * 64 * 5);
    for path in ["land/none/1/0/0", "land/natural/1/99999999/0"] {
        assert!(site.ask(path, "").await.0.starts_with("HTTP/1.1 404"), "{path}");
    }
}

#[tokio::test]
async fn a_path_without_a_store_and_a_port_in_use_are_errors() {
    let (directory, store) = opened();
    let missing = Watch::open(&directory.path().join("none"), Options::default()).await;
    assert!(matches!(missing, Err(WatchError::Store(_))));
    let site = Site::of(store.path()).await;
    let port = site.address.rsplit_once(':').unwrap().1.parse().unwrap();
    let taken = Watch::open(store.path(), Options { port }).await.unwrap_err().to_string();
    assert!(taken.contains(&format!("127.0.0.1:{port} cannot be used")), "{taken}");
}

#[tokio::test]
async fn a_report_is_made_anew_for_each_request() {
    let (_directory, store) = opened();
    let made = AtomicUsize::new(0);
    let report: Report = Arc::new(move || match made.fetch_add(1, Ordering::SeqCst) {
        0 => Err("no run has begun".to_owned()),
        time => Ok(format!("<!doctype html><p>time {time}")),
    });
    let site = Site::with_report(store.path(), Some(report)).await;
    assert!(site.text("").await.contains("data-report=\"true\""));
    let (head, _) = site.ask("report", "").await;
    assert!(head.starts_with("HTTP/1.1 503") && head.contains("content-type: text/plain"), "{head}");
    for time in 1..3 {
        assert_eq!(site.text("report").await, format!("<!doctype html><p>time {time}"));
    }
    let (head, _) = site.ask("report", "").await;
    let policies = head.lines().filter(|line| line.starts_with("content-security-policy: "));
    let policies: Vec<&str> = policies.collect();
    assert!(
        policies.len() == 1 && policies[0].contains("default-src 'none'") && !policies[0].contains("script"),
        "{head}"
    );

    let none = Site::of(store.path()).await;
    assert!(none.text("").await.contains("data-report=\"false\""));
    assert!(none.ask("report", "").await.0.starts_with("HTTP/1.1 404"));
}
