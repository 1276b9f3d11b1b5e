//! `watch` and `--watch`: the page of runs.
#![cfg(unix)]

use std::io::{Read, Write};
use std::net::TcpStream;

use crate::sandbox::Sandbox;
use crate::serve::Serving;

/// Asks for what is below an address. Returns the answer up to its end.
fn answer(url: &str, below: &str) -> String {
    let (host, path) = url.strip_prefix("http://").unwrap().split_once('/').unwrap();
    let mut stream = TcpStream::connect(host).unwrap();
    write!(stream, "GET /{path}{below} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n").unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    answer
}

#[test]
fn a_stored_run_is_shown_until_ctrl_c() {
    let sandbox = Sandbox::new();
    sandbox.run("run -q").code(0);
    let serving = Serving::command(&sandbox, &["watch", "last"]);
    assert!(serving.first.ends_with("/run/1/"), "{}", serving.first);
    assert!(answer(&serving.first, "").contains("<title>ltlcrit</title>"));
    let events = answer(&serving.first, "events");
    assert!(events.contains("event: steps") && events.contains("goal reached"), "{events}");
    let ran = serving.interrupt().code(0);
    assert!(ran.stderr.contains("Ctrl-C stops"), "{}", ran.stderr);
    let missing = sandbox.run("watch 7").code(4);
    assert!(missing.stderr.contains("there is no run 7"), "{}", missing.stderr);
}

#[test]
fn a_watched_run_prints_its_address_and_ends() {
    let sandbox = Sandbox::new();
    for (line, page) in
        [("run --watch --steps 3", "the page of run 1: http://127.0.0.1:"), ("resume --watch", "/run/1/")]
    {
        let ran = sandbox.run(line);
        assert!(ran.stderr.contains(page), "{}", ran.stderr);
    }
}

#[test]
fn a_batch_and_a_learning_show_their_report() {
    let sandbox = Sandbox::new();
    let ran = sandbox.run("batch smoke --watch").code(0);
    assert!(ran.stderr.contains("the page: http://127.0.0.1:"), "{}", ran.stderr);
    let learned = sandbox.run("learn --watch --no-laws --episodes 2 --iterations 1 --steps 5").code(0);
    assert!(learned.stderr.contains("the page: http://127.0.0.1:"), "{}", learned.stderr);
    for (of, shown) in [("smoke-results", "Batch smoke"), ("all", "Runs 1 to")] {
        let serving = Serving::command(&sandbox, &["watch", of]);
        let report = answer(&serving.first, "report");
        assert!(report.starts_with("HTTP/1.1 200") && report.contains(shown), "{report}");
        assert!(report.contains("no evidence about language models"), "{report}");
        serving.interrupt().code(0);
    }
    let missing = sandbox.run("watch nothing-here").code(2);
    assert!(missing.stderr.contains("`nothing-here` is neither"), "{}", missing.stderr);
}
