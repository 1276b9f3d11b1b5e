//! Law books that change during a run: the laws in force, the records, replay and resumption.

use std::cell::RefCell;
use std::path::{Path, PathBuf};

use ltlcrit_critic::hindsight::hindsight;
use ltlcrit_critic::law::Restriction;
use ltlcrit_engine::actor::Situation;
use ltlcrit_engine::agent::{AgentError, Event, Interrupt, RunFacts, RunSummary};
use ltlcrit_engine::books::InForce;
use ltlcrit_engine::books::{BookWatch, laws_together};
use ltlcrit_engine::replay::{render, replay};
use ltlcrit_laws::Reading;
use ltlcrit_store::{BookRecord, RunId, Translator};
use ltlcrit_worlds::World as _;
use ltlcrit_worlds::corridor::corridor;
use proptest::prelude::*;
use proptest::test_runner::TestRunner;

use crate::common::{Fixture, Script, block_on, facts, propose, random_actor};

const NAMES: [&str; 2] = ["one", "two"];

fn text(name: &str, revision: u64, laws: &[(&str, bool, &str)]) -> String {
    let mut text = format!("name = \"{name}\"\nvocabulary = \"corridor\"\nrevision = {revision}\n");
    for (id, hard, formula) in laws {
        let strength = if *hard { "hard" } else { "soft" };
        text.push_str(&format!(
            "[[law]]\nid = \"{id}\"\nformula = \"{formula}\"\nstrength = \"{strength}\"\nexplanation = \"This is {id}.\"\n\
             status = \"adopted\"\nprovenance = {{ origin = \"hand\" }}\n"
        ));
    }
    text
}

/// Two book files next to a store.
struct Books {
    fixture: Fixture,
    /// The reported changes of books.
    told: RefCell<Vec<String>>,
}

impl Books {
    fn new() -> Self {
        let books = Self { fixture: Fixture::new(), told: RefCell::default() };
        books.write("one", &text("one", 1, &[("never-left", true, "G !action_left")]));
        books.write("two", &text("two", 1, &[]));
        books
    }

    fn path(&self, name: &str) -> PathBuf {
        self.fixture.directory.path().join(format!("{name}.toml"))
    }

    fn write(&self, name: &str, text: &str) {
        std::fs::write(self.path(name), text).unwrap();
    }

    fn record(&self, path: &Path) -> BookRecord {
        let vocabulary = corridor(4).vocabulary();
        let reading = Reading::load(path, &[vocabulary]).unwrap();
        BookRecord::of(&reading.into_book().unwrap(), &path.display().to_string())
    }

    fn facts(&self) -> RunFacts {
        let vocabulary = corridor(4).vocabulary();
        let records: Vec<BookRecord> = NAMES.iter().map(|name| self.record(&self.path(name))).collect();
        let read = |one: &BookRecord| Reading::parse(&one.text, &one.source, std::slice::from_ref(&vocabulary));
        let books: Vec<_> = records.iter().map(|one| read(one).into_book().unwrap()).collect();
        RunFacts { books: records, ..facts(laws_together(&books)) }
    }

    /// Begins a run, or resumes run 1. The actor sees every step, so it can change files between two steps.
    fn go(
        &self,
        actor: impl AsyncFnMut(&Situation<'_>) -> crate::common::Answer,
        stop_after: Option<u64>,
        resume: bool,
    ) -> Result<RunSummary, AgentError> {
        let (mut world, mut actor) = (corridor(4), Script(actor));
        let interrupt = Interrupt::new();
        let signal = interrupt.clone();
        let mut observer = |event: &Event<'_>| match event {
            Event::Stored { record, .. } if Some(record.step) == stop_after => signal.request(),
            Event::LawsReplaced { change, .. } => self.told.borrow_mut().push(format!(
                "{}: {} +{} -{} ~{}",
                change.step,
                change.books.iter().map(|book| book.to.as_str()).collect::<Vec<_>>().join(" "),
                change.added.join(","),
                change.retired.join(","),
                change.changed.join(",")
            )),
            Event::BookNotTaken { step, not_taken } => {
                self.told.borrow_mut().push(format!("{step}: not taken: {}", not_taken.reason));
            }
            _ => {}
        };
        let facts = self.facts_or_stored(resume);
        let mut watch = BookWatch::new(&facts.books, &world.vocabulary()).unwrap();
        let agent = crate::common::agent(&mut actor, &mut observer, interrupt, &mut watch);
        let start = if resume { self.fixture.go_on(RunId(1), None) } else { self.fixture.begin(facts) };
        block_on(agent.run_in(&mut world, start))
    }

    fn facts_or_stored(&self, resume: bool) -> RunFacts {
        if !resume {
            return self.facts();
        }
        let mut in_force = InForce::at_start(&self.fixture.store.manifest(RunId(1)).unwrap());
        for step in self.fixture.steps(RunId(1)) {
            in_force.apply(&step);
        }
        RunFacts { books: in_force.books, ..facts(Vec::new()) }
    }
}

