//! The household in English: the meanings of its facts and the names of its objects.

use std::sync::Arc;

use ltlcrit_pddl::model::{ObjectId, Problem, Term};

use crate::task::HouseholdTask;

/// An object in English.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ObjectInEnglish {
    /// Its name in propositions.
    pub name: Arc<str>,
    /// Its English names, without an article.
    pub nouns: Vec<Arc<str>>,
    /// The kinds it belongs to, in the singular, such as `room`.
    pub kinds: Vec<Arc<str>>,
    /// The kinds that are predicates of the domain; the other kinds are types.
    pub predicates: Vec<Arc<str>>,
}

impl ObjectInEnglish {
    fn is(&self, kind: &str) -> bool {
        self.kinds.iter().any(|own| **own == *kind)
    }
}

/// The objects of a kind.
fn of<'a>(objects: &'a [ObjectInEnglish], kind: &'static str) -> impl Iterator<Item = &'a ObjectInEnglish> {
    objects.iter().filter(move |object| object.is(kind))
}

/// A fact that may hold, in English.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FactInEnglish {
    /// The proposition: `is_on(cup, sink)`.
    pub name: Arc<str>,
    /// Its meaning: `the cup is on the sink`.
    pub meaning: Arc<str>,
}

/// The objects and facts of a task in English.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct English {
    /// The objects, in the order of the task.
    pub objects: Vec<ObjectInEnglish>,
    /// Every fact that may hold in some state, by predicate.
    pub facts: Vec<FactInEnglish>,
    /// Groups of facts of which at most one holds: the rooms of the robot, and the places of a thing.
    pub exclusive: Vec<Vec<Arc<str>>>,
}

/// English nouns for names that are not their own nouns, and further nouns for things.
const NOUNS: [(&str, &[&str]); 37] = [
    ("livingroom", &["living room"]),
    ("kitchentable", &["kitchen table"]),
    ("coffeetable", &["coffee table"]),
    ("phonetable", &["phone table", "telephone table"]),
    ("trashcan", &["trash can"]),
    ("coffeemaker", &["coffee maker", "coffee machine"]),
    ("floorlamp", &["floor lamp", "standard lamp"]),
    ("bedlamp", &["bed lamp", "bedside lamp"]),
    ("washingmachine", &["washing machine", "washer"]),
    ("coatrack", &["coat rack"]),
    ("shoerack", &["shoe rack"]),
    ("lightswitch", &["light switch"]),
    ("filecabinet", &["filing cabinet", "file cabinet"]),
    ("cuttingboard", &["cutting board"]),
    ("alarmclock", &["alarm clock"]),
    ("teabag", &["tea bag"]),
    ("tablecloth", &["tablecloth", "table cloth"]),
    ("tv", &["television", "tv"]),
    ("television", &["television", "tv"]),
    ("fridge", &["fridge", "refrigerator"]),
    ("sofa", &["sofa", "couch"]),
    ("couch", &["couch", "sofa"]),
    ("book_shelf", &["bookshelf", "book shelf"]),
    ("bookshelf", &["bookshelf", "book shelf"]),
    ("bedside_table", &["bedside table"]),
    ("coffee_machine", &["coffee machine", "coffee maker"]),
    ("mail_box", &["mailbox", "mail box"]),
    ("office_table", &["office table"]),
    ("trash_bin", &["trash bin"]),
    ("water_cooler", &["water cooler"]),
    ("nightstand", &["nightstand", "night stand"]),
    ("bathtub", &["bathtub", "bath tub"]),
    ("washbasin", &["washbasin", "wash basin"]),
    ("dishwasher", &["dishwasher", "dish washer"]),
    ("remote", &["remote", "remote control"]),
    ("cards", &["cards", "playing cards"]),
    ("glasses", &["glasses", "pair of glasses"]),
];

/// Static predicates that define a kind of object.
pub(crate) const KINDS: [&str; 5] = ["room", "surface", "container", "openable", "device"];

impl HouseholdTask {
    /// The task's objects and facts in English.
    pub fn english(&self) -> English {
        let problem = &self.task.basic;
        let objects: Vec<ObjectInEnglish> =
            (0..problem.objects.len()).map(|at| object(problem, ObjectId(at as u32))).collect();
        let facts = facts(&objects);
        let exclusive = exclusive(&objects);
        English { objects, facts, exclusive }
    }
}

