//! The pages of reports in a browser: opened from a file, they request nothing and cause no errors.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::report::hostile_batch;
use crate::sandbox::Sandbox;

/// If this environment variable is set, Chromium is required.
const REQUIRED: &str = "REQUIRE_CHROMIUM";
const NAMES: [&str; 3] = ["chromium", "chromium-browser", "google-chrome"];
/// Flags for a quiet browser without name resolution.
const FLAGS: [&str; 12] = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
    "--host-resolver-rules=MAP * ~NOTFOUND",
    "--enable-logging=stderr",
    "--v=0",
];

/// The activity of a page in the browser.
struct Opened {
    /// The page after it was loaded.
    dom: String,
    /// The messages on the console.
    console: Vec<String>,
    /// The requested web addresses.
    requests: Vec<String>,
}

/// Returns the browser's name, if it is installed.
fn browser() -> Option<&'static str> {
    NAMES.into_iter().find(|name| Command::new(name).arg("--version").output().is_ok_and(|it| it.status.success()))
}

fn open(browser: &str, page: &Path) -> Opened {
    let profile = tempfile::tempdir().unwrap();
    let log = profile.path().join("net.json");
    let output = Command::new(browser)
        .args(FLAGS)
        .arg(format!("--user-data-dir={}", profile.path().display()))
        .arg(format!("--log-net-log={}", log.display()))
        .arg("--dump-dom")
        .arg(format!("file://{}", page.display()))
        .output()
        .unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{stderr}");
    let log = fs::read_to_string(log).unwrap();
    let urls = log.split("\"url\":\"").skip(1).map(|rest| rest.split('"').next().unwrap().to_owned());
    Opened {
        dom: String::from_utf8(output.stdout).unwrap(),
        console: stderr.lines().filter(|line| line.contains("CONSOLE")).map(str::to_owned).collect(),
        requests: urls.filter(|url| url.contains("127.0.0.1") || url.contains("example")).collect(),
    }
}

#[test]
fn pages_ask_for_nothing_and_have_no_errors() {
    let Some(browser) = browser() else {
        assert!(std::env::var_os(REQUIRED).is_none(), "none of {NAMES:?} is installed, and {REQUIRED} is set");
        eprintln!("SKIPPED: no browser looked at the pages. With {REQUIRED} set this is a failure.");
        return;
    };
    let sandbox = Sandbox::new();
    // The checks detect a bad page.
    let bad = "<!DOCTYPE html><script>console.error('wrong')</script><img src=\"http://127.0.0.1:9/asked\">";
    let bad = open(browser, &sandbox.write("bad.html", bad));
    assert!(bad.console.iter().any(|line| line.contains("wrong")), "{:?}", bad.console);
    assert!(bad.requests.iter().any(|url| url.contains("/asked")), "{:?}", bad.requests);

    hostile_batch(&sandbox);
    sandbox.run("run -q").code(0);
    sandbox.run("learn -q --no-laws --episodes 3 --iterations 2 --store learned").code(0);
    for of in ["hostile-results", "last", "all --store learned"] {
        sandbox.run(&format!("report {of} -o page.html")).code(0);
        let opened = open(browser, &sandbox.path().join("page.html"));
        assert!(opened.console.is_empty(), "{of}: {:?}", opened.console);
        assert!(opened.requests.is_empty(), "{of}: {:?}", opened.requests);
        // The browser read the whole page, and took no text for an element.
        assert!(opened.dom.contains("<h2>Manifest</h2>") && !opened.dom.contains("<img"), "{of}");
    }
}
