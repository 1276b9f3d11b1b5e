//! A state of a planning task as boxes in boxes: rooms, what is in them, the robot.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::english::KINDS;

/// Words of predicates that place their first object in their second one.
const PLACES: [&str; 5] = ["at", "in", "inside", "located", "on"];
/// Words of predicates whose object is held.
const HELD: [&str; 4] = ["carrying", "grabbed", "held", "holding"];
/// The maximum number of boxes.
const MAX_BOXES: usize = 1_000;

/// An object, with what is in it, on it, or held by it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Boxed {
    /// Its name.
    pub name: String,
    /// True if it acts.
    pub robot: bool,
    /// Its properties that may change, such as `open`.
    pub is: Vec<String>,
    /// The boxes in it.
    pub inside: Vec<Self>,
}

/// An object while the facts are read.
#[derive(Default)]
struct Object<'a> {
    parent: Option<&'a str>,
    robot: bool,
    is: Vec<String>,
}

/// Returns a state as boxes, given its facts as PDDL. The words of predicates decide: `(is_on cup sink)` puts the cup in
/// the sink's box, `(agent_at sink)` the agent, and `(is_grabbed cup)` puts the cup in the agent's. Other predicates of one
/// object are its properties. A state without any such fact has no boxes.
///
/// ```
/// let facts = ["(located sink kitchen)", "(agent_at kitchen)", "(agent_at sink)", "(is_grabbed cup)", "(is_touched cup)"];
/// let boxes = ltlcrit_household::scene(facts);
/// let (kitchen, sink) = (&boxes[0], &boxes[0].inside[0]);
/// assert_eq!((kitchen.name.as_str(), sink.name.as_str(), sink.inside[0].name.as_str()), ("kitchen", "sink", "agent"));
/// let cup = &sink.inside[0].inside[0];
/// assert_eq!((cup.name.as_str(), &cup.is[..]), ("cup", &["touched".to_owned()][..]));
/// ```
pub fn scene<'a>(facts: impl IntoIterator<Item = &'a str>) -> Vec<Boxed> {
    let mut objects: BTreeMap<&str, Object<'_>> = BTreeMap::new();
    let (mut stands, mut held) = (Vec::new(), Vec::new());
    for fact in facts {
        let mut words = fact.trim_matches(['(', ')']).split_whitespace();
        let (predicate, names) = (words.next().unwrap_or_default(), words.collect::<Vec<_>>());
        let is = |known: &[&str]| predicate.split(['_', '-']).any(|word| known.contains(&word));
        // `agent_at`, not `is_on`.
        let robot = predicate.split(['_', '-']).find(|word| *word != "is" && !PLACES.contains(word));
        match (names.as_slice(), robot) {
            ([thing, place], _) if is(&PLACES) => {
                objects.entry(place).or_default();
                let thing = objects.entry(thing).or_default();
                thing.parent = thing.parent.or(Some(*place));
            }
            ([place], Some(robot)) if is(&PLACES) => stands.push((robot, *place)),
            ([thing], _) if is(&HELD) => held.push(*thing),
            ([thing], _) if !KINDS.contains(&predicate) => {
                let property = predicate.replace(['_', '-'], " ");
                let property = property.trim_start_matches("is ").to_owned();
                objects.entry(thing).or_default().is.push(property);
            }
            _ => {}
        }
    }
    // One who is in a room and at something in it stands there.
    let is_inner = |place: &&str| objects.get(place).is_some_and(|of| of.parent.is_some_and(|parent| parent != *place));
    stands.sort_by_key(|(_, place)| !is_inner(place));
    let robot = stands.first().map_or("robot", |(robot, _)| *robot);
    for (robot, place) in &stands {
        objects.entry(place).or_default();
        let robot = objects.entry(robot).or_default();
        robot.robot = true;
        robot.parent = robot.parent.or(Some(place));
    }
    for thing in held {
        objects.entry(robot).or_default().robot = true;
        objects.entry(thing).or_default().parent = Some(robot);
    }
    let mut children: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    let mut roots = Vec::new();
    for (name, object) in objects.iter().take(MAX_BOXES) {
        match object.parent.filter(|parent| parent != name) {
            Some(parent) => children.entry(parent).or_default().push(name),
            None => roots.push(*name),
        }
    }
    // Objects that are in each other have no root above them, and are not shown.
    roots.sort_by_key(|name| !children.contains_key(name));
    roots.into_iter().map(|name| boxed(name, &objects, &children)).collect()
}

fn boxed(name: &str, objects: &BTreeMap<&str, Object<'_>>, children: &BTreeMap<&str, Vec<&str>>) -> Boxed {
    let inside = children.get(name).into_iter().flatten().map(|child| boxed(child, objects, children)).collect();
    let object = objects.get(name);
    Boxed {
        name: name.replace(['_', '-'], " "),
        robot: object.is_some_and(|object| object.robot),
        is: object.map(|object| object.is.clone()).unwrap_or_default(),
        inside,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn objects_in_each_other_and_in_themselves_are_no_trap() {
        assert_eq!(scene(["(in a b)", "(in b a)"]), []);
        let room = |inside| Boxed { name: "a".into(), inside, ..Boxed::default() };
        assert_eq!(scene(["(located a a)"]), [room(Vec::new())]);
        assert_eq!(scene(["(link a b)", "(hand_free)", ""]), []);
        let lamp = Boxed { name: "lamp".into(), is: vec!["on".into()], ..Boxed::default() };
        assert_eq!(scene(["(located lamp a)", "(is-on lamp)"]), [room(vec![lamp.clone()])]);
        assert_eq!(scene(["(on lamp)"]), [lamp]);
    }
}
