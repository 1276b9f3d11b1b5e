//! The page in Chromium, if it is installed.

use std::fs;
use std::process::Command;

use tokio::task::spawn_blocking;

use crate::records::{append, finish, manifest, opened};
use crate::site::Site;

/// If this environment variable is set, Chromium is required.
const REQUIRED: &str = "REQUIRE_CHROMIUM";
const NAMES: [&str; 3] = ["chromium", "chromium-browser", "google-chrome"];
/// Maximum number of times that the browser looks at the page.
const LOOKS: usize = 10;
/// Flags for a quiet browser that finds this machine only. The time passes as fast as the page allows.
const FLAGS: [&str; 13] = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
    "--enable-logging=stderr",
    "--v=0",
    "--virtual-time-budget=20000",
];

#[tokio::test]
async fn a_run_of_hostile_texts_is_shown_to_its_end() {
    let found = |name: &&str| Command::new(name).arg("--version").output().is_ok_and(|it| it.status.success());
    let Some(browser) = NAMES.into_iter().find(found) else {
        assert!(std::env::var_os(REQUIRED).is_none(), "none of {NAMES:?} is installed, and {REQUIRED} is set");
        eprintln!("SKIPPED: no browser looked at the page. With {REQUIRED} set this is a failure.");
        return;
    };
    let (directory, store) = opened();
    let run = store.begin(&mut manifest()).unwrap();
    append(&store, run, 0..300);
    finish(&store, run, 299);
    let site = Site::of(store.path()).await;
    let log = directory.path().join("net.json");
    let (flags, url) = (
        [
            format!("--user-data-dir={}", directory.path().join("profile").display()),
            format!("--log-net-log={}", log.display()),
        ],
        format!("http://{}{}run/{run}/", site.address, site.token),
    );
    let mut command = Command::new(browser);
    command.args(FLAGS).args(flags).args(["--dump-dom", &url]);
    // The page is printed at any moment, perhaps before the stream has ended or the last step is drawn.
    let looks = move || {
        let mut page = String::new();
        for _ in 0..LOOKS {
            let output = command.output().unwrap();
            let errors = String::from_utf8_lossy(&output.stderr);
            assert!(output.status.success(), "{errors}");
            assert!(!errors.contains("CONSOLE"), "{errors}");
            page = String::from_utf8_lossy(&output.stdout).into_owned();
            if page.contains(">ended: ") && page.contains(">Step ") {
                break;
            }
        }
        page
    };
    let page = spawn_blocking(looks).await.unwrap();
    assert!(page.contains(">ended: goal reached<"), "{page}");
    assert!(page.contains(">Step ") && page.contains(" · open<"), "{page}");
    assert!(page.contains("&lt;script&gt;alert('x')&lt;/script&gt;"), "{page}");
    assert!(!page.contains("<script>"), "{page}");
    assert!(page.matches("class=\"row").count() < 40, "each step has a row of its own");
    let log = fs::read_to_string(log).unwrap();
    let urls = log.split("\"url\":\"").skip(1).map(|rest| rest.split('"').next().unwrap());
    let own = format!("http://{}/", site.address);
    // The browser asks for its own services, in spite of the flags.
    let services = ["google.com/", "googleapis.com/"];
    let is_foreign = |it: &&str| it.starts_with("http") && !it.starts_with(&own);
    let foreign: Vec<&str> =
        urls.filter(is_foreign).filter(|it| !services.iter().any(|one| it.contains(one))).collect();
    assert!(foreign.is_empty(), "{foreign:?}");
}
