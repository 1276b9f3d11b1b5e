//! Law books with errors: all are reported at once, with places, and no run begins.

use crate::sandbox::Sandbox;

const BAD: &str = r#"name = "bad"
vocabulary = "minecraft"
revision = 1

[[law]]
id = "unclosed"
formula = "G((obs_has_log -> X action_mine_log)"
strength = "hard"
explanation = "A parenthesis is missing."
status = "adopted"
provenance = { origin = "hand" }

[[law]]
id = "misspelt"
formula = "G(obs_has_log -> X !action_mine_lgo)"
strength = "hard"
explanation = "There is no such action."
status = "adopted"
provenance = { origin = "hand" }

[[law]]
id = "misspelt"
formula = "G(obs_has_log -> X !action_mine_coal)"
strength = "hrad"
explanation = "The id is taken, the strength is none."
status = "adopted"
provenance = { origin = "hand" }

[[law]]
id = "incomplete"
formula = "G(obs_has_log -> X !action_mine_coal)"
colour = "red"
"#;

/// Returns a book named `mine` of laws in force, given the id, strength and formula of each.
pub fn book(laws: &[(&str, &str, &str)]) -> String {
    let mut text = "name = \"mine\"\nvocabulary = \"minecraft\"\nrevision = 1\n".to_owned();
    for (id, strength, formula) in laws {
        text.push_str(&format!(
            "\n[[law]]\nid = \"{id}\"\nformula = \"{formula}\"\nstrength = \"{strength}\"\nexplanation = \"This is {id}.\"\n\
             status = \"adopted\"\nprovenance = {{ origin = \"hand\" }}\n"
        ));
    }
    text
}

#[test]
fn a_book_with_every_kind_of_error() {
    let sandbox = Sandbox::new();
    sandbox.write("bad.toml", BAD);
    let ran = sandbox.run("run --laws bad.toml").code(4);
    insta::assert_snapshot!(ran.shown());
    for words in ["bad.toml:7:", "bad.toml:15:", "`action_mine_log`", "hrad", "colour", "misspelt"] {
        assert!(ran.stderr.contains(words), "{words}: {}", ran.stderr);
    }
    assert!(!sandbox.path().join(".ltlcrit").exists(), "nothing is begun");
    assert_eq!(sandbox.run("run --laws bad.toml --json").code(4).json_error()["code"], "input");
    sandbox.run("doctor --laws bad.toml").code(5);
}

#[test]
fn books_that_are_not_there_or_are_no_books() {
    let sandbox = Sandbox::new();
    sandbox.write("notes.toml", "title = 3\n");
    std::fs::write(sandbox.path().join("bytes.toml"), [0xff, 0xfe, 0x00]).unwrap();
    for book in ["minecraft-hrad", "notes.toml", "bytes.toml", "."] {
        let ran = sandbox.run(&format!("run --laws {book}")).code(4);
        assert!(ran.stderr.contains(book), "{}", ran.stderr);
    }
}

#[test]
fn a_book_in_force_twice_is_refused() {
    let ran = Sandbox::new().run("run --laws saycan-hard --laws saycan-hard").code(4);
    assert!(ran.stderr.contains("in force twice"), "{}", ran.stderr);
}

#[test]
fn a_book_over_another_vocabulary_is_refused() {
    let ran = Sandbox::new().run("run --laws safety-chip-demo").code(4);
    assert!(ran.stderr.contains("vocabulary"), "{}", ran.stderr);
}
