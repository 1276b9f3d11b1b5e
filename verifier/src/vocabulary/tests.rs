use super::*;

fn forest() -> Vocabulary {
    Vocabulary::builder("forest")
        .observations(["obs_log", "obs_two_logs"])
        .action("action_mine")
        .axiom("obs_two_logs -> obs_log".parse::<Formula>().unwrap())
        .build()
        .unwrap()
}

fn derived(name: &str, definition: &str) -> Proposition {
    Proposition::derived(name, definition.parse().unwrap(), None)
}

fn axioms(vocabulary: &Vocabulary) -> Vec<String> {
    vocabulary.axioms().iter().map(ToString::to_string).collect()
}

#[test]
fn derived_observations_follow_the_others_and_change_none_of_them() {
    let base = forest();
    let extended = base.extended([derived("five", "i[*_log] >= 5"), derived("four", "i[*_log] >= 4")]).unwrap();
    for one in base.observations() {
        assert_eq!(extended.id(&one.name), base.id(&one.name));
    }
    assert_eq!(extended.actions(), base.actions());
    assert_eq!(extended.stop(), base.stop());
    assert_eq!(extended.names(&extended.derived()), ["five", "four"]);
    assert_eq!(axioms(&extended), ["obs_two_logs -> obs_log", "five -> four"]);
    // Adding it again changes nothing; another definition is related to the others.
    let same = extended.extended([derived("four", "i[*_log] >= 4")]).unwrap();
    assert_eq!((same.propositions(), same.axioms()), (extended.propositions(), extended.axioms()));
    let more = extended.extended([derived("three", "i[*_log] >= 3")]).unwrap();
    assert_eq!(axioms(&more), ["obs_two_logs -> obs_log", "four -> three", "five -> four"]);
    assert_eq!((more.base().propositions(), axioms(&more.base())), (base.propositions(), axioms(&base)));
}

#[test]
fn names_that_are_taken_are_refused() {
    let extended = forest().extended([derived("five", "i[*_log] >= 5")]).unwrap();
    let refused = |name, definition| extended.extended([derived(name, definition)]).unwrap_err().to_string();
    assert_eq!(
        refused("five", "i[*_log] >= 6"),
        "`five` cannot be derived as `i[*_log] >= 6`: the vocabulary `forest` derives it as `i[*_log] >= 5`"
    );
    for taken in ["obs_log", "action_mine", STOP] {
        let told = format!(
            "`{taken}` cannot be derived as `health >= 1`: the vocabulary `forest` has a proposition of this name"
        );
        assert_eq!(refused(taken, "health >= 1"), told);
    }
    let many = (0..CAPACITY).map(|number| derived(&format!("p{number}"), &format!("i[log] >= {number}")));
    let error = forest().extended(many).unwrap_err();
    assert_eq!(error, VocabularyError::TooLarge { vocabulary: "forest".to_owned(), found: CAPACITY + 4, actions: 2 });
}

/// A proposition without a definition is read from an older record and written back unchanged.
#[test]
fn only_derived_propositions_store_a_definition() {
    let base = r#"{"name":"obs_log","meaning":"a log"}"#;
    let read: Proposition = serde_json::from_str(base).unwrap();
    assert_eq!((read.definition.as_ref(), serde_json::to_string(&read).unwrap()), (None, base.to_owned()));
    let five = derived("five", "i[*_log]>=5");
    let stored = r#"{"name":"five","meaning":"i[*_log] is at least 5","definition":"i[*_log] >= 5"}"#;
    assert_eq!(serde_json::to_string(&five).unwrap(), stored);
    assert_eq!(serde_json::from_str::<Proposition>(stored).unwrap(), five);
    assert!(serde_json::from_str::<Proposition>(&stored.replace(">=", "=")).is_err());
}

#[test]
fn vocabularies_and_laws_are_stored_by_names() {
    let signature = Signature { domain: "woods".into(), ..Signature::default() };
    let further = [Proposition::from(("action_sing", "Sing"))];
    let whole = forest().extended([derived("five", "i[*_log] >= 5"), derived("four", "i[*_log] >= 4")]).unwrap();
    let whole = whole.with_further(further).unwrap().with_signature(Arc::new(signature));
    let text = serde_json::to_string(&whole).unwrap();
    let read: Vocabulary = serde_json::from_str(&text).unwrap();
    assert_eq!(serde_json::to_string(&read).unwrap(), text);
    assert_eq!((read.propositions(), read.further()), (whole.propositions(), whole.further()));
    assert_eq!((axioms(&read), read.signature()), (axioms(&whole), whole.signature()));
    assert_eq!(read.action("action_sing"), whole.action("action_sing"));
    let twice =
        r#"{"name": "v", "observations": [{"name": "p", "meaning": ""}, {"name": "p", "meaning": ""}], "actions": []}"#;
    assert!(serde_json::from_str::<Vocabulary>(twice).unwrap_err().to_string().contains("lists `p` twice"));

    let formula = "G(obs_log -> X !action_mine)".parse().unwrap();
    let law = crate::Law { weight: 3, ..crate::Law::soft("rest", formula, "Rest.") };
    let text = r#"{"id":"rest","formula":"G(obs_log -> X !action_mine)","strength":"soft","explanation":"Rest.","after_break":"rearm","weight":3}"#;
    assert_eq!(serde_json::to_string(&law).unwrap(), text);
    assert_eq!(serde_json::from_str::<crate::Law>(text).unwrap(), law);
}

#[test]
fn decisions_are_stored_by_names() {
    use crate::{Law, PropSet, Shield, ShieldOptions};
    let vocabulary = Arc::new(forest());
    let laws = vec![Law::hard("never", "G !action_mine".parse().unwrap(), "")];
    let mut shield = Shield::new(vocabulary.clone(), laws, ShieldOptions::default()).unwrap();
    for started in [false, true] {
        if started {
            shield.start(PropSet::EMPTY).unwrap();
        }
        let decision = shield.decide();
        let named = serde_json::to_string(&decision.named(&vocabulary)).unwrap();
        let read: crate::NamedDecision = serde_json::from_str(&named).unwrap();
        // The other vocabulary numbers the actions in another way.
        let other = Vocabulary::builder("other").actions(["action_rest", "action_mine"]).build().unwrap();
        let over_other = read.over(&other).unwrap();
        assert_eq!(over_other.allowed.names(&other), decision.allowed.names(&vocabulary));
        assert_eq!(over_other.undecided.names(&other), decision.undecided.names(&vocabulary));
        if started {
            assert_eq!(read.over(&vocabulary).unwrap(), decision);
        }
    }
    let decision = shield.decide().named(&vocabulary);
    let none = Vocabulary::plain("none", ["p"]).unwrap();
    assert_eq!(&*decision.over(&none).unwrap_err().name, "action_stop");
}
