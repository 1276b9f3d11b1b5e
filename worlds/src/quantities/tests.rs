use ltlcrit_verifier::{Definition, PropSet, Proposition};
use proptest::prelude::*;
use serde_json::json;

use super::*;
use crate::DerivedObservations;
use crate::corridor::corridor;
use crate::world::World as _;

/// Returns whether a definition holds in an observation.
fn holds(definition: &Definition, details: &Details) -> bool {
    let derived = Proposition::derived("p", definition.clone(), None);
    let vocabulary = corridor(3).vocabulary().extended([derived]).unwrap();
    !DerivedObservations::of(&vocabulary).complete(&PropSet::EMPTY, details).is_empty()
}

fn details(record: Value) -> Details {
    let mut record = record;
    record["kind"] = "camp".into();
    serde_json::from_value(record).unwrap()
}

fn measured(records: &[Value]) -> Measurements {
    let mut measured = Measurements::default();
    records.iter().for_each(|record| measured.add(&details(record.clone())));
    measured
}

#[test]
fn fields_and_entries_are_told_apart_by_what_is_missing() {
    let measured = measured(&[
        json!({ "health": 20.0, "at": { "y": 64 }, "inventory": { "oak_log": 3, "dirt": 1 }, "equipped": null }),
        json!({ "health": 7.5, "at": { "y": -8 }, "inventory": { "oak_log": 1, "birch_log": 2 }, "equipped": "axe" }),
        json!({ "health": 7.5, "at": { "y": 0 }, "inventory": {}, "seen": { "coal_ore": { "near": 4.5, "way": { "x": 1 } } } }),
    ]);
    let quantities = measured.quantities();
    let shown: Vec<String> = quantities.iter().map(ToString::to_string).collect();
    assert_eq!(
        shown,
        [
            "at.y",
            "health",
            "inventory[birch_log]",
            "min(inventory[birch_log])",
            "inventory[dirt]",
            "min(inventory[dirt])",
            "inventory[oak_log]",
            "min(inventory[oak_log])",
            "inventory[*_log]",
            "min(inventory[*_log])",
            "seen[coal_ore].near",
        ]
    );
    let values = |text: &str| {
        let quantity = quantities.iter().find(|quantity| quantity.to_string() == text).unwrap();
        measured.values(quantity)
    };
    assert_eq!(values("at.y"), [Some(64.0), Some(-8.0), Some(0.0)]);
    assert_eq!(values("inventory[*_log]"), [Some(3.0), Some(3.0), Some(0.0)]);
    assert_eq!(values("min(inventory[*_log])"), [Some(3.0), Some(1.0), None]);
    assert_eq!(values("seen[coal_ore].near"), [None, None, Some(4.5)]);
    assert_eq!(measured.len(), 3);
}

#[test]
fn what_worlds_say_is_bounded() {
    let many: Map<String, Value> = (0..5_000).map(|number| (format!("f{number}"), number.into())).collect();
    let deep = (0..100).fold(json!({ "x": 1 }), |inner, _| json!({ "in": inner }));
    let measured = measured(&[Value::Object(many), deep]);
    assert_eq!(measured.quantities().len(), MAX_NUMBERS);
}

proptest! {
    /// Definitions are evaluated with the same value of a quantity.
    #[test]
    fn values_are_those_of_definitions(
        counts in proptest::collection::vec(proptest::collection::btree_map("(oak|birch|iron)_(log|ore)", 0..5u32, 0..4), 1..5),
        threshold in 0..6u32,
    ) {
        let records: Vec<Value> = counts.iter().map(|counts| json!({ "inventory": counts })).collect();
        let measured = measured(&records);
        for quantity in measured.quantities() {
            for (record, value) in records.iter().zip(measured.values(&quantity)) {
                for definition in [Definition::at_least, Definition::at_most] {
                    let definition = definition(quantity.clone(), f64::from(threshold)).unwrap();
                    let expected = value.is_some_and(|value| definition.holds(value));
                    prop_assert_eq!(holds(&definition, &details(record.clone())), expected, "{}", definition);
                }
            }
        }
    }
}
