use std::collections::BTreeMap;
use std::fmt;

use ltlcrit_verifier::Proposition;
use proptest::prelude::*;
use serde::{Deserialize, Serialize};

use super::*;
use crate::corridor::corridor;
use crate::world::Subgoal;
use crate::{Change, Extended, Outcome, Shape, World, WorldInfo, WorldObservation, async_trait};

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
struct Seen {
    count: u32,
    distance: f64,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Camp {
    health: f64,
    position: BTreeMap<String, i32>,
    inventory: BTreeMap<String, u32>,
    nearby: BTreeMap<String, Seen>,
    hazards: BTreeMap<String, f64>,
    equipped: Option<String>,
}

impl fmt::Display for Camp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a camp")
    }
}

impl WorldObservation for Camp {
    const KIND: &'static str = "camp";

    fn shape() -> Shape {
        let map = |names: &[&'static str], entry| Shape::Map { names: names.to_vec(), entry: Box::new(entry) };
        let seen = Shape::Fields(vec![("count", Shape::Number), ("distance", Shape::Number)]);
        Shape::Fields(vec![
            ("health", Shape::Number),
            ("position", Shape::Fields(vec![("x", Shape::Number), ("y", Shape::Number)])),
            ("inventory", map(&["oak_log", "birch_log", "cobblestone"], Shape::Number)),
            ("nearby", map(&["coal_ore", "iron_ore", "dirt"], seen)),
            ("hazards", map(&["lava"], Shape::Number)),
            ("equipped", Shape::Other("a text")),
        ])
    }

    fn with_names(&self, _: &dyn Fn(&str) -> String) -> Self {
        self.clone()
    }
}

fn map<V: Copy>(entries: &[(&str, V)]) -> BTreeMap<String, V> {
    entries.iter().map(|(name, value)| ((*name).to_owned(), *value)).collect()
}

fn camp() -> Camp {
    Camp {
        health: 7.5,
        position: map(&[("x", 3), ("y", -40)]),
        inventory: map(&[("oak_log", 3), ("birch_log", 4), ("cobblestone", 12)]),
        nearby: map(&[
            ("coal_ore", Seen { count: 2, distance: 9.0 }),
            ("iron_ore", Seen { count: 1, distance: 6.5 }),
            ("dirt", Seen { count: 90, distance: 1.0 }),
        ]),
        hazards: map(&[("lava", 4.0)]),
        equipped: Some("torch".to_owned()),
    }
}

/// Stores details and reads them back.
fn recorded(details: &Details) -> Details {
    serde_json::from_str(&serde_json::to_string(details).unwrap()).unwrap()
}

fn vocabulary(definitions: &[&str]) -> Vocabulary {
    let base = corridor(3).vocabulary();
    let derived = definitions.iter().map(|text| Proposition::derived(*text, text.parse().unwrap(), None));
    base.extended(derived).unwrap()
}

#[test]
fn quantities_are_what_the_observation_says() {
    let holds = |definition: &str| {
        let vocabulary = vocabulary(&[definition]);
        let derived = DerivedObservations::of(&vocabulary);
        let live = Details::new(camp());
        let found = derived.complete(&PropSet::EMPTY, &live);
        assert_eq!(derived.complete(&PropSet::EMPTY, &recorded(&live)), found, "{definition}");
        !found.is_empty()
    };
    for (quantity, value) in [
        ("health", 7.5),
        ("position.y", -40.0),
        ("inventory[cobblestone]", 12.0),
        ("inventory[*_log]", 7.0),
        ("inventory[*]", 19.0),
        ("min(inventory[*_log])", 3.0),
        ("inventory[torch]", 0.0),
        ("nearby[coal_ore].distance", 9.0),
        ("nearby[*_ore].distance", 6.5),
        ("sum(nearby[*_ore].count)", 3.0),
        ("sum(nearby[gold_ore].count)", 0.0),
        ("min(hazards[lava])", 4.0),
    ] {
        assert!(holds(&format!("{quantity} >= {value}")) && holds(&format!("{quantity} <= {value}")), "{quantity}");
        assert!(!holds(&format!("{quantity} >= {}", value + 0.5)), "{quantity}");
        assert!(!holds(&format!("{quantity} <= {}", value - 0.5)), "{quantity}");
    }
    // A missing value or a value that is not a number makes every comparison false.
    for quantity in [
        "nearby[gold_ore].distance",
        "min(hazards[water])",
        "helth",
        "position.w",
        "health.y",
        "inventory",
        "inventory.oak_log.deep",
        "health[x]",
        "equipped",
        "kind",
    ] {
        assert!(!holds(&format!("{quantity} >= -9")) && !holds(&format!("{quantity} <= 9")), "{quantity}");
    }
}

fn block_on<T>(future: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(future)
}

/// A corridor that is observed as a camp with one more log after every step.
#[derive(Clone, Debug)]
struct Woods {
    inner: crate::corridor::Corridor,
    logs: u32,
}

/// The outlook of [`Woods`].
struct Growth<'a>(&'a Woods, &'a Observation);

impl Outlook for Growth<'_> {
    fn predict(&self, action: ActionId) -> Option<Prediction> {
        let place = self.1.holds.iter().next()?.0;
        let after = self.0.inner.after(place, action).unwrap_or(place);
        Some(Prediction::exactly(PropSet::from_iter([PropId(after)])))
    }

