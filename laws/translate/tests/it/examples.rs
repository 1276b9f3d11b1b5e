//! Example runs show the meaning of a formula.

use ltlcrit_translate::{English, Examples, Lexical};
use ltlcrit_verifier::syntax;

use crate::sentences::lexicon;

/// Two of the Safety Chip's exemplars (appendix B), as printed and as their sentences mean.
#[test]
fn the_wrong_exemplars_are_plain() {
    let lexicon = lexicon("household:mobile-1");
    let engine = Lexical::new(&lexicon);
    let english = English::new(&engine);
    let mut out = String::new();
    for (sentence, printed) in [
        ("you can't go to the kitchen if you haven't picked up the cup", "!is_grabbed(cup) W agent_at(kitchen)"),
        (
            "you can grab the cup, but then you have to leave the bathroom at some point in the future",
            "G(is_grabbed(cup) -> F !agent_at(bathroom))",
        ),
        (
            "passing through the kitchen thrice will lock it for future visits",
            "!F(agent_at(kitchen) & (agent_at(kitchen) U (!agent_at(kitchen) & (!agent_at(kitchen) U F(agent_at(kitchen) & \
             (agent_at(kitchen) U (!agent_at(kitchen) & (!agent_at(kitchen) U F agent_at(kitchen)))))))))",
        ),
    ] {
        let own = engine.translate(sentence).map(|translation| translation.formula()).ok();
        for (who, formula) in [("printed", Some(syntax::parse(printed).unwrap())), ("translated", own)] {
            let Some(formula) = formula else { continue };
            out += &format!("{sentence}\n  {who}: {}\n  {}\n", formula, english.read(&formula));
            let examples = Examples::of(&formula, &lexicon);
            for (label, run) in
                [("allowed", examples.allowed_with_all.or(examples.allowed)), ("forbidden", examples.forbidden)]
            {
                out += &format!("  {label}: {}\n", run.unwrap().in_words(&english).join("; "));
            }
        }
    }
    insta::assert_snapshot!(out);
}
