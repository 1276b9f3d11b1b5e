//! Any sentence is refused or becomes a law that some run satisfies and some run violates, within the bounds.

#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use ltlcrit_translate::sound::check;
use ltlcrit_translate::{English, Lexical, Lexicon, Object, Refusal, Term};

static LEXICON: LazyLock<Lexicon> = LazyLock::new(|| {
    let term = |(name, meaning, is_action): (&str, &str, bool)| Term {
        name: name.into(),
        meaning: meaning.into(),
        is_action,
        phrases: Vec::new(),
    };
    let object = |(name, kinds): (&str, &[&str])| Object {
        name: name.into(),
        nouns: vec![name.into()],
        kinds: kinds.iter().map(|kind| (*kind).into()).collect(),
        predicates: Vec::new(),
    };
    let terms = [
        ("at(kitchen)", "the robot is in the kitchen", false),
        ("at(study)", "the robot is in the study", false),
        ("open(fridge)", "the fridge is open", false),
        ("on(cup, table)", "the cup is on the table", false),
        ("has_3x_plank", "you carry at least 3 planks", false),
        ("mine_log", "mine one log", true),
        ("craft_furnace", "craft a furnace", true),
    ];
    let objects: [(&str, &[&str]); 5] =
        [("kitchen", &["room"]), ("study", &["room"]), ("fridge", &["container"]), ("cup", &[]), ("table", &[])];
    Lexicon::new("fuzz", terms.map(term).into(), objects.map(object).into(), Vec::new())
});

fuzz_target!(|sentence: &str| {
    let engine = Lexical::new(&LEXICON);
    match engine.translate(sentence) {
        Ok(translation) => {
            let formula = translation.formula();
            assert_eq!(check(&formula, &LEXICON), Ok(()));
            assert!(!English::new(&engine).read(&formula).is_empty());
        }
        Err(Refusal::Ambiguous { choices, .. }) => assert!(choices.len() > 1),
        Err(refusal) => assert!(!refusal.to_string().is_empty()),
    }
});