    fn bounds(&self, _: ActionId) -> Bounds {
        let log = Change { names: vec!["oak_log".to_owned()], falls: 0.0, rises: 1.0 };
        Bounds::default().changing("inventory", vec![log])
    }
}

#[async_trait(?Send)]
impl World for Woods {
    fn info(&self) -> WorldInfo {
        self.inner.info()
    }

    fn vocabulary(&self) -> Arc<Vocabulary> {
        self.inner.vocabulary()
    }

    fn task(&self) -> &str {
        self.inner.task()
    }

    async fn observe(&mut self) -> Result<Observation, WorldError> {
        let observation = self.inner.observe().await?;
        let details = Details::new(Camp { inventory: map(&[("oak_log", self.logs)]), ..camp() });
        Ok(Observation { details, ..observation })
    }

    fn outlook<'a>(&'a self, observation: &'a Observation) -> Box<dyn Outlook + 'a> {
        Box::new(Growth(self, observation))
    }

    async fn execute(&mut self, action: ActionId) -> Result<Outcome, WorldError> {
        self.logs += 1;
        self.inner.execute(action).await
    }

    fn goal_reached(&self, observation: &Observation) -> bool {
        self.inner.goal_reached(observation)
    }

    fn subgoals(&self) -> &[Subgoal] {
        self.inner.subgoals()
    }
}

fn logs(name: &str, definition: &str) -> Proposition {
    Proposition::derived(name, definition.parse().unwrap(), None)
}

#[test]
fn an_extended_world_observes_what_is_derived_and_is_otherwise_the_same() {
    let woods = Woods { inner: corridor(3), logs: 0 };
    let mut world = Extended::new(Box::new(woods.clone()), [logs("two_logs", "inventory[*_log] >= 2")]).unwrap();
    let vocabulary = world.vocabulary();
    let right = vocabulary.action("action_right").unwrap();
    assert_eq!(woods.vocabulary().action("action_right"), Some(right));
    let seen = |observation: &Observation| vocabulary.names(&observation.holds).join(" ");
    assert_eq!(seen(&block_on(world.observe()).unwrap()), "at_0");
    block_on(world.execute(right)).unwrap();
    assert_eq!(seen(&block_on(world.observe()).unwrap()), "at_1");
    block_on(world.execute(right)).unwrap();
    let last = block_on(world.observe()).unwrap();
    assert_eq!(seen(&last), "at_2 two_logs");
    assert!(world.goal_reached(&last));
    assert_eq!((world.info(), world.task(), world.subgoals()), (woods.info(), woods.task(), woods.subgoals()));
    let none = Extended::new(Box::new(woods.clone()), []).unwrap();
    assert!(Arc::ptr_eq(&none.vocabulary(), &woods.vocabulary()));
}

