//! Conditions of new laws: evidence for and against blocking an action, and formulas that separate the two.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use ltlcrit_verifier::{ActionId, Formula, PropId, PropSet, Vocabulary, minimal_subset};
use petgraph::graph::NodeIndex;

use super::occasions::Worths;
use super::options::GraphCriticOptions;
use super::stalls;
use crate::change::LawSource;
use crate::graph::stuck::{at_the_start, of_the_place};
use crate::graph::{ChoiceClass, Citation, Target};
use crate::law::Restriction;
use crate::minimise::{Cube, Examples, Found, minimise};
use crate::propose::Brief;

/// The cost of a literal that is always true on one side and never on the other.
const DISTINCT: u32 = 4;
/// The further cost of a literal that is as often true on either side.
const BESIDE: u32 = 8;
/// The further cost of a literal that tells of the place.
const OF_THE_PLACE: u32 = 4;

/// The number of times from which on an efficient choice is not taken for chance.
const USUAL: u32 = 5;

/// The literals under which no law with a single literal as its condition blocks an action.
pub(super) fn never_blocked(brief: &Brief<'_>, action: ActionId) -> Cube {
    let parts = brief.laws.iter().filter_map(|law| law.restriction.as_ref()).flat_map(Restriction::parts);
    let against = parts.filter(|(_, blocked)| blocked.contains(action));
    against.filter_map(|(part, _)| literal(&part.guard, brief.vocabulary)).map(|(prop, holds)| (prop, !holds)).collect()
}

/// Whether some law blocks an action in a state.
fn is_blocked(brief: &Brief<'_>, state: &PropSet, action: ActionId) -> bool {
    brief.laws.iter().any(|law| law.blocks(state, action, brief.vocabulary))
}

/// A state that is evidence for blocking an action.
#[derive(Clone, Copy, Debug)]
pub(super) struct Witness {
    pub state: PropSet,
    /// `None` if the action was not made there, but blocked.
    pub choice: Option<NodeIndex>,
    /// The number of steps taken with this choice; where it was blocked, the number of runs.
    pub made: u32,
    pub first: Citation,
}

/// The states that are evidence for blocking an action, and those that are evidence against it.
#[derive(Clone, Debug, Default)]
pub(super) struct Sides {
    pub on: Vec<Witness>,
    pub off: BTreeSet<PropSet>,
}

/// The subject of a law.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Subject {
    /// The action fails.
    Fails(ActionId),
    /// The action was repeated in stalls.
    Stalls(ActionId),
    /// The action reaches the goal in fewer steps than the alternatives taken.
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

