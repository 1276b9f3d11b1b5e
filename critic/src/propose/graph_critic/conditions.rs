//! When an action should be blocked: the states that speak for it and those that speak against, and the conditions that
//! tell them apart.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use ltlcrit_verifier::guarded::recognise_all;
use ltlcrit_verifier::{ActionId, ActionSet, Formula, GuardedLaw, PropId, PropSet, Vocabulary};
use petgraph::graph::NodeIndex;

use super::occasions::Worths;
use super::stalls;
use super::{Brief, GraphCriticOptions, LawSource};
use crate::graph::stuck::{at_the_start, of_the_place};
use crate::graph::{ChoiceClass, Citation, Target};
use crate::minimise::{Cube, Examples, Found, minimise};
use crate::propose::KnownLaw;

/// What a literal costs that is always true on one side and never on the other.
const DISTINCT: u32 = 4;
/// What it costs more when it is as often true on either side.
const BESIDE: u32 = 8;
/// What it costs more when it tells of the place.
const OF_THE_PLACE: u32 = 4;

/// Made so often, a choice is no luck of the place.
const USUAL: u32 = 5;

/// What laws of the form block.
pub(super) struct Blocks<'a> {
    guarded: Vec<(GuardedLaw, ActionSet)>,
    vocabulary: &'a Vocabulary,
}

impl<'a> Blocks<'a> {
    pub fn new(laws: &[KnownLaw], vocabulary: &'a Vocabulary) -> Self {
        let guarded = laws.iter().filter_map(|law| recognise_all(&law.formula, vocabulary).ok()).flatten();
        let guarded = guarded.map(|law| {
            let allowed = law.allows(vocabulary);
            (law, allowed)
        });
        Self { guarded: guarded.collect(), vocabulary }
    }

    /// What must be so for no law of a single condition to block an action.
    pub fn never(&self, action: ActionId) -> Cube {
        let against = self.guarded.iter().filter(|(_, allowed)| !allowed.contains(action));
        against
            .filter_map(|(law, _)| literal(&law.guard, self.vocabulary))
            .map(|(prop, holds)| (prop, !holds))
            .collect()
    }

    /// Whether some law blocks an action in a state.
    pub fn blocks(&self, state: &PropSet, action: ActionId) -> bool {
        self.guarded.iter().any(|(law, allowed)| !allowed.contains(action) && law.applies(self.vocabulary, state))
    }
}

/// A state that speaks for blocking an action.
#[derive(Clone, Copy, Debug)]
pub(super) struct Witness {
    pub state: PropSet,
    /// `None` if the action was not made there, but blocked.
    pub choice: Option<NodeIndex>,
    /// How many steps were taken with this choice; where it was blocked, in how many runs.
    pub made: u32,
    pub first: Citation,
}

/// The states that speak for blocking an action, and those that speak against.
#[derive(Clone, Debug, Default)]
pub(super) struct Sides {
    pub on: Vec<Witness>,
    pub off: BTreeSet<PropSet>,
}

/// What a law is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Subject {
    /// The action fails.
    Fails(ActionId),
    /// The action was done over and over, to no end.
    Stalls(ActionId),
    /// The action gets there in fewer steps than what was done instead.
    Best(ActionId),
}

impl Subject {
    /// The action that is blocked, or demanded.
    pub fn action(self) -> ActionId {
        match self {
            Self::Fails(action) | Self::Stalls(action) | Self::Best(action) => action,
        }
    }

    pub fn source(self) -> LawSource {
        match self {
            Self::Fails(_) => LawSource::EnvironmentFeedback,
            Self::Stalls(_) | Self::Best(_) => LawSource::Efficiency,
        }
    }
}

