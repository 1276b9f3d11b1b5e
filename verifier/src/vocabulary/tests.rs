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
    assert_eq!(error, VocabularyError::TooLarge { vocabulary: "forest".to_owned(), found: 260, actions: 2 });
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
