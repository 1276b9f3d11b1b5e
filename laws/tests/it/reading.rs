//! Reading books: every problem at once, each with its place; arbitrary text never panics.

use std::sync::Arc;

use ltlcrit_laws::{Book, BookErrors, Code, Reading, Status, Strength, shipped, shipped_names};
use ltlcrit_verifier::{Proposition, Vocabulary};
use proptest::prelude::*;

fn errors(text: &str) -> BookErrors {
    Book::parse(text, "book.toml").unwrap_err()
}

fn law(fields: &str) -> String {
    format!(
        "name = \"b\"\nrevision = 1\nvocabulary = \"minecraft\"\n\n[[law]]\nid = \"x\"\nformula = \"G a\"\nstrength = \"hard\"\nexplanation = \"e\"\nstatus = \"adopted\"\nprovenance = {{ origin = \"hand\" }}\n{fields}"
    )
}

#[test]
fn every_problem_of_a_book_is_reported_at_once() {
    let text = r#"nmae = "typo"
revision = "first"
vocabulary = "minecraft"

[[law]]
id = "has spaces"
formula = "G(obs_has_log -> X !action_mine_log"
strength = "hrad"
explanation = ""
status = "retired"
provenance = { origin = "oracle", evidence = [{ run = 1 }, 5] }
colour = "red"

[[law]]
id = "twice"
formula = "G(a -> & b)"
strength = "soft"
explanation = "e"
status = "adopted"
provenance = { origin = "hand" }

[[law]]
id = "twice"
formula = 7
status = "adopted"
reason = "none"
"#;
    insta::assert_snapshot!(errors(text));
}

#[test]
fn text_that_is_not_toml_is_reported_with_what_can_still_be_read() {
    let text = r#"name = "damaged"
revision = = 1
vocabulary = "minecraft
[[law]]
id = "x"
formula = "G(("
"#;
    insta::assert_snapshot!(errors(text));
}

#[test]
fn a_wrong_vocabulary_is_reported_where_it_is_wrong() {
    let text = r#"name = "v"
revision = 1
[vocabulary]
name = "v"
observations = { p = "fine", "q r" = "a blank", s = 3 }
actions = { a = "fine" }
axioms = ["p -> (", "X p", "a -> p", "z", 1]
"#;
    insta::assert_snapshot!(errors(text));
    let fixed = text.replace(", \"q r\" = \"a blank\", s = 3", "").replace("\"p -> (\", ", "").replace(", 1]", "]");
    insta::assert_snapshot!(errors(&fixed));
    let twice = fixed.replace("\"X p\", \"a -> p\", \"z\"", "").replace("a = \"fine\"", "p = \"\"");
    assert!(errors(&twice).to_string().contains("lists `p` twice"), "{}", errors(&twice));
}