/// Everything laws could be about, with the states that speak for and against. Choices that are blocked already speak for
/// nothing any more.
pub(super) fn subjects(
    brief: &Brief<'_>,
    worths: &Worths,
    blocks: &Blocks<'_>,
    support: u32,
) -> BTreeMap<Subject, Sides> {
    // Short of the goal, what was best on the way to a subgoal may have been luck of the place: nothing is demanded for it.
    let there = brief.classes.target() == Target::Goal && brief.classes.target_was_reached();
    let mut subjects: BTreeMap<Subject, Sides> = BTreeMap::new();
    for ((state, action), worth) in worths {
        let subject = match worth.class {
            ChoiceClass::Failed => Some(Subject::Fails(*action)),
            ChoiceClass::Inefficient => worth.best(support).filter(|_| there).map(Subject::Best),
            ChoiceClass::Efficient | ChoiceClass::Unknown => None,
        };
        let Some(subject) = subject.filter(|_| !blocks.blocks(state, *action)) else { continue };
        let choice = brief.graph.state(state).and_then(|place| brief.graph.choice(place, *action));
        let Some(choice) = choice else { continue };
        let Some(first) = brief.graph.outcomes(choice).map(|(.., first)| first).min() else { continue };
        let witness = Witness { state: *state, choice: Some(choice), made: brief.graph.made(choice).0, first };
        subjects.entry(subject).or_default().on.push(witness);
    }
    let stalls = stalls::stalls(brief);
    let choice_of =
        |state: &PropSet, action| brief.graph.state(state).and_then(|place| brief.graph.choice(place, action));
    // What was best excuses what led nowhere if it is usual and mostly did lead on: the only choice known is always best, and
    // on the hundredth visit to a state only what led nowhere is known.
    let efficient = |state: PropSet, action: ActionId| {
        let stalled = stalls.get(&(state, action)).map_or(0, |stall| stall.count);
        choice_of(&state, action).is_some_and(|choice| {
            let (made, _) = brief.graph.made(choice);
            made >= USUAL
                && 2 * stalled < made
                && brief.classes.class(brief.graph, choice) == ChoiceClass::Efficient
                && worths.get(&(state, action)).is_some_and(|worth| worth.class == ChoiceClass::Efficient)
        })
    };
    let stalling: BTreeSet<ActionId> = stalls.keys().map(|(_, action)| *action).collect();
    let stalled = stalls.iter().filter_map(|((state, action), stall)| {
        let choice = choice_of(state, *action)?;
        Some((*action, Witness { state: *state, choice: Some(choice), made: stall.count, first: stall.first }))
    });
    // What led nowhere somewhere did no good either where it was blocked and the run got on.
    let spared =
        brief.blocked.spared.iter().filter(|(choice, _)| stalling.contains(&choice.1) && !stalls.contains_key(*choice));
    let spared = spared.map(|((state, action), spared)| {
        (*action, Witness { state: *state, choice: None, made: spared.runs, first: spared.first })
    });
    for (action, witness) in stalled.chain(spared) {
        if !efficient(witness.state, action) && !blocks.blocks(&witness.state, action) {
            subjects.entry(Subject::Stalls(action)).or_default().on.push(witness);
        }
    }
    for (subject, sides) in &mut subjects {
        // Where an action ever worked, it is not said to fail; where it was usually efficient, not to stall. And it is demanded
        // neither where it is not as good as any other nor where another was: on some other occasion that may be the one to
        // take.
        let against = worths.iter().filter(|((state, action), worth)| match *subject {
            Subject::Fails(blocked) => *action == blocked && worth.class != ChoiceClass::Failed,
            Subject::Stalls(stalling) => *action == stalling && efficient(*state, *action),
            Subject::Best(best) => (*action == best) != (worth.class == ChoiceClass::Efficient),
        });
        sides.off.extend(against.map(|((state, _), _)| *state));
        // Where it was wanted, blocked, and nothing else led anywhere either. That it fails is known from other states: it takes
        // more to doubt that.
        let wanted = brief.blocked.in_dead_ends.iter().filter(|wanted| match *subject {
            Subject::Stalls(stalling) => wanted.action == stalling,
            Subject::Fails(failing) => wanted.action == failing && wanted.insisted,
            Subject::Best(_) => false,
        });
        sides.off.extend(wanted.map(|wanted| wanted.state));
        if let Subject::Stalls(_) = subject {
            let Sides { on, off } = sides;
            on.retain(|witness| !off.contains(&witness.state));
        }
    }
    subjects
}