/// All subjects of possible laws, each with its evidence. Choices that laws block already are not counted as evidence.
pub(super) fn subjects(brief: &Brief<'_>, worths: &Worths, support: u32) -> BTreeMap<Subject, Sides> {
    // While only subgoals were reached, a best choice may be chance, so no law demands it.
    let there = brief.classes.target() == Target::Goal && brief.classes.target_was_reached();
    let mut subjects: BTreeMap<Subject, Sides> = BTreeMap::new();
    for ((state, action), worth) in worths {
        let subject = match worth.class {
            ChoiceClass::Failed => Some(Subject::Fails(*action)),
            ChoiceClass::Inefficient => worth.best(support).filter(|_| there).map(Subject::Best),
            ChoiceClass::Efficient | ChoiceClass::Unknown => None,
        };
        let Some(subject) = subject.filter(|_| !is_blocked(brief, state, *action)) else { continue };
        let choice = brief.graph.state(state).and_then(|place| brief.graph.choice(place, *action));
        let Some(choice) = choice else { continue };
        let Some(first) = brief.graph.outcomes(choice).map(|(.., first)| first).min() else { continue };
        let witness = Witness { state: *state, choice: Some(choice), made: brief.graph.made(choice).0, first };
        subjects.entry(subject).or_default().on.push(witness);
    }
    let stalls = stalls::stalls(brief);
    let choice_of =
        |state: &PropSet, action| brief.graph.state(state).and_then(|place| brief.graph.choice(place, action));
    // States where the action was efficient are excluded from the stall evidence, if it was taken often enough and mostly led
    // on: the only choice known in a state always counts as efficient, and late visits know only choices that stalled.
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
    // An action that stalled in some state was not needed where it was blocked and the run made progress.
    let spared =
        brief.blocked.spared.iter().filter(|(choice, _)| stalling.contains(&choice.1) && !stalls.contains_key(*choice));
    let spared = spared.map(|((state, action), spared)| {
        (*action, Witness { state: *state, choice: None, made: spared.runs, first: spared.first })
    });
    for (action, witness) in stalled.chain(spared) {
        if !efficient(witness.state, action) && !is_blocked(brief, &witness.state, action) {
            subjects.entry(Subject::Stalls(action)).or_default().on.push(witness);
        }
    }
    for (subject, sides) in &mut subjects {
        // Evidence against: for a failure, states where the action worked; for a stall, states where it was efficient; for a
        // demand, states where the action was not efficient or another one was.
        let against = worths.iter().filter(|((state, action), worth)| match *subject {
            Subject::Fails(blocked) => *action == blocked && worth.class != ChoiceClass::Failed,
            Subject::Stalls(stalling) => *action == stalling && efficient(*state, *action),
            Subject::Best(best) => (*action == best) != (worth.class == ChoiceClass::Efficient),
        });
        sides.off.extend(against.map(|((state, _), _)| *state));
        // Dead ends in which the action was proposed and blocked are evidence against, too. For a failure, a run must have
        // proposed it persistently, because failures elsewhere are strong evidence.
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

/// The literals that held in every state in which an action was efficient and not in all others, and the absence of what it
/// brought about.
///
/// One condition suffices to say that an action fails. A demand needs all preconditions of the action, and that its effect is
/// missing. Literals that tell of the place are left out.
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

/// The cube without literals that others imply by axioms that are implications between literals.
pub(in crate::propose) fn without_implied(cube: &Cube, vocabulary: &Vocabulary) -> Cube {
    let rules: Vec<((PropId, bool), (PropId, bool))> =
        vocabulary.axioms().iter().flat_map(|axiom| implications(axiom, vocabulary)).collect();
    let implied_by = |given: &[(PropId, bool)]| {
        let (mut known, mut open): (BTreeSet<_>, Vec<_>) = (given.iter().copied().collect(), given.to_vec());
        while let Some(one) = open.pop() {
            for (_, then) in rules.iter().filter(|(given, _)| *given == one) {
                if known.insert(*then) {
                    open.push(*then);
                }
            }
        }
        known
    };
    let implies_all = |rest: &[(PropId, bool)]| {
        let known = implied_by(rest);
        cube.literals().all(|literal| known.contains(&literal)).then(|| rest.to_vec())
    };
    minimal_subset(cube.literals().collect(), implies_all).into_iter().collect()
}

/// An axiom as implications between literals, if it is one.
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

/// A formula as a literal, if it is one.
pub(super) fn literal(formula: &Formula, vocabulary: &Vocabulary) -> Option<(PropId, bool)> {
    match formula {
        Formula::Atom(name) => Some((vocabulary.id(name)?, true)),
        Formula::Not(inner) => literal(inner, vocabulary).map(|(prop, holds)| (prop, !holds)),
        _ => None,
    }
}

/// Conditions that hold in states that are evidence for blocking and in none that is evidence against it.
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
        // Without evidence against, the condition is what all these states have in common.
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

/// The widest condition against a stalling action: it ignores literals that tell of the place, unless it then clashes with
/// evidence against.
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

/// The costs of literals for the widest condition, by proposition. The absence of a rare observation covers most states, so
/// rare observations are cheap.
fn bold_costs(brief: &Brief<'_>) -> Vec<u32> {
    let states = brief.graph.states().count().max(1) as f64;
    let share = |prop: PropId| brief.graph.states().filter(|(_, state)| state.contains(prop)).count() as f64 / states;
    let cost = |prop: PropId| DISTINCT + (share(prop) * f64::from(BESIDE)).round() as u32;
    (0..brief.vocabulary.observations().len()).map(|prop| cost(PropId(prop as u16))).collect()
}

/// The costs of literals, by proposition. Observations that differ between the starts of runs tell of the place rather than
/// the task and transfer less well, so they cost more. So do observations that are about as often true on either side, even
/// where they separate the few states seen.
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
