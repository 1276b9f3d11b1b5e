//! `ltl`: judges words, lists allowed actions, and draws automata.

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::Stdio;

use crate::sandbox::{Ran, Sandbox};

fn ltl(sandbox: &Sandbox, arguments: &[&str]) -> Ran {
    Ran::from(sandbox.command(["ltl"].iter().chain(arguments)).output().unwrap())
}

fn judge_lines(arguments: &[&str], input: impl Into<Vec<u8>>) -> Ran {
    let sandbox = Sandbox::new();
    Ran::from(sandbox.command(["ltl", "judge"].iter().chain(arguments)).write_stdin(input).output().unwrap())
}

#[test]
fn one_word() {
    let sandbox = Sandbox::new();
    let shown: Vec<String> = [
        &["judge", "G(a -> F b)", "a;;b,a;b"][..],
        &["judge", "G i a F b", "a;"],
        &["judge", "!agent_at(bathroom) W agent_at(livingroom)", ";agent_at(bathroom);agent_at( livingroom )"],
        &["judge", "X[!] true", ""],
        &["judge", "G a", "[]"],
        &["judge", "--json", "F a", "[]"],
        &["judge", "--json", "F a", "b;a"],
    ]
    .into_iter()
    .map(|arguments| format!("$ ltlcrit ltl {arguments:?}\n{}\n", ltl(&sandbox, arguments).code(0).shown()))
    .collect();
    insta::assert_snapshot!(shown.concat());
}

#[test]
fn formulas_are_compared() {
    let sandbox = Sandbox::new();
    for (first, second, code, shown) in [
        ("!a W b", "b R (!a | b)", 0, "equivalent\n"),
        ("G i a F b", "G(a -> F b)", 0, "equivalent\n"),
        ("X[!] a", "X[!] a & X !b", 5, "not equivalent: `;a,b` satisfies X[!] a and not X[!] a & X !b\n"),
        ("G F a", "G a", 5, "not equivalent: `;a` satisfies G F a and not G a\n"),
        ("F a", "true", 5, "not equivalent: `[]` satisfies true and not F a\n"),
    ] {
        assert_eq!(ltl(&sandbox, &["equivalent", first, second]).code(code).stdout, shown, "{first} and {second}");
    }
    let json = ltl(&sandbox, &["equivalent", "--json", "a", "a & b"]).code(5).stdout;
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!((&json["equivalent"], &json["word"], &json["satisfies"]), (&false.into(), &"a".into(), &"first".into()));
    let wrong = ltl(&sandbox, &["equivalent", "a", "b &"]).code(4).stderr;
    assert!(wrong.contains("SECOND:1"), "{wrong}");
}

#[test]
fn wrong_formulas_and_words_say_where() {
    let sandbox = Sandbox::new();
    let shown: Vec<String> = [
        &["judge", "G(a -> F b", "a"][..],
        &["judge", "G(a and b)", "a"],
        &["judge", "--json", "a == b", "a"],
        &["judge", "a", "a;b,,c"],
        &["judge", "a", "!a"],
        &["judge", "X f", "a;f"],
        &["export", "W ! a"],
    ]
    .into_iter()
    .map(|arguments| format!("$ ltlcrit ltl {arguments:?}\n{}\n", ltl(&sandbox, arguments).code(4).shown()))
    .collect();
    insta::assert_snapshot!(shown.concat());
    ltl(&sandbox, &["judge", "a"]).code(2);
}

#[test]
fn bad_lines_are_reported_and_the_others_judged() {
    let input =
        b"# formula and word\nG(a -> F b)\ta;;b\nG(a -> F b)\ta\r\n\nfoo bar\ta\nno tab\nF a\tx;!a\nF a\tb;\xff\n\
                  X[!] a\t;a\na\tb\tc\nF a\t\nG a\t[]\n";
    insta::assert_snapshot!(judge_lines(&[], *input).code(4).shown());
    let json = judge_lines(&["--json"], *input).code(4);
    let lines: Vec<serde_json::Value> = json.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let numbers: Vec<u64> = lines.iter().map(|line| line["line"].as_u64().unwrap()).collect();
    assert_eq!(numbers, [2, 3, 9, 11, 12]);
    assert_eq!(lines[0]["accepted"], true);
    assert_eq!(lines[1]["prefixes"][0]["verdict"], "pending");
    let errors: Vec<serde_json::Value> = json.stderr.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(errors.len(), 6);
    assert_eq!(errors[0]["error"]["place"], "standard input:5:5");
    assert_eq!(errors[5]["error"]["message"], "5 of 10 lines could not be judged");
}