/// What held in every state in which an action was efficient and not in all others, and what it brought about and was never
/// there before.
///
/// That an action fails can be said on one condition. That it is the best one to take has many: everything that was ever
/// needed, and that it was not done already. What tells of the place is left out.
pub(super) fn always_so(brief: &Brief<'_>, action: ActionId, worths: &Worths) -> Cube {
    let observations = PropSet::first(brief.vocabulary.observations().len());
    let good = worths.iter().filter(|((_, taken), worth)| *taken == action && worth.class == ChoiceClass::Efficient);
    let states: Vec<&PropSet> = good.map(|((state, _), _)| state).collect();
    let common = states.iter().map(|state| Cube::of(state, &observations)).reduce(|common, cube| common.common(&cube));
    let Some(common) = common else { return Cube::default() };
    let varies = of_the_place(brief.graph);
    let sometimes_not = |prop: PropId| brief.graph.states().any(|(_, state)| !state.contains(prop));
    let mut brought = PropSet::EMPTY;
    for state in states {
        let choice = brief.graph.state(state).and_then(|place| brief.graph.choice(place, action));
        for (to, ..) in choice.into_iter().flat_map(|choice| brief.graph.outcomes(choice)) {
            brought = brought.union(&brief.graph.holds(to).map(|after| after.difference(state)).unwrap_or_default());
        }
    }
    common
        .literals()
        .filter(|(prop, holds)| {
            !varies.contains(*prop) && if *holds { sometimes_not(*prop) } else { brought.contains(*prop) }
        })
        .collect()
}

/// Without the literals that others imply, as far as axioms that are implications between literals say so.
pub(super) fn without_implied(cube: &Cube, vocabulary: &Vocabulary) -> Cube {
    let rules: Vec<((PropId, bool), (PropId, bool))> =
        vocabulary.axioms().iter().flat_map(|axiom| implications(axiom, vocabulary)).collect();
    let mut kept = *cube;
    for (prop, holds) in cube.literals() {
        let mut rest: Vec<(PropId, bool)> = kept.literals().filter(|literal| *literal != (prop, holds)).collect();
        let others = rest.clone();
        let mut known: BTreeSet<(PropId, bool)> = rest.iter().copied().collect();
        while let Some(one) = rest.pop() {
            for (_, then) in rules.iter().filter(|(given, _)| *given == one) {
                if known.insert(*then) {
                    rest.push(*then);
                }
            }
        }
        if known.contains(&(prop, holds)) {
            kept = others.into_iter().collect();
        }
    }
    kept
}

/// What an axiom says of one literal given another, if that is all it says.
fn implications(axiom: &Formula, vocabulary: &Vocabulary) -> Vec<((PropId, bool), (PropId, bool))> {
    let (given, then) = match axiom {
        Formula::Implies(given, then) => (literal(given, vocabulary), literal(then, vocabulary)),
        Formula::Not(both) => match &**both {
            Formula::And(one, other) => {
                (literal(one, vocabulary), literal(other, vocabulary).map(|(prop, holds)| (prop, !holds)))
            }
            _ => (None, None),
        },
        _ => (None, None),
    };
    match (given, then) {
        (Some(given), Some(then)) => vec![(given, then), ((then.0, !then.1), (given.0, !given.1))],
        _ => Vec::new(),
    }
}

/// A proposition and whether it holds, if that is all a formula says.
pub(super) fn literal(formula: &Formula, vocabulary: &Vocabulary) -> Option<(PropId, bool)> {
    match formula {
        Formula::Atom(name) => Some((vocabulary.id(name)?, true)),
        Formula::Not(inner) => literal(inner, vocabulary).map(|(prop, holds)| (prop, !holds)),
        _ => None,
    }
}

/// Conditions that hold in the states that speak for blocking and in none that speaks against.
pub(super) fn conditions(
    brief: &Brief<'_>,
    subject: Subject,
    sides: &Sides,
    options: GraphCriticOptions,
) -> Vec<Found> {
    if sides.on.is_empty() {
        return Vec::new();
    }
    let observations = PropSet::first(brief.vocabulary.observations().len());
    let found = if !options.generalise {
        let one = |(at, witness): (usize, &Witness)| Found {
            cube: Cube::of(&witness.state, &observations),
            covers: vec![at],
        };
        sides.on.iter().enumerate().map(one).collect()
    } else if matches!(subject, Subject::Stalls(_)) {
        bold(brief, sides).into_iter().collect()
    } else if sides.off.is_empty() {
        // Nothing tells how far it goes: no further than what all these states have in common.
        let common = sides.on.iter().map(|witness| Cube::of(&witness.state, &observations)).reduce(|a, b| a.common(&b));
        let cube = without_implied(&common.unwrap_or_default(), brief.vocabulary);
        vec![Found { cube, covers: (0..sides.on.len()).collect() }]
    } else {
        let on: Vec<(PropSet, u32)> = sides.on.iter().map(|witness| (witness.state, witness.made)).collect();
        let off: Vec<PropSet> = sides.off.iter().copied().collect();
        minimise(&Examples { on: &on, off: &off, costs: &costs(brief, &on, &off) }).cubes
    };
    let support = |found: &Found| found.covers.iter().map(|at| sides.on[*at].made).sum::<u32>();
    found.into_iter().filter(|found| support(found) >= options.support).collect()
}

