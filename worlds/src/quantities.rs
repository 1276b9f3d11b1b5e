//! The quantities in full observations, and their values.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use ltlcrit_verifier::definition::{Aggregate, Entries, Pattern, Quantity};
use serde_json::{Map, Value};

use crate::details::Details;

/// The maximum number of numbers read from one observation, in order of their names.
const MAX_NUMBERS: usize = 512;
/// The maximum depth of a number, in fields.
const DEEPEST: usize = 3;

/// The map, the pattern of its entries' names, and the fields that lead from an entry to a number.
type Group<'a> = (&'a Arc<str>, Pattern, &'a [Arc<str>]);

/// The numbers in many observations.
#[derive(Clone, Debug, Default)]
pub struct Measurements {
    /// The path of each number (fields, outermost first), with its index.
    paths: BTreeMap<Vec<Arc<str>>, usize>,
    /// The numbers of each observation, by the index of their path.
    rows: Vec<BTreeMap<usize, f64>>,
}

impl Measurements {
    /// Adds an observation.
    pub fn add(&mut self, details: &Details) {
        let mut numbers = Vec::new();
        collect(&details.record(), &mut Vec::new(), &mut numbers);
        let mut row = BTreeMap::new();
        for (path, number) in numbers {
            let next = self.paths.len();
            row.insert(*self.paths.entry(path).or_insert(next), number);
        }
        self.rows.push(row);
    }

    /// The number of observations.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Returns whether there are no observations.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The quantities of the observations, in order. An outer field counts as a map of entries if some observation
    /// lacks some of its fields. Entries whose names share the last word also form a group: `*_log`.
    pub fn quantities(&self) -> BTreeSet<Quantity> {
        let missing = |number: &usize| self.rows.iter().any(|row| !row.contains_key(number));
        let maps: BTreeSet<&Arc<str>> = self
            .paths
            .iter()
            .filter(|(path, number)| path.len() > 1 && missing(number))
            .map(|(path, _)| &path[0])
            .collect();
        let mut quantities = BTreeSet::new();
        let mut groups: BTreeMap<Group<'_>, usize> = BTreeMap::new();
        for path in self.paths.keys() {
            match path.as_slice() {
                [map, name, fields @ ..] if maps.contains(map) => {
                    quantities.extend(of_entries(map, Pattern::Name(name.clone()), fields));
                    if let Some((_, word)) = name.rsplit_once('_') {
                        let group = Pattern::Glob("".into(), format!("_{word}").into());
                        *groups.entry((map, group, fields)).or_default() += 1;
                    }
                }
                fields => {
                    quantities.insert(Quantity { fields: fields.to_vec(), entries: None });
                }
            }
        }
        let several = groups.into_iter().filter(|(_, members)| *members > 1);
        quantities.extend(several.flat_map(|((map, group, fields), _)| of_entries(map, group, fields)));
        quantities
    }

    /// The values of a quantity in the observations, in order; `None` where an observation has no value.
    pub fn values(&self, quantity: &Quantity) -> Vec<Option<f64>> {
        let of = |path: &[Arc<str>]| path.get(..quantity.fields.len()) == Some(&quantity.fields);
        let numbers: Vec<usize> = match &quantity.entries {
            None => self.paths.get(&quantity.fields).copied().into_iter().collect(),
            Some(Entries { pattern, fields, .. }) => {
                let within = |path: &[Arc<str>]| match path.split_at_checked(quantity.fields.len()) {
                    Some((_, [name, rest @ ..])) => pattern.matches(name) && rest == fields,
                    _ => false,
                };
                self.paths.iter().filter(|(path, _)| of(path) && within(path)).map(|(_, number)| *number).collect()
            }
        };
        let aggregate = quantity.entries.as_ref().map(|entries| entries.aggregate);
        let value = |row: &BTreeMap<usize, f64>| {
            let mut found = numbers.iter().filter_map(|number| row.get(number).copied());
            match aggregate {
                None => found.next(),
                Some(aggregate) => aggregate.of(found),
            }
        };
        self.rows.iter().map(value).collect()
    }
}

/// The quantities over entries of a map. Numbers give a sum and a minimum; fields of entries give only a minimum.
fn of_entries(map: &Arc<str>, pattern: Pattern, fields: &[Arc<str>]) -> impl Iterator<Item = Quantity> {
    let sum = fields.is_empty().then_some(Aggregate::Sum);
    let (fields, map) = (fields.to_vec(), map.clone());
    sum.into_iter().chain([Aggregate::Least]).map(move |aggregate| Quantity {
        fields: vec![map.clone()],
        entries: Some(Entries { pattern: pattern.clone(), fields: fields.clone(), aggregate }),
    })
}

/// Collects the numbers of an observation, each with its path.
fn collect(record: &Map<String, Value>, path: &mut Vec<Arc<str>>, numbers: &mut Vec<(Vec<Arc<str>>, f64)>) {
    for (name, value) in record {
        if numbers.len() >= MAX_NUMBERS {
            return;
        }
        path.push(name.as_str().into());
        match value {
            Value::Number(number) => numbers.extend(number.as_f64().map(|number| (path.clone(), number))),
            Value::Object(inner) if path.len() < DEEPEST => collect(inner, path, numbers),
            _ => {}
        }
        path.pop();
    }
}

/// The value of a quantity in the record of an observation; `None` where the record has no such number.
pub(crate) fn value(quantity: &Quantity, record: &Map<String, Value>) -> Option<f64> {
    let (first, rest) = quantity.fields.split_first()?;
    let found = within(record.get(&**first)?, rest)?;
    let Some(Entries { pattern, fields, aggregate }) = &quantity.entries else { return found.as_f64() };
    let entries = found.as_object()?.iter().filter(|(name, _)| pattern.matches(name));
    let numbers = entries.filter_map(|(_, entry)| within(entry, fields)?.as_f64());
    aggregate.of(numbers)
}

fn within<'a>(value: &'a Value, fields: &[Arc<str>]) -> Option<&'a Value> {
    fields.iter().try_fold(value, |value, field| value.get(&**field))
}

#[cfg(test)]
mod tests;
