//! Bounds on the change that an action makes to the full observation.

use ltlcrit_verifier::definition::{Aggregate, Entries, Quantity};
use serde_json::{Map, Value};

use crate::details::Details;
use crate::quantities::{Measurements, value};

/// Bounds on the numbers of the full observation after an action. A field without bounds may take any value.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Bounds {
    ranges: Vec<(Vec<&'static str>, [f64; 2])>,
    maps: Vec<(&'static str, Vec<Change>)>,
}

/// A bounded change of entries of a map.
#[derive(Clone, Debug, PartialEq)]
pub struct Change {
    /// The entries that may change.
    pub names: Vec<String>,
    /// The maximum by which these entries fall, summed.
    pub falls: f64,
    /// The maximum by which these entries rise, summed.
    pub rises: f64,
}

/// The possible values of a quantity after an action.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Afterwards {
    /// A number in this range, both ends included.
    Between(f64, f64),
    /// No value.
    NoValue,
    /// Any value.
    Unknown,
}

impl Bounds {
    /// Adds a number that stays in a range. `fields` are outermost first.
    #[must_use]
    pub fn between(mut self, fields: &[&'static str], least: f64, most: f64) -> Self {
        self.ranges.push((fields.to_vec(), [least, most]));
        self
    }

    /// Adds a map of numbers in which only these entries change. A missing entry counts as 0.
    #[must_use]
    pub fn changing(mut self, map: &'static str, changes: Vec<Change>) -> Self {
        self.maps.push((map, changes));
        self
    }

    /// Returns whether there are no bounds.
    pub fn is_empty(&self) -> bool {
        self.ranges.is_empty() && self.maps.is_empty()
    }

    /// Returns a quantity that left its bounds between two observations; `None` if all stayed within them.
    pub fn left(&self, before: &Details, after: &Details) -> Option<Quantity> {
        let mut seen = Measurements::default();
        seen.add(before);
        seen.add(after);
        let (record, then) = (before.record(), after.record());
        seen.quantities().into_iter().find(|quantity| match (self.of(quantity, &record), value(quantity, &then)) {
            (Afterwards::Between(least, most), Some(value)) => !(least..=most).contains(&value),
            (Afterwards::Between(..), None) | (Afterwards::NoValue, Some(_)) => true,
            (Afterwards::NoValue, None) | (Afterwards::Unknown, _) => false,
        })
    }

    /// Returns the possible values of a quantity after the action. `before` is the record of the observation before it.
    pub(crate) fn of(&self, quantity: &Quantity, before: &Map<String, Value>) -> Afterwards {
        let fields = || quantity.fields.iter().map(|field| &**field);
        if let (Some((_, [least, most])), None) =
            (self.ranges.iter().find(|(range, _)| fields().eq(range.iter().copied())), &quantity.entries)
        {
            return Afterwards::Between(*least, *most);
        }
        let Some((_, changes)) = self.maps.iter().find(|(map, _)| Some(*map) == fields().next()) else {
            return Afterwards::Unknown;
        };
        let (matches, is_sum): (&dyn Fn(&str) -> bool, bool) = match (&*quantity.fields, &quantity.entries) {
            ([_], Some(Entries { pattern, aggregate, .. })) => {
                (&|name| pattern.matches(name), *aggregate == Aggregate::Sum)
            }
            ([_, name, ..], None) => (&|other| other == &**name, false),
            _ => return Afterwards::Unknown,
        };
        let touching = changes.iter().filter(|change| change.names.iter().any(|name| matches(name)));
        let touching: Vec<&Change> = touching.collect();
        match (value(quantity, before), is_sum) {
            (None, _) if touching.is_empty() => Afterwards::NoValue,
            (Some(now), _) if touching.is_empty() => Afterwards::Between(now, now),
            (Some(now), true) => {
                let sum = |part: &dyn Fn(&Change) -> f64| touching.iter().map(|change| part(change)).sum::<f64>();
                Afterwards::Between((now - sum(&|change| change.falls)).max(0.0), now + sum(&|change| change.rises))
            }
            _ => Afterwards::Unknown,
        }
    }
}

#[cfg(test)]
mod tests {
    use ltlcrit_verifier::Definition;
    use proptest::prelude::*;

    use super::*;

    fn bounds() -> Bounds {
        let logs = ["oak_log", "birch_log"].map(str::to_owned).to_vec();
        Bounds::default()
            .between(&["position", "y"], 20.0, 70.0)
            .changing("inventory", vec![Change { names: logs, falls: 1.0, rises: 2.0 }])
    }

    #[test]
    fn what_is_not_named_is_unknown_and_what_does_not_change_stays() {
        let before = serde_json::json!({
            "position": { "x": 1, "y": 64 }, "health": 20, "inventory": { "oak_log": 3, "stick": 2 },
        });
        let of = |quantity: &str| {
            let definition: Definition = format!("{quantity} >= 0").parse().unwrap();
            bounds().of(definition.quantity(), before.as_object().unwrap())
        };
        use Afterwards::{Between, NoValue, Unknown};
        for (quantity, expected) in [
            ("position.y", Between(20.0, 70.0)),
            ("position.x", Unknown),
            ("position[y]", Unknown),
            ("health", Unknown),
            ("inventory[*_log]", Between(2.0, 5.0)),
            ("inventory[birch_log]", Between(0.0, 2.0)),
            ("inventory[*]", Between(4.0, 7.0)),
            ("inventory[stick]", Between(2.0, 2.0)),
            ("inventory.stick", Between(2.0, 2.0)),
            ("inventory.torch", NoValue),
            ("min(inventory[*_log])", Unknown),
            ("min(inventory[stick])", Between(2.0, 2.0)),
            ("min(inventory[torch])", NoValue),
        ] {
            assert_eq!(of(quantity), expected, "{quantity}");
        }
    }

    proptest! {
        /// A sum stays in its bounds for every change of its entries that the bounds allow.
        #[test]
        fn no_sum_leaves_its_bounds(
            before in proptest::collection::btree_map("[ab]_log|stick", 1..6u32, 0..3),
            lost in 0..3u32, gained in 0..3u32, parts in proptest::collection::vec(0..2usize, 6),
            pattern in prop::sample::select(vec!["*_log", "a_log", "b_log", "*", "stick"]),
        ) {
            let names = ["a_log", "b_log"];
            let change = Change { names: names.map(str::to_owned).to_vec(), falls: f64::from(lost), rises: f64::from(gained) };
            let bounds = Bounds::default().changing("inventory", vec![change]);
            let mut after = before.clone();
            for part in &parts[..gained as usize] {
                *after.entry(names[*part].to_owned()).or_default() += 1;
            }
            for part in &parts[3..3 + lost as usize] {
                if let Some(count) = after.get_mut(names[*part]) {
                    *count = count.saturating_sub(1);
                }
            }
            let definition: Definition = format!("inventory[{pattern}] >= 0").parse().unwrap();
            let record = |counts| serde_json::json!({ "inventory": counts }).as_object().unwrap().clone();
            let then = value(definition.quantity(), &record(&after)).unwrap();
            match bounds.of(definition.quantity(), &record(&before)) {
                Afterwards::Between(least, most) => prop_assert!((least..=most).contains(&then), "{then}: {least} to {most}"),
                other => prop_assert!(false, "{other:?}"),
            }
        }
    }
}