#[test]
fn fields_that_no_observation_has_are_refused() {
    let observe = |definition: &str| {
        let mut world =
            Extended::new(Box::new(Woods { inner: corridor(3), logs: 0 }), [logs("p", definition)]).unwrap();
        block_on(world.observe()).unwrap_err().to_string()
    };
    assert_eq!(
        observe("inventori[*_log] >= 2"),
        "`p` is derived as `inventori[*_log] >= 2`, but the observations of this world have no `inventori`; did you mean \
         `inventory`?"
    );
    assert!(
        observe("colour >= 1")
            .ends_with("they have `health`, `position`, `inventory`, `nearby`, `hazards`, `equipped`")
    );
    // A definition is checked along its whole path.
    for (definition, meant) in [
        ("nearby[*_ore].distanse <= 3", "did you mean `distance`?"),
        ("position.yy >= 0", "`position` has `x`, `y`"),
        ("health.foo <= 9", "`health` is a number and has no fields"),
        ("inventory >= 3", "name its entries, such as `inventory[*]`"),
    ] {
        let error = observe(definition);
        assert!(error.starts_with(&format!("`p` is derived as `{definition}`")) && error.ends_with(meant), "{error}");
    }
}

proptest! {
    /// Every observation is among those predicted, for any derived observations.
    #[test]
    fn predictions_leave_open_what_the_bounds_of_an_action_do_not_decide(
        thresholds in proptest::collection::vec(0..6u32, 0..4),
        actions in proptest::collection::vec(0u16..4, 1..12),
    ) {
        let derived = thresholds.iter().enumerate().map(|(at, number)| logs(&format!("p{at}"), &format!("inventory[*_log] >= {number}")));
        let mut world = Extended::new(Box::new(Woods { inner: corridor(3), logs: 0 }), derived).unwrap();
        let mut before = block_on(world.observe()).unwrap();
        let stop = world.vocabulary().stop().unwrap();
        let mut logs_then = 0;
        for action in actions.into_iter().map(ActionId) {
            let predicted = world.outlook(&before).predict(action).unwrap();
            if action == stop {
                prop_assert_eq!(predicted, Prediction::exactly(before.holds));
                break;
            }
            block_on(world.execute(action)).unwrap();
            before = block_on(world.observe()).unwrap();
            prop_assert!(predicted.allows(&before.holds));
            // An action adds one log.
            let (next, derived) = (logs_then + 1, world.vocabulary().derived());
            prop_assert_eq!(predicted.open().iter().count(), thresholds.iter().filter(|number| **number == next).count());
            prop_assert_eq!(predicted.open().difference(&derived), PropSet::EMPTY);
            logs_then = next;
        }
    }

    /// Any record can be evaluated, and the result satisfies the axioms.
    #[test]
    fn any_record_is_evaluated(text in "[a-z{}\\[\\]:,0-9\". -]{0,40}", number in any::<f64>()) {
        let vocabulary = vocabulary(&["i[*_log] >= 5", "i[*_log] >= 4", "i[*_log] <= 3", "i[a].b <= 1", "a.b >= 0"]);
        let derived = DerivedObservations::of(&vocabulary);
        let value: Value = serde_json::from_str(&text).unwrap_or_else(|_| serde_json::json!({ "a_log": number, "a": { "b": number } }));
        let details: Details = serde_json::from_value(serde_json::json!({ "kind": "k", "i": value.clone(), "a": value })).unwrap();
        let holds = derived.complete(&PropSet::first(9), &details);
        prop_assert_eq!(holds.difference(&vocabulary.derived()), PropSet::first(9).difference(&vocabulary.derived()));
        for axiom in vocabulary.axioms().iter().filter(|axiom| axiom.to_string().contains('[')) {
            prop_assert!(axiom.formula.holds_where(&|name| holds.contains(vocabulary.id(name).unwrap())), "{}", axiom);
        }
    }
}
