//! Any text is refused or becomes a law.

use ltlcrit_translate::sound::check;
use ltlcrit_translate::{English, Lexical};
use proptest::prelude::*;

use crate::sentences::lexicon;

const WORDS: &str = "never always do not don't must may can only if when whenever once after before until unless without while \
    as soon long and or then , . ; at most least 2 3 times twice you it the a no any every room device kitchen study fridge radio \
    table lamp cup go to visit open close be is are has been on off in pick up put touch it must be so that false exactly means";

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn is_refused_or_becomes_a_law(
        words in prop::collection::vec(prop::sample::select(WORDS.split_whitespace().collect::<Vec<_>>()), 1..24),
        noise in "\\PC{0,40}",
    ) {
        let lexicon = lexicon("household:robot-1");
        let engine = Lexical::new(&lexicon);
        for sentence in [words.join(" "), noise] {
            if let Ok(translation) = engine.translate(&sentence) {
                prop_assert_eq!(check(&translation.formula(), &lexicon), Ok(()), "{}", sentence);
                prop_assert!(!English::new(&engine).read(&translation.formula()).is_empty());
            }
        }
    }
}

/// The longest sentences are refused or translated within the work budget.
#[test]
fn long_sentences_end() {
    let lexicon = lexicon("household:robot-1");
    let engine = Lexical::new(&lexicon);
    for words in ["if the door is on the", "visit the desk and then", "and", "before the cup"] {
        let sentence: String = std::iter::repeat_n(words, 120 / words.split(' ').count()).collect::<Vec<_>>().join(" ");
        assert!(engine.translate(&sentence).is_err());
    }
}
