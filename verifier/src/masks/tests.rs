use proptest::prelude::*;

use super::*;
use crate::vocabulary::{PropId, Proposition};

fn vocabulary(observations: usize, actions: usize) -> Vocabulary {
    let named = |prefix: &str, count: usize| -> Vec<_> {
        (0..count).map(|number| Proposition::new(format!("{prefix}_{number}"), "")).collect()
    };
    Vocabulary::new("v", named("obs", observations), named("action", actions), Vec::new()).unwrap()
}

fn rows_over(observations: u16, actions: u16, count: usize) -> impl Strategy<Value = Vec<(usize, MaskRow)>> {
    let literals = prop::collection::vec((0..observations, prop::bool::ANY), 0..4);
    let row = (literals, 0..actions, prop::bool::ANY).prop_map(move |(literals, action, demanded)| {
        let (mut present, mut absent) = (PropSet::EMPTY, PropSet::EMPTY);
        for (prop, positive) in literals {
            if positive { present.insert(PropId(prop)) } else { absent.insert(PropId(prop)) }
        }
        let one = ActionSet::one(ActionId(action));
        let all = ActionSet::first(usize::from(actions));
        MaskRow { present, absent, allowed: if demanded { one } else { all.difference(&one) } }
    });
    prop::collection::vec(row, 0..count).prop_map(|rows| rows.into_iter().enumerate().collect())
}

fn check(rows: Vec<(usize, MaskRow)>, vocabulary: &Vocabulary, letter: PropSet) -> Result<(), TestCaseError> {
    let letter = Letter(letter);
    let table = MaskTable::new(rows.clone(), vocabulary);
    let all = ActionSet::first(vocabulary.actions().len());
    let applying = rows.iter().filter(|(_, row)| row.applies(&letter));
    let expected = applying.fold(all, |allowed, (_, row)| allowed.intersection(&row.allowed));
    prop_assert_eq!(table.allowed(&letter), expected);
    for action in vocabulary.action_ids() {
        prop_assert_eq!(table.culprit(&letter, action).is_none(), expected.contains(action));
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn few_rows(rows in rows_over(30, 20, 120), letter in prop::collection::vec(0..30u16, 0..30)) {
        check(rows, &vocabulary(30, 20), letter.into_iter().map(PropId).collect())?;
    }

    #[test]
    fn many_rows(rows in rows_over(120, 9, 1200), letter in prop::collection::vec(0..120u16, 0..80)) {
        check(rows, &vocabulary(120, 9), letter.into_iter().map(PropId).collect())?;
    }

    #[test]
    fn many_actions(rows in rows_over(40, 150, 500), letter in prop::collection::vec(0..40u16, 0..40)) {
        check(rows, &vocabulary(40, 150), letter.into_iter().map(PropId).collect())?;
    }
}