/// What led nowhere is given up for good, in any place, until that leads into a dead end: the one condition that says most.
/// Only where it would leave no action does the place count.
fn bold(brief: &Brief<'_>, sides: &Sides) -> Option<Found> {
    let place = at_the_start(brief.graph);
    let elsewhere = |state: &PropSet| state.difference(&place);
    let on: BTreeSet<PropSet> = sides.on.iter().map(|witness| elsewhere(&witness.state)).collect();
    let (here, apart): (Vec<PropSet>, Vec<PropSet>) =
        sides.off.iter().copied().partition(|state| on.contains(&elsewhere(state)));
    let weight = |found: &Found| found.covers.iter().map(|at| sides.on[*at].made).sum::<u32>();
    let most = |found: Vec<Found>| found.into_iter().max_by_key(|found| (weight(found), Reverse(found.cube)));
    let costs = bold_costs(brief);
    let minimal = |sides: &Sides, off: &[PropSet], unseen: &PropSet| {
        let seen = |state: &PropSet| state.difference(unseen);
        let on: Vec<(PropSet, u32)> = sides.on.iter().map(|witness| (seen(&witness.state), witness.made)).collect();
        let off: Vec<PropSet> = off.iter().map(seen).collect();
        most(minimise(&Examples { on: &on, off: &off, costs: &costs }).cubes)
    };
    let widest = minimal(sides, &apart, &place)?;
    let clashes: Vec<PropSet> = here.into_iter().filter(|state| widest.cube.holds(state)).collect();
    if clashes.is_empty() {
        return Some(widest);
    }
    let rest = Sides { on: widest.covers.iter().map(|at| sides.on[*at]).collect(), off: BTreeSet::new() };
    let task = PropSet::first(brief.vocabulary.observations().len()).difference(&place);
    let narrower = minimal(&rest, &clashes, &task).map(|found| {
        let covers = found.covers.iter().map(|at| widest.covers[*at]).collect();
        Found { cube: widest.cube.and(&found.cube), covers }
    });
    // The place may tell less than everything together.
    let off: Vec<PropSet> = sides.off.iter().copied().collect();
    most(minimal(sides, &off, &PropSet::EMPTY).into_iter().chain(narrower).collect())
}

/// What literals cost, by proposition, when as much as possible is to be given up: the rarer something is among the states
/// runs were in, the more of them a condition covers that it is not there.
fn bold_costs(brief: &Brief<'_>) -> Vec<u32> {
    let states = brief.graph.states().count().max(1) as f64;
    let share = |prop: PropId| brief.graph.states().filter(|(_, state)| state.contains(prop)).count() as f64 / states;
    let cost = |prop: PropId| DISTINCT + (share(prop) * f64::from(BESIDE)).round() as u32;
    (0..brief.vocabulary.observations().len()).map(|prop| cost(PropId(prop as u16))).collect()
}

/// What literals cost, by proposition. Those that differ from run to run before anything was done tell of the place, not
/// of the task, and transfer less well to other places. And those that are about as often true on one side as on the other
/// have little to do with the matter, even where they happen to tell the few states seen apart.
fn costs(brief: &Brief<'_>, on: &[(PropSet, u32)], off: &[PropSet]) -> Vec<u32> {
    let varies = of_the_place(brief.graph);
    let share = |among: usize, whole: usize| if whole == 0 { 0.5 } else { among as f64 / whole as f64 };
    let cost = |prop: PropId| {
        let here = share(on.iter().filter(|(state, _)| state.contains(prop)).count(), on.len());
        let there = share(off.iter().filter(|state| state.contains(prop)).count(), off.len());
        let beside_the_matter = 1.0 - (here - there).abs();
        DISTINCT
            + (beside_the_matter * f64::from(BESIDE)).round() as u32
            + if varies.contains(prop) { OF_THE_PLACE } else { 0 }
    };
    (0..brief.vocabulary.observations().len()).map(|prop| cost(PropId(prop as u16))).collect()
}