#[test]
fn an_axiom_may_have_a_reason() {
    let text = |axioms: &str| {
        format!(
            "name = \"b\"\nrevision = 1\n[vocabulary]\nname = \"v\"\nobservations = {{ p = \"\", q = \"\" }}\n\
             actions = {{ a = \"\" }}\naxioms = [{axioms}]\n"
        )
    };
    let read = |axioms: &str| Reading::parse(&text(axioms), "book.toml", &[]).vocabulary.unwrap();
    let told = read(r#""p -> q", { formula = "q -> p", reason = " They come together. " }"#);
    let quoted: Vec<String> = told.axioms().iter().map(|axiom| axiom.quoted()).collect();
    assert_eq!(quoted, ["`p -> q`", "`q -> p` (They come together)"]);
    assert_eq!(told.axioms(), read(r#"{ formula = "p -> q" }, "q -> p""#).axioms());
    insta::assert_snapshot!(errors(&text(
        r#"{ formula = "p -> (" }, { reason = "why" }, { formula = "X p", because = "why" }, { formula = 1, reason = 2 }"#
    )));
}

#[test]
fn places_in_formulas_are_exact_in_every_kind_of_string() {
    for (formula, line, column) in [
        ("\"G(a -> & b)\"", 7, 19),
        ("'G(a -> & b)'", 7, 19),
        ("\"\"\"\nG(a ->\n & b)\n\"\"\"", 9, 2),
        // With an escape, the place is the whole string.
        ("\"G(a -> \\u0026 b)\"", 7, 11),
    ] {
        let text = law("").replace("\"G a\"", formula);
        let errors = errors(&text);
        let place = errors.diagnostics[0].place.clone().unwrap();
        assert_eq!((errors.diagnostics.len(), place.line, place.column), (1, line, column), "{formula}\n{errors}");
        assert_eq!(errors.diagnostics[0].code, Code::Syntax);
    }
}

#[test]
fn names_outside_the_vocabulary_get_a_suggestion() {
    let known = |name: &str| {
        let observations = vec![Proposition::new("obs_has_wood_pickaxe", "")];
        let actions = vec![Proposition::new("action_mine_log", "")];
        Arc::new(Vocabulary::new(name, observations, actions, vec![]).unwrap())
    };
    let text = law("").replace("G a", "G(obs_has_wooden_pickaxe -> X !action_mine_logs)");
    let book = Book::parse(&text, "book.toml").unwrap();
    insta::assert_snapshot!(book.over(&known("minecraft")).unwrap_err());
    let reading = Reading::parse(&text, "book.toml", &[known("minecraft")]);
    assert_eq!(reading.diagnostics.len(), 2);
    assert!(reading.diagnostics.iter().all(|problem| problem.code == Code::UnknownProposition));
    let unknown = Reading::parse(&text, "book.toml", &[known("minecart")]).into_book().unwrap_err();
    insta::assert_snapshot!(unknown);
}

#[test]
fn a_law_keeps_everything_the_book_says_of_it() {
    let text = law("").replace(
        "provenance = { origin = \"hand\" }",
        "note = \"n\"\n[law.provenance]\norigin = \"translation\"\nsentence = \"never\"\nmodel = \"m\"\nevidence = [{ run = 3, step = 12 }]",
    );
    let book = Book::parse(&text, "b").unwrap();
    let entry = book.entry("x").unwrap();
    assert_eq!((entry.strength, &entry.status, entry.note.as_deref()), (Strength::Hard, &Status::Adopted, Some("n")));
    assert_eq!(entry.provenance.sentence.as_deref(), Some("never"));
    assert_eq!(entry.provenance.evidence[0].to_string(), "run 3 step 12");
    assert_eq!((entry.place.line, entry.formula_place.line, entry.formula_place.column), (5, 7, 12));
    assert_eq!(book.laws_in_force().len(), 1);
}

#[test]
fn files_that_are_no_text_say_so() {
    let directory = tempfile::tempdir().unwrap();
    let missing = Book::load(directory.path().join("none.toml")).unwrap_err().to_string();
    assert!(missing.contains("none.toml: there is no such file"), "{missing}");
    let binary = directory.path().join("binary.toml");
    std::fs::write(&binary, b"name = \"x\"\n\xff\xfe").unwrap();
    let message = Book::load(&binary).unwrap_err().to_string();
    assert!(message.contains("is not UTF-8 text: byte 11, on line 2"), "{message}");
    assert!(Book::load(directory.path()).unwrap_err().to_string().contains("it is a directory"));
}

#[test]
fn the_shipped_books_are_whole() {
    let sizes: Vec<(&str, usize)> =
        shipped_names().map(|name| (name, shipped(name).map_or(0, |book| book.entries().len()))).collect();
    for (name, laws) in [("saycan-hard", 19), ("saycan-soft", 15), ("inner-monologue", 20), ("small-model", 36)] {
        assert!(sizes.contains(&(name, laws)), "{sizes:?}");
    }
    for name in shipped_names() {
        let book = shipped(name).unwrap();
        assert_eq!(book.name(), name);
        assert!(book.entries().iter().all(|law| law.in_force()));
    }
    assert!(shipped("no-such-book").is_none());
}

/// Generates pieces of books, to reach deep into the reader.
fn piece() -> impl Strategy<Value = String> {
    prop_oneof![
        Just("[[law]]\n".to_owned()),
        Just("[vocabulary]\n".to_owned()),
        Just("[law.provenance]\n".to_owned()),
        ("(name|id|formula|strength|explanation|status|reason|note|provenance|revision|vocabulary|law|observations|actions|axioms|origin|evidence)",
         "( = |=|\\.)",
         prop_oneof![
             "\"[^\"\\\\\n]{0,12}\"".boxed(),
             Just("\"G(p -> X !a)\"".to_owned()).boxed(),
             Just("\"hard\"".to_owned()).boxed(),
             Just("\"retired\"".to_owned()).boxed(),
             Just("{ origin = \"hand\", p = \"m\" }".to_owned()).boxed(),
             Just("[{ run = 1, step = 2 }, \"p\", 3]".to_owned()).boxed(),
             Just("'''\nG(é -> (\n'''".to_owned()).boxed(),
             Just("\"\\u00e9 \\\" G(\"".to_owned()).boxed(),
             "-?[0-9]{1,22}".boxed(),
             "\\PC{0,8}".boxed(),
         ])
            .prop_map(|(key, is, value)| format!("{key}{is}{value}\n")),
        "\\PC{0,10}\n",
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 3_000, ..ProptestConfig::default() })]

    #[test]
    fn arbitrary_text_never_panics(text in "(?s).{0,200}") {
        if let Err(errors) = Book::parse(&text, "fuzz") {
            prop_assert!(!errors.diagnostics.is_empty() && !errors.to_string().is_empty());
        }
    }

    #[test]
    fn what_looks_like_a_book_never_panics(pieces in prop::collection::vec(piece(), 0..14)) {
        let text = pieces.concat();
        match Book::parse(&text, "fuzz") {
            Err(errors) => prop_assert!(!errors.diagnostics.is_empty() && !errors.to_string().is_empty()),
            Ok(book) => prop_assert_eq!(book.text(), text),
        }
    }

    #[test]
    fn a_damaged_shipped_book_never_panics(which in 0..5usize, at in any::<prop::sample::Index>(), with in "\\PC{0,3}|\n|\"|\\[") {
        let name = shipped_names().nth(which).unwrap();
        let mut text = shipped(name).unwrap().text().to_owned();
        let place = text.floor_char_boundary(at.index(text.len()));
        let end = text.ceil_char_boundary((place + 2).min(text.len()));
        text.replace_range(place..end, &with);
        if let Err(errors) = Book::parse(&text, "fuzz") {
            for problem in &errors.diagnostics {
                let place = problem.place.clone().unwrap();
                prop_assert!(place.line >= 1 && place.span.end <= text.len());
            }
            let _ = errors.to_string();
        }
    }
}
