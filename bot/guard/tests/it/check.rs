//! `guard check`: what it proves, and what it says of a broken book.

use std::process::{Command, Output};

use ltlcrit_guard::Book;

pub const CALLS: &str = r#"
[[call]]
tool = ["Write", "fs/write_*"]
action = "write(?file)"
file = "path(input.file_path)"

[[call]]
tool = "Read"
action = "read(?file)"
file = "path(input.file_path)"

[[call]]
shell = ["cargo test", "pytest"]
action = "test"
after = { green = "exit_code == 0" }

[[call]]
shell = "git push"
action = "push"

[[call]]
tool = "*"
action = "other"
"#;

/// Runs `guard check` on a book.
fn check(text: &str) -> (String, Output) {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("guard.toml"), text).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_ltlcrit-guard"));
    let output = command.arg("check").current_dir(&folder).output().unwrap();
    (String::from_utf8(output.stdout.clone()).unwrap(), output)
}

fn laws(laws: &str) -> String {
    format!("{CALLS}{laws}")
}

#[test]
fn each_form_is_shown_with_its_formula_and_its_shortest_forbidden_run() {
    let rules = [
        ("never push", "G !push", "push"),
        ("push needs test & green", "!push W (test & green)", "push"),
        ("push needs test since write", "!push W test & G(write -> X(!push W test))", "push"),
        ("write(?f) needs read(?f)", "!write(?f) W read(?f)", "write(?f)"),
        ("write then test before stop", "G(write -> F test)", "write, stop"),
        ("write then test within 1 calls", "G(write -> test | X test)", "write, other"),
        ("test within 2 calls", "test | X(test | X test)", "other, other"),
        ("at most 2 push", "at_most(2, push)", "push, push, push"),
        ("after \"read(*.env)\" never push", "G(\"read(*.env)\" -> X G !push)", "read(a new object like *.env), push"),
    ];
    let text: String = rules
        .iter()
        .enumerate()
        .map(|(at, (rule, ..))| format!("[[law]]\nid = \"l{at}\"\nrule = '{rule}'\n"))
        .collect();
    let (shown, _) = check(&laws(&text));
    for (at, (rule, formula, run)) in rules.iter().enumerate() {
        let wanted = format!("l{at} (block, hard): {rule}\n  formula    {formula}\n  forbidden  {run}\n");
        assert!(shown.contains(&wanted), "{wanted}\nin\n{shown}");
    }
}

#[test]
fn laws_that_fit_together_are_proved_to_and_others_are_not() {
    let good = "[[law]]\nid = \"a\"\nrule = \"write(?f) then read(?f) before stop\"\n[[law]]\nid = \"b\"\nrule = \"push needs test since write\"\n";
    let (shown, output) =
        check(&format!("examples = [\"allow: Write {{\\\"file_path\\\": \\\"x\\\"}}\"]\n{}", laws(good)));
    assert!(output.status.success(), "{shown}");
    assert!(shown.contains("laws: proved that every state of every session leaves a call, with 1 object"), "{shown}");
    // A duty that another law forbids makes what brings it on impossible: neither law says so alone.
    let joint = "[[law]]\nid = \"tested\"\nrule = \"write then test before stop\"\n[[law]]\nid = \"no-tests\"\nrule = \"never test\"\n";
    let (shown, _) = check(&laws(joint));
    assert!(shown.contains("no session may call write, by these laws together: tested, no-tests"), "{shown}");
    let never = "[[law]]\nid = \"must\"\nformula = \"F push\"\n[[law]]\nid = \"must-not\"\nrule = \"never push\"\n";
    let (shown, output) = check(&laws(never));
    assert_eq!(output.status.code(), Some(5));
    assert!(shown.contains("no session keeps these laws together: must, must-not"), "{shown}");
}

#[test]
fn examples_are_checked() {
    let book = format!(
        "examples = [\n\"deny: git push\",\n\"allow: git push\",\n\"deny: ls && cargo test && git push\",\n\"allow: cargo test => git push\"]\n{}",
        laws("[[law]]\nid = \"green\"\nrule = \"push needs test & green\"\nexplanation = \"Test first.\"\n")
    );
    let (shown, output) = check(&book);
    assert_eq!(output.status.code(), Some(5));
    assert!(shown.contains("examples: 2 of 4 hold"), "{shown}");
    assert!(shown.contains("guard.toml:3:1\n"), "{shown}");
    assert!(shown.contains("the answer is `deny`: push is forbidden by the law green: Test first."), "{shown}");
    assert!(shown.contains("guard.toml:4:1\n"), "{shown}");
    assert!(shown.contains("the answer is `allow`: no law forbids it"), "{shown}");
}

#[test]
fn every_error_has_a_place_and_says_what_would_be_right() {
    let broken = r#"
shell = "x"
examples = ["no: git push"]

[[call]]
tool = "Write"
action = "write(?file)"
file = "path(inptu.file_path)"

[[call]]
action = "push"

[[call]]
shell = "git push"
action = "push"
after = { pushed = "exit_code =" }

[[law]]
id = "one"
rule = "psh needs write"

[[law]]
id = "one two"
rule = "write(?a) needs write(?b)"
otherwise = "deny"

[[law]]
id = "three"
rule = "push"

[[law]]
id = "four"
formula = "G(push -> X"

[[law]]
id = "five"
formula = "F write(?x)"
"#;
    let errors = Book::parse("guard.toml", broken).unwrap_err();
    let found: Vec<(usize, usize, String)> = errors
        .diagnostics
        .iter()
        .map(|one| {
            let place = one.place.as_ref().unwrap();
            (place.line, place.column, format!("{}; {}", one.message, one.help.as_deref().unwrap()))
        })
        .collect();
    for (line, column, text) in [
        (2, 1, "a book has no key `shell`; did you mean `shells`?"),
        (3, 13, "an example cannot expect `no`; begin it with `deny:`, `ask:` or `allow:`"),
        (8, 14, "`inptu` is not known; did you mean `input`?"),
        (10, 1, "the call names neither a tool nor a command; add tool"),
        (16, 31, "an operator is missing before this; write `and`"),
        (20, 9, "`psh` is not a call or a fact; did you mean `push`?"),
        (23, 6, "the id has other characters than letters"),
        (24, 25, "the law has a second parameter, `?b`; a law has one parameter; write `_` for any object"),
        (25, 13, "`otherwise` cannot be `deny`; write \"block\", \"ask\", \"stop\", \"warn\""),
        (29, 9, "this is not a form of a law; write `never A`"),
        (33, 22, "a formula is missing after `X`"),
        (37, 11, "the law asks something of objects to which nothing happened; begin with a call"),
    ] {
        let is = |one: &&(usize, usize, String)| one.0 == line && one.1 == column && one.2.starts_with(text);
        assert!(found.iter().find(is).is_some(), "{line}:{column} {text}\nin\n{found:#?}");
    }
    let (_, output) = check(broken);
    assert_eq!(output.status.code(), Some(4));
    assert!(String::from_utf8(output.stderr).unwrap().contains("--> guard.toml:8:14"));
}
