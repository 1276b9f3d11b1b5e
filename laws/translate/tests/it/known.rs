//! Books whose English is known: the Safety Chip's demonstration, and the constraints of the household.

use ltlcrit_translate::sound::equivalent;
use ltlcrit_translate::{Lexical, Refusal};
use ltlcrit_verifier::syntax;

use crate::sentences::lexicon;

#[test]
fn the_safety_chips_demonstration_comes_out_of_its_sentences() {
    let book = ltlcrit_laws::shipped("safety-chip-demo").unwrap();
    let lexicon = lexicon("household:robot-1");
    let engine = Lexical::new(&lexicon);
    for entry in book.entries() {
        let sentence = entry.provenance.sentence.as_ref().unwrap();
        let translation = engine.translate(sentence).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(equivalent(&translation.formula(), &entry.formula, &lexicon), Some(true), "{sentence}");
    }
}

/// The failures are listed. Sentences come in everyday wording, exact ones in expert wording.
#[test]
fn the_constraints_of_the_household() {
    let mut out = String::new();
    let (mut right, mut all) = ([0; 2], 0);
    for task in ltlcrit_household::names().unwrap() {
        let constraints = ltlcrit_household::task(&task).unwrap().constraints;
        let lexicon = lexicon(&format!("household:{task}"));
        let engine = Lexical::new(&lexicon);
        for one in constraints {
            all += 1;
            let wanted = syntax::parse(&one.formula).unwrap();
            for (kind, sentence) in [&one.sentence, &one.exact].into_iter().enumerate() {
                let outcome = match engine.translate(sentence) {
                    Ok(translation) if equivalent(&translation.formula(), &wanted, &lexicon) == Some(true) => {
                        right[kind] += 1;
                        continue;
                    }
                    Ok(translation) => format!("{}, not {wanted}", translation.formula()),
                    Err(Refusal::Ambiguous { choices, .. }) => format!("asked: {} readings", choices.len()),
                    Err(_) => "refused".to_owned(),
                };
                out += &format!("{task}: {sentence}\n    {outcome}\n");
            }
        }
    }
    out += &format!(
        "of {all} constraints, {} come out of their sentences and {} out of their exact wording\n",
        right[0], right[1]
    );
    insta::assert_snapshot!(out);
}