#[test]
fn a_line_that_is_too_long_does_not_stop_the_rest() {
    let mut input = b"F a\tb".to_vec();
    input.resize(17 * 1024 * 1024, b';');
    input.extend_from_slice(b"\nF a\ta\n");
    let ran = judge_lines(&[], input).code(4);
    assert_eq!(ran.stdout, "2\taccepted\tsatisfied\n");
    assert!(ran.stderr.contains("too long"), "{}", ran.stderr);
}

/// Each line is answered before the next one is written.
#[test]
fn lines_stream() {
    let sandbox = Sandbox::new();
    let mut child = sandbox.std_command(["ltl", "judge"]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    let mut output = BufReader::new(child.stdout.take().unwrap());
    for (line, answer) in [("F a\tb\n", "1\trejected\tpending\n"), ("F a\tb;a\n", "2\taccepted\tpending satisfied\n")] {
        input.write_all(line.as_bytes()).unwrap();
        input.flush().unwrap();
        let mut read = String::new();
        output.read_line(&mut read).unwrap();
        assert_eq!(read, answer);
    }
    drop(input);
    assert!(child.wait().unwrap().success());
}

/// The bench agrees with other evaluators on every word of the verifier's fixtures.
#[test]
fn the_bench_agrees_with_the_verdict_vectors() {
    let table = include_str!("../../../verifier/tests/fixtures/verdicts.tsv");
    let rows: Vec<Vec<&str>> =
        table.lines().filter(|line| !line.starts_with('#')).map(|line| line.split('\t').collect()).collect();
    assert!(rows.len() > 100);
    for column in [1, 2] {
        let input: String = rows.iter().map(|row| format!("{}\t{}\n", row[column], row[3])).collect();
        let ran = judge_lines(&[], input);
        let mut judged = 0;
        for line in ran.stdout.lines() {
            let columns: Vec<&str> = line.split('\t').collect();
            let row = &rows[columns[0].parse::<usize>().unwrap() - 1];
            assert_eq!(columns[1] == "accepted", row[5] == "1", "{row:?}");
            judged += 1;
        }
        assert_eq!((judged, ran.code), (rows.len(), 0), "{}", ran.stderr);
    }
}

#[test]
fn what_is_allowed_after_a_word() {
    let sandbox = Sandbox::new();
    sandbox.write("laws.ltl", "# Close what you open.\nG(open -> F close)  # response\n\nG !close\n!look W dark\n");
    sandbox.write("soft.toml", BOOK);
    let mut shown = String::new();
    for arguments in [
        &["allowed", "--laws", "laws.ltl", "--actions", "open,close,look", ""][..],
        &["allowed", "--laws", "laws.ltl", "--actions", "open,close,look", "dark;look"],
        &["allowed", "--laws", "laws.ltl", "--actions", "open,close,look", ";open"],
        &["allowed", "--laws", "laws.ltl", "--actions", "open,close,look", "--json", "dark"],
        &["allowed", "--laws", "soft.toml", "obs_p;obs_p,obs_q,action_a"],
        &["allowed", "--laws", "soft.toml", "obs_q;action_b"],
        &["allowed", "--laws", "soft.toml", "obs_p"],
    ] {
        shown.push_str(&format!("$ ltlcrit ltl {arguments:?}\n{}\n", ltl(&sandbox, arguments).code(0).shown()));
    }
    insta::assert_snapshot!(shown);
}

/// Ten goals in nine letters: the shield allows no undecided action and suspends no law.
#[test]
fn what_is_not_decided_is_not_allowed() {
    let sandbox = Sandbox::new();
    let goals: String = (0..10).map(|number| format!("F a{number}\n")).collect();
    sandbox.write("goals.ltl", &format!("{goals}{}false\n", "X ".repeat(10)));
    let actions: Vec<String> = (0..10).map(|number| format!("a{number}")).collect();
    let arguments = ["allowed", "--laws", "goals.ltl", "--actions", &actions.join(","), ""];
    let shown = ltl(&sandbox, &arguments).code(0).shown();
    // The names of these laws depend on the search.
    let (head, tail) = shown.split_once("gave up on line ").unwrap();
    insta::assert_snapshot!(format!("{head}gave up on lines ...\n{}", tail.split_once('\n').unwrap().1));
    let json = ltl(&sandbox, &[&arguments[..], &["--json"]].concat()).code(0);
    let json: serde_json::Value = serde_json::from_str(&json.stdout).unwrap();
    assert_eq!(json["in_force"], "undecided");
    assert_eq!(json["unknown"].as_array().unwrap().len(), 10);
    assert!(json["allowed"].as_array().unwrap().is_empty() && !json["undecided"].as_array().unwrap().is_empty());
}

#[test]
fn wrong_laws_and_words_are_refused() {
    let sandbox = Sandbox::new();
    sandbox.write("laws.ltl", "G(open -> F close)\n");
    sandbox.write("wrong.ltl", "G(a -> \na b # two\n\nG(a -> X !action_opne)\n");
    sandbox.write("wrong.toml", "name = 3\n");
    let mut shown = String::new();
    for (arguments, code) in [
        (&["allowed", "--laws", "laws.ltl", "--actions", "open,close", "open,close"][..], 4),
        (&["allowed", "--laws", "laws.ltl", "--actions", "open,close", ";dark"], 4),
        (&["allowed", "--laws", "laws.ltl", "--actions", "open,close", "[]"], 4),
        (&["allowed", "--laws", "laws.ltl", "--actions", "open,close", ";action_stop"], 4),
        (&["allowed", "--laws", "laws.ltl", "--actions", "open,close", ";action_stop;open"], 4),
        (&["allowed", "--laws", "saycan-hard", "obs_has_2x_plank"], 4),
        (&["allowed", "--laws", "laws.ltl", "--actions", "open,,close", ""], 4),
        (&["allowed", "--laws", "laws.ltl", ""], 2),
        (&["allowed", "--laws", "missing.ltl", "--actions", "open", ""], 4),
        (&["allowed", "--laws", "wrong.ltl", "--actions", "action_open,action_wait", ""], 4),
        (&["allowed", "--laws", "saycan-hard", "obs_has_lgo"], 4),
        (&["allowed", "--laws", "saycan-hard", "--actions", "action_mine_log", ""], 2),
    ] {
        shown.push_str(&format!("$ ltlcrit ltl {arguments:?}\n{}\n", ltl(&sandbox, arguments).code(code).shown()));
    }
    insta::assert_snapshot!(shown);
    let error = ltl(&sandbox, &["allowed", "--laws", "wrong.toml", "--json", ""]).code(4).json_error();
    assert_eq!(error["place"], "wrong.toml");
}

#[test]
fn automata() {
    let sandbox = Sandbox::new();
    let mut shown = String::new();
    for arguments in [
        &["export", "a U b"][..],
        &["export", "a U b", "--format", "hoa"],
        &["export", "a", "--format", "hoa", "--json"],
    ] {
        shown.push_str(&format!("$ ltlcrit ltl {arguments:?}\n{}\n", ltl(&sandbox, arguments).code(0).shown()));
    }
    insta::assert_snapshot!(shown);
    let large = ltl(&sandbox, &["export", "F(a & X X X X b)", "--max-states", "5"]).code(4);
    assert!(large.stderr.contains("more than 5 states"), "{}", large.stderr);
}

const BOOK: &str = r#"
name = "letters"
description = "Two soft laws in conflict, one hard law."
revision = 1

[vocabulary]
name = "letters"

[vocabulary.observations]
obs_p = "p"
obs_q = "q"

[vocabulary.actions]
action_a = "a"
action_b = "b"

[[law]]
id = "p-a"
formula = "G(obs_p -> X action_a)"
strength = "soft"
explanation = "With p, do a."
status = "adopted"
provenance = { origin = "hand" }

[[law]]
id = "q-b"
formula = "G(obs_q -> X action_b)"
strength = "soft"
explanation = "With q, do b."
status = "adopted"
provenance = { origin = "hand" }

[[law]]
id = "b-a"
formula = "G(action_b -> F action_a)"
strength = "hard"
explanation = "After b, do a some time."
status = "adopted"
provenance = { origin = "hand" }
"#;