fn object(problem: &Problem, id: ObjectId) -> ObjectInEnglish {
    let name: Arc<str> = problem.objects[id.0 as usize].name.to_lowercase().into();
    let known = NOUNS.iter().find(|(known, _)| **known == *name);
    let nouns = match known {
        Some((_, nouns)) => nouns.iter().map(|noun| Arc::from(*noun)).collect(),
        None => vec![Arc::from(name.replace('_', " "))],
    };
    let is = |predicate: &str| {
        problem.facts.iter().any(|fact| {
            let named = &problem.domain.predicates[fact.predicate.0 as usize].name;
            **named == *predicate && fact.arguments == [Term::Object(id)]
        })
    };
    let types = &problem.objects[id.0 as usize].types;
    let of_type = types.iter().map(|of| problem.domain.types[usize::from(of.0)].name.clone());
    let predicates: Vec<Arc<str>> = KINDS.iter().filter(|kind| is(kind)).map(|kind| Arc::from(*kind)).collect();
    let kinds = predicates.iter().cloned().chain(of_type).collect();
    ObjectInEnglish { name, nouns, kinds, predicates }
}

/// The facts that the actions of the domain can make true.
fn facts(objects: &[ObjectInEnglish]) -> Vec<FactInEnglish> {
    let of = |kind| of(objects, kind);
    let noun = |object: &ObjectInEnglish| object.nouns.first().map_or_else(String::new, ToString::to_string);
    let fact = |name: String, meaning: String| FactInEnglish { name: name.into(), meaning: meaning.into() };
    let mut facts = Vec::new();
    for place in of("place") {
        let at = if place.is("room") && !is_landmark(objects) { "in" } else { "at" };
        facts.push(fact(format!("agent_at({})", place.name), format!("the robot is {at} the {}", noun(place))));
    }
    for (kind, predicate, state) in [
        ("openable", "is_open", "is open"),
        ("device", "is_switchedon", "is switched on"),
        ("place", "is_touched", "has been touched"),
        ("thing", "is_touched", "has been touched"),
    ] {
        for object in of(kind) {
            facts.push(fact(format!("{predicate}({})", object.name), format!("the {} {state}", noun(object))));
        }
    }
    for thing in of("thing") {
        facts.push(fact(format!("is_grabbed({})", thing.name), format!("the robot holds the {}", noun(thing))));
        for (kind, predicate, preposition) in [("surface", "is_on", "on"), ("container", "is_in", "in")] {
            for place in of(kind) {
                let name = format!("{predicate}({}, {})", thing.name, place.name);
                facts.push(fact(name, format!("the {} is {preposition} the {}", noun(thing), noun(place))));
            }
        }
    }
    facts
}

fn exclusive(objects: &[ObjectInEnglish]) -> Vec<Vec<Arc<str>>> {
    let of = |kind| of(objects, kind);
    let name = |text: String| -> Arc<str> { text.into() };
    let grabbed = |thing: &ObjectInEnglish| name(format!("is_grabbed({})", thing.name));
    let mut groups: Vec<Vec<_>> = vec![of("room").map(|room| name(format!("agent_at({})", room.name))).collect()];
    for thing in of("thing") {
        let on = of("surface").map(|place| name(format!("is_on({}, {})", thing.name, place.name)));
        let inside = of("container").map(|place| name(format!("is_in({}, {})", thing.name, place.name)));
        groups.push(std::iter::once(grabbed(thing)).chain(on).chain(inside).collect());
    }
    // The robot has one hand.
    groups.push(of("thing").map(grabbed).collect());
    groups
}

/// Returns whether every place is a room, so that rooms are landmarks that contain no other place.
fn is_landmark(objects: &[ObjectInEnglish]) -> bool {
    of(objects, "place").all(|place| place.is("room"))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use ltlcrit_pddl::PddlWorld;
    use ltlcrit_worlds::World as _;

    use crate::task;

    /// Every fact in English is an observation of the world.
    #[test]
    fn facts_in_english_are_observations_of_the_world() {
        for name in ["four-room-1", "robot-1"] {
            let task = task(name).unwrap();
            let facts = task.english().facts;
            assert!(facts.len() > 90, "{}", facts.len());
            for some in facts.chunks(100) {
                let names: BTreeSet<String> = some.iter().map(|fact| fact.name.to_string()).collect();
                let world = PddlWorld::under(&task.task, Some(&|_| names.clone())).unwrap();
                for name in &names {
                    assert!(world.vocabulary().id(name).is_some(), "{name}");
                }
            }
        }
    }

    #[test]
    fn objects_have_nouns_and_kinds() {
        let english = task("mobile-1").unwrap().english();
        let fridge = english.objects.iter().find(|object| &*object.name == "fridge").unwrap();
        assert_eq!(fridge.nouns.iter().map(|noun| &**noun).collect::<Vec<_>>(), ["fridge", "refrigerator"]);
        assert_eq!(fridge.kinds.iter().map(|kind| &**kind).collect::<Vec<_>>(), ["container", "openable", "place"]);
    }
}