/// Waits unless a law forbids it, and changes files during some steps.
fn waits<'a>(edits: &'a dyn Fn(u64)) -> impl AsyncFnMut(&Situation<'_>) -> crate::common::Answer + 'a {
    async move |situation: &Situation<'_>| {
        if situation.refusals.is_empty() {
            edits(situation.step);
        }
        propose(situation, if situation.refusals.is_empty() { "action_wait" } else { "action_right" })
    }
}

#[test]
fn a_revision_is_in_force_from_the_next_step_on() {
    let books = Books::new();
    let no_waiting = text("two", 2, &[("no-waiting", false, "G !action_wait")]);
    let edits = |step| match step {
        // The file changes while the actor thinks about step 2. Its answer is judged by the laws in force when it was
        // asked.
        2 => books.write("two", &no_waiting),
        3 => books.write("two", "nonsense"),
        4 => books.write("two", &text("two", 3, &[])),
        _ => {}
    };
    let summary = books.go(waits(&edits), Some(6), false).unwrap();
    let steps = books.fixture.steps(summary.run);
    let waited: Vec<bool> = steps[1..].iter().map(|step| step.executed.as_ref().unwrap().action.0 == 2).collect();
    assert_eq!(waited, [true, true, false, false, true, true]);
    assert_eq!(
        *books.told.borrow(),
        ["3: two@2 +no-waiting - ~", "4: not taken: key with no value, expected `=`", "5: two@3 + -no-waiting ~"]
    );
    let new_books = |step: usize| steps[step].new_books.iter().map(|book| book.text.as_str()).collect::<Vec<_>>();
    assert_eq!(new_books(3), [no_waiting.as_str()]);
    assert_eq!((new_books(2).len(), new_books(4).len(), new_books(5).len()), (0, 0, 1));
    // The manifest holds the books at the start of the run.
    let manifest = books.fixture.store.manifest(summary.run).unwrap();
    assert_eq!(manifest.books[1].revision, 1);
    let judged = replay(&books.fixture.store, summary.run, None).unwrap();
    assert!(judged.is_same(), "{}", render(&judged, true));
    let export = books.fixture.export(summary.run);
    assert_eq!(export.matches("\"new_books\"").count(), 2);
    assert!(books.fixture.store.verify().unwrap().is_sound());
}

#[test]
fn a_resumed_run_goes_on_with_the_revision_it_had_and_takes_a_later_one() {
    let books = Books::new();
    let no_waiting = |revision| text("two", revision, &[("no-waiting", false, "G !action_wait")]);
    let edits = |step| {
        if step == 1 {
            books.write("two", &no_waiting(3));
        }
    };
    books.go(waits(&edits), Some(2), false).unwrap();
    // An older revision returned while no process ran, and the other book broke.
    books.write("two", &text("two", 2, &[]));
    books.write("one", "nonsense");
    let edits = |step| match step {
        3 => books.write("one", &text("one", 2, &[])),
        4 => books.write("two", &text("two", 4, &[])),
        _ => {}
    };
    let summary = books.go(waits(&edits), Some(5), true).unwrap();
    assert_eq!(
        *books.told.borrow(),
        [
            "2: two@3 +no-waiting - ~",
            "3: not taken: key with no value, expected `=`",
            "3: not taken: its revision went back to 2",
            "4: one@2 + -never-left ~",
            "5: two@4 + -no-waiting ~",
        ]
    );
    // The change of the other book kept this book's laws, although its file had changed by then.
    let steps = books.fixture.steps(summary.run);
    assert_eq!(steps[4].new_laws.as_ref().unwrap().iter().map(|law| &*law.id).collect::<Vec<_>>(), ["no-waiting"]);
    let judged = replay(&books.fixture.store, summary.run, None).unwrap();
    assert!(judged.is_same(), "{}", render(&judged, true));
    assert_eq!(RunSummary::of(&books.fixture.store, summary.run).unwrap(), summary);
}

/// Laws of every shape over a corridor of four places.
fn law() -> impl Strategy<Value = String> {
    let place = (0..4_u8).prop_map(|place| format!("at_{place}"));
    let action = prop_oneof![Just("action_left"), Just("action_right"), Just("action_wait"), Just("action_stop")];
    (place.clone(), place, action, 0..6_u8).prop_map(|(here, there, action, form)| match form {
        0 => format!("G({here} -> X !{action})"),
        1 => format!("G({here} -> X {action})"),
        2 => format!("F {there}"),
        3 => format!("G({here} -> F {action})"),
        4 => format!("!{there} W {action}"),
        _ => format!("{here} U {action}"),
    })
}

/// A change of a file: the step before which it happens, the book, its revision, its laws by number, and true if it is
/// damaged.
type Edit = (u64, usize, u64, Vec<(u8, bool, String)>, bool);

fn edit() -> impl Strategy<Value = Edit> {
    let laws = prop::collection::vec((0..4_u8, any::<bool>(), law()), 0..4);
    (1..12_u64, 0..2_usize, 0..6_u64, laws, prop::bool::weighted(0.2))
}

