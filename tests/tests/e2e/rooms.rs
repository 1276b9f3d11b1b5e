//! Checks that the table of crates in `docs/architecture.md` describes the workspace.

use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;

use serde_json::Value;

const PAGE: &str = include_str!("../../../docs/architecture.md");

/// The entry of a crate in the table.
struct Room<'a> {
    directory: &'a str,
    needs: Vec<&'a str>,
}

/// The table's rows, by crate.
fn table() -> BTreeMap<&'static str, Room<'static>> {
    let section = PAGE.split("## Crates").nth(1).unwrap().split("\n## ").next().unwrap();
    let cells = |row: &'static str| row.split('|').map(|cell| cell.trim()).collect::<Vec<_>>();
    let names = |cell: &'static str| cell.split('`').skip(1).step_by(2).collect::<Vec<_>>();
    let rows = section.lines().filter(|line| line.starts_with("| `")).map(cells);
    rows.map(|row| (names(row[2])[0], Room { directory: names(row[1])[0], needs: names(row[4]) })).collect()
}

/// Returns the packages of the workspace: directory, and dependencies other than for tests.
fn workspace() -> BTreeMap<String, (String, BTreeSet<String>)> {
    let arguments = ["metadata", "--no-deps", "--offline", "--format-version", "1"];
    let output = Command::new(env!("CARGO")).args(arguments).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let metadata: Value = serde_json::from_slice(&output.stdout).unwrap();
    let root = format!("{}/", metadata["workspace_root"].as_str().unwrap());
    let package = |package: &Value| {
        let manifest = package["manifest_path"].as_str().unwrap();
        let directory = manifest.strip_prefix(&root).unwrap().strip_suffix("/Cargo.toml").unwrap();
        let dependencies = package["dependencies"].as_array().unwrap().iter();
        let needed = dependencies.filter(|dependency| dependency["kind"] != "dev");
        let names = needed.map(|dependency| dependency["name"].as_str().unwrap().to_owned()).collect();
        (package["name"].as_str().unwrap().to_owned(), (directory.to_owned(), names))
    };
    metadata["packages"].as_array().unwrap().iter().map(package).collect()
}

#[test]
fn crates_stand_where_the_table_says_and_need_what_it_says() {
    let (table, workspace) = (table(), workspace());
    let by_directory: BTreeMap<_, _> = table.iter().map(|(name, room)| (room.directory, *name)).collect();
    let ours: BTreeSet<&str> =
        workspace.keys().map(String::as_str).filter(|name| name.starts_with("ltlcrit")).collect();
    let published: BTreeSet<&str> = ours.iter().copied().filter(|name| !name.ends_with("-test-support")).collect();
    assert_eq!(table.keys().copied().collect::<BTreeSet<_>>(), published);
    // Returns the dependencies of a crate, direct and indirect.
    fn closure<'a>(
        name: &'a str,
        workspace: &'a BTreeMap<String, (String, BTreeSet<String>)>,
        into: &mut BTreeSet<&'a str>,
    ) {
        for needed in workspace[name].1.iter().filter(|needed| needed.starts_with("ltlcrit")) {
            if into.insert(needed) {
                closure(needed, workspace, into);
            }
        }
    }
    for (name, room) in &table {
        assert_eq!(workspace[*name].0, room.directory);
        let direct: BTreeSet<&str> =
            workspace[*name].1.iter().map(String::as_str).filter(|needed| ours.contains(needed)).collect();
        if room.needs.is_empty() {
            // The first row has no dependencies; "all of the above" and the tests may have any.
            continue;
        }
        let mut said = BTreeSet::new();
        for directory in &room.needs {
            let needed = by_directory[directory];
            assert!(direct.contains(needed), "{name} does not need {needed}");
            said.insert(needed);
            closure(needed, &workspace, &mut said);
        }
        assert!(direct.is_subset(&said), "{name} needs {direct:?}, the table gives {said:?}");
    }
    assert!(workspace["ltlcrit-verifier"].1.iter().all(|needed| !needed.starts_with("ltlcrit")));
}

#[test]
fn only_the_rooms_that_are_named_need_azalea_and_http() {
    for (name, (_, needed)) in workspace() {
        let any = |names: &[&str]| needed.iter().any(|needed| names.contains(&needed.as_str()));
        let protocol = needed.iter().any(|needed| needed.starts_with("azalea-"));
        assert_eq!(any(&["azalea", "bevy_ecs"]), name == "ltlcrit-client", "{name}");
        // The client decrypts packets itself, because azalea's reader has no limit.
        assert_eq!(protocol, name == "ltlcrit-server" || name == "ltlcrit-client", "{name}");
        assert_eq!(any(&["reqwest", "async-openai", "hyper"]), name == "ltlcrit-model", "{name}");
    }
}
