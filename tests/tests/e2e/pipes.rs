//! Pipes, devices, links and endless files in place of files: no command waits for them, reads them whole, or writes
//! through them.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use crate::sandbox::{BINARY, Ran, Sandbox};

/// The time limit of a command that rejects a file.
const AT_ONCE: Duration = Duration::from_secs(60);
/// The address space of a command that rejects a file, in KiB. Reading an endless file would exhaust it.
const MEMORY: u32 = 1_500_000;

fn pipe(path: &Path) {
    assert!(Command::new("mkfifo").arg(path).status().unwrap().success());
}

fn copy(from: &Path, to: &Path) {
    let _ = fs::remove_dir_all(to);
    assert!(Command::new("cp").arg("-r").args([from, to]).status().unwrap().success());
}

/// Runs a command that must fail soon, in little memory.
#[track_caller]
fn refused(sandbox: &Sandbox, line: &str) -> Ran {
    let limited = format!("ulimit -v {MEMORY}; exec \"$@\"");
    let mut command = sandbox.std_command_of("sh");
    command.args(["-c", &limited, "sh", BINARY]).args(line.split_whitespace());
    let ran = Ran::from(assert_cmd::Command::from_std(command).timeout(AT_ONCE).output().unwrap());
    assert!(matches!(ran.code, 1..=8), "{line}: {}", ran.shown());
    assert!(["it is ", "too long"].iter().any(|why| ran.stderr.contains(why)), "{line}: {}", ran.shown());
    ran
}

#[test]
fn a_pipe_is_refused_at_once_wherever_a_file_is_named() {
    let sandbox = Sandbox::new();
    pipe(&sandbox.path().join("pipe.toml"));
    for line in [
        "laws check pipe.toml",
        "laws translate --from pipe.toml",
        "run --laws pipe.toml",
        "run --config pipe.toml",
        "run --model cassette:pipe.toml",
        "run --record pipe.toml",
        "run --record pipe.toml --overwrite",
        "learn --book pipe.toml",
        "batch pipe.toml",
        "world serve --port 0 --save pipe.toml",
    ] {
        let ran = refused(&sandbox, line);
        assert!(ran.stderr.contains("pipe"), "{line}: {}", ran.shown());
    }
}

#[test]
fn a_foreign_batch_stops_no_command() {
    let sandbox = Sandbox::new();
    let plan = "name = \"p\"\nseeds = \"1\"\nmodels = [\"simulated:hasty\"]\nconfig.run.steps = 3\n\
        books = { l = { learn = { seeds = \"11-12\", iterations = 1 } } }\n";
    sandbox.write("p.toml", plan);
    sandbox.run("batch p.toml -o b --quiet").code(0);
    let (whole, foreign) = (sandbox.path().join("b"), sandbox.path().join("c"));
    for name in ["plan.toml", "results.jsonl", "failures.json", "learned/1/learning.json"] {
        let file = foreign.join(name);
        for kind in ["pipe", "device", "hole"] {
            copy(&whole, &foreign);
            let _ = fs::remove_file(&file);
            match kind {
                "pipe" => pipe(&file),
                "device" => symlink("/dev/zero", &file).unwrap(),
                _ => fs::File::create(&file).unwrap().set_len(1 << 40).unwrap(),
            }
            if name.starts_with("learned") {
                fs::write(foreign.join("results.jsonl"), "").unwrap();
            }
            for line in ["batch status c", "report c -o r.html", "batch p.toml -o c"] {
                // `status` alone does not need the book.
                if name != "learned/1/learning.json" || line != "batch status c" {
                    refused(&sandbox, line);
                }
            }
        }
    }
    // A result would be appended to the target of the link.
    copy(&whole, &foreign);
    let victim = sandbox.write("victim", "");
    fs::remove_file(foreign.join("results.jsonl")).unwrap();
    symlink(&victim, foreign.join("results.jsonl")).unwrap();
    refused(&sandbox, "batch p.toml -o c");
    assert_eq!(fs::read_to_string(victim).unwrap(), "");
}

#[test]
fn a_foreign_task_stops_no_command() {
    let sandbox = Sandbox::new();
    sandbox.write("plan", "(a)");
    for (folder, file) in [("k", "domain.pddl"), ("m", "metadata.json")] {
        fs::create_dir(sandbox.path().join(folder)).unwrap();
        pipe(&sandbox.path().join(folder).join(file));
        fs::create_dir(sandbox.path().join(format!("{folder}z"))).unwrap();
        symlink("/dev/zero", sandbox.path().join(format!("{folder}z")).join(file)).unwrap();
        for folder in [folder.to_owned(), format!("{folder}z")] {
            refused(&sandbox, &format!("exam validate {folder} plan"));
            refused(&sandbox, &format!("run --world pddl:{folder} --model planner:safe --store s"));
        }
    }
}

#[test]
fn nothing_is_written_through_a_link_or_over_an_input() {
    let sandbox = Sandbox::new();
    let victim = sandbox.write("victim", "precious");
    let link = |name: &str| symlink(&victim, sandbox.path().join(name)).unwrap();
    link("world.save.lock");
    refused(&sandbox, "world serve --port 0 --save world.save");
    sandbox.write("p.toml", "name = \"p\"\nseeds = \"1-2\"\nmodels = [\"simulated:hasty\"]\nconfig.run.steps = 3\n");
    sandbox.run("batch p.toml -o b --quiet").code(0);
    link("report.html");
    refused(&sandbox, "report b");
    refused(&sandbox, "run --steps 1 --record report.html --overwrite");
    assert_eq!(fs::read_to_string(&victim).unwrap(), "precious");

    let results = sandbox.path().join("b/results.jsonl");
    let before = fs::read(&results).unwrap();
    fs::hard_link(&results, sandbox.path().join("same")).unwrap();
    for output in ["b/results.jsonl", "b/../b/results.jsonl", "same", "b/plan.toml", "b/store/db", "b/store/new.html"] {
        let ran = sandbox.run(&format!("report b -o {output}")).code(2);
        assert!(ran.stderr.contains("cannot be written") && ran.stderr.contains("help: name"), "{}", ran.shown());
    }
    assert_eq!(fs::read(&results).unwrap(), before);
    sandbox.run("report b -o b/report.html").code(0);
    sandbox.run("run --steps 2 --store st --quiet");
    sandbox.run("store export --store st -o st/db").code(2);
    sandbox.run("runs list --store st").code(0);
}