/// Checks any changes of the files during a run, with any interruption. The run can be resumed, the laws in force are
/// in the store, and judging the run again changes nothing.
#[test]
fn any_run_with_changing_books_is_the_same_under_its_own_laws() {
    let cases = (prop::collection::vec(edit(), 1..8), any::<u64>(), 1..8_u64);
    let mut runner = TestRunner::new(ProptestConfig { cases: 150, ..ProptestConfig::default() });
    let checked = runner.run(&cases, |(edits, seed, stop)| {
        let books = Books::new();
        let apply = |step: u64| {
            for (_, book, revision, laws, damaged) in edits.iter().filter(|edit| edit.0 == step) {
                let ids: Vec<String> = laws.iter().map(|(id, ..)| format!("law-{id}")).collect();
                let laws: Vec<_> = ids
                    .iter()
                    .zip(laws)
                    .map(|(id, (_, hard, formula))| (id.as_str(), *hard, formula.as_str()))
                    .collect();
                let text = text(NAMES[*book], *revision, &laws);
                books.write(NAMES[*book], if *damaged { &text[..text.len() / 2] } else { &text });
            }
        };
        let actor = || {
            let mut random_actor = random_actor(seed).0;
            async move |situation: &Situation<'_>| {
                if situation.refusals.is_empty() {
                    apply(situation.step);
                }
                random_actor(situation).await
            }
        };
        let begun = books.go(actor(), Some(stop), false).unwrap();
        let summary = if begun.resumable { books.go(actor(), None, true).unwrap() } else { begun };
        let (store, run) = (&books.fixture.store, summary.run);
        let judged = replay(store, run, None).unwrap();
        prop_assert!(judged.is_same(), "{}", render(&judged, true));
        prop_assert_eq!(&RunSummary::of(store, run).unwrap(), &summary);
        prop_assert!(store.verify().unwrap().is_sound());
        // The laws of every step belong to the books of that step.
        let mut in_force = InForce::at_start(&store.manifest(run).unwrap());
        for step in books.fixture.steps(run) {
            let Some(change) = in_force.apply(&step) else { continue };
            prop_assert!(!change.books.is_empty());
            let vocabulary = corridor(4).vocabulary();
            let laws = BookWatch::new(&in_force.books, &vocabulary).unwrap().laws();
            prop_assert_eq!(&ltlcrit_engine::agent::law_records(&laws), &in_force.laws);
        }
        Ok(())
    });
    checked.unwrap_or_else(|failure| panic!("{failure}"));
}

/// Hindsight agrees with replay in every run, for a guarded law that always leaves an action.
#[test]
fn hindsight_is_what_replay_says() {
    let place = || (0..4_u8).prop_map(|place| format!("at_{place}"));
    let demand = prop_oneof![
        Just("!action_left"),
        Just("!action_wait"),
        Just("!action_stop"),
        Just("action_right"),
        Just("(action_wait | action_stop)"),
    ];
    let law = (place(), place(), any::<bool>(), demand).prop_map(|(here, there, both, demand)| {
        let guard = if both { format!("{here} | {there}") } else { format!("!{here}") };
        format!("G({guard} -> X {demand})")
    });
    let cases = (prop::collection::vec(law, 1..4), prop::collection::vec(any::<u64>(), 1..4));
    let mut runner = TestRunner::new(ProptestConfig { cases: 60, ..ProptestConfig::default() });
    let checked = runner.run(&cases, |(laws, seeds)| {
        let fixture = Fixture::new();
        for seed in &seeds {
            fixture.run(corridor(4), random_actor(*seed), facts(Vec::new()));
        }
        let vocabulary = corridor(4).vocabulary();
        let laws: Vec<_> = laws.iter().map(|law| crate::common::hard("law", law)).collect();
        let restrictions: Vec<_> = laws.iter().map(|law| Restriction::of(&law.formula, &vocabulary).unwrap()).collect();
        let restrictions: Vec<&Restriction> = restrictions.iter().collect();
        let mut runs = 0;
        let said =
            hindsight(&fixture.store, &restrictions, &Translator::new(vocabulary.clone()), || runs += 1).unwrap();
        prop_assert_eq!(runs, seeds.len());
        for (law, said) in laws.iter().zip(&said) {
            let mut blocked = 0;
            for run in fixture.store.run_ids() {
                let judged = replay(&fixture.store, run.unwrap(), Some(vec![law.clone()].into())).unwrap();
                blocked += judged.counts.executed_now_blocked;
            }
            prop_assert_eq!(said.blocked, blocked, "{}", law.formula);
            prop_assert_eq!(said.blocks.is_some(), said.blocked > 0);
            prop_assert_eq!(said.allows.is_some(), said.applied > said.blocked);
            // Examples come from steps where the law's condition held. A failed one precedes one that followed the law.
            let shown = said.blocks.iter().chain(&said.allows);
            prop_assert!(shown.clone().all(|moment| moment.condition_held == Some(true)));
            prop_assert_eq!(
                said.blocks.as_ref().is_some_and(|moment| moment.failure.is_some()),
                said.blocked_failed > 0
            );
        }
        Ok(())
    });
    checked.unwrap_or_else(|failure| panic!("{failure}"));
}
