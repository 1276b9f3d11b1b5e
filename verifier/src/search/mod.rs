//! Decisions in joint states not met before, for all actions at once.
//!
//! Cheapest first: every action after which all laws accept is allowed, since the run may stop there; only what is left is
//! searched for, and the plan found is tried behind the other actions too. What is decided, and what is not, depends on the
//! joint state alone.

pub(crate) mod common_plan;
mod plan_repair;
mod solver_search;
mod space;

use std::sync::Arc;

use solver_search::SolverSearch;
use space::SearchSpace;

use crate::actions::ActionSet;
use crate::decision_cache::Judged;
use crate::dfa_table::{Code, StateRef};
use crate::joint::{Joint, LAWS_READ, Possible};
use crate::known_parts::LawState;
use crate::law_set::Group;
use crate::letter::{Letter, PropSet};
use crate::parts::Reading;
use crate::run::Now;
use crate::vocabulary::ActionId;

/// The number of actions without a plan above which the plan is made longer to suit them all at once.
const FEW_ACTIONS: usize = 6;
/// Maximum number of letters that are appended to a plan for that.
const MAX_LETTERS: usize = 2_000;

/// Counts, for benches and reports.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct SearchStats {
    /// Joint states decided.
    pub decided: u64,
    /// Actions that had to be searched for.
    pub searches: u64,
    /// Actions that could not be decided.
    pub undecided: u64,
}

/// The bit of each action in the codes of a law.
type ActionBits = Box<[(ActionId, Code)]>;

/// Decides for a group of laws.
pub(crate) struct Search {
    pub group: Arc<Group>,
    space: Arc<SearchSpace>,
    /// The observations that tell joint states apart.
    relevant: PropSet,
    /// By law of the search: the actions that it reads, and the bit that each is in its codes.
    own: Vec<(ActionSet, ActionBits)>,
    /// The actions but stopping that no law reads, and no mask.
    alike: ActionSet,
    solver: SolverSearch,
    pub stats: SearchStats,
}

/// The observations that tell joint states of these laws apart.
fn relevant(joint: &Joint, laws: impl Iterator<Item = usize>) -> PropSet {
    let read: PropSet = laws.flat_map(|law| joint.table.props(law).iter().copied()).collect();
    read.intersection(&PropSet::first(joint.vocabulary().observations().len()))
}

impl Search {
    /// A search for a group of laws.
    pub fn new(joint: &Joint, group: Arc<Group>) -> Self {
        let laws: Vec<usize> = (0..joint.laws.watched.len())
            .filter(|&position| group.watched.binary_search(&joint.laws.watched[position]).is_ok())
            .collect();
        let vocabulary = joint.vocabulary();
        let own = |law: &usize| {
            let props = joint.table.props(*law).iter().enumerate();
            let bits: ActionBits = props
                .filter_map(|(bit, prop)| Some((vocabulary.as_action(*prop)?, 1u16.checked_shl(bit as u32)?)))
                .collect();
            (joint.table.props(*law).iter().filter_map(|prop| vocabulary.as_action(*prop)).collect(), bits)
        };
        let space = Arc::new(SearchSpace { laws, group: group.clone() });
        Self {
            relevant: relevant(joint, space.laws.iter().copied()),
            own: space.laws.iter().map(own).collect(),
            alike: joint.alike(&group),
            solver: SolverSearch::new(space.clone()),
            space,
            group,
            stats: SearchStats::default(),
        }
    }

    /// The positions of the group's laws in the table.
    pub fn laws(&self) -> &[usize] {
        &self.space.laws
    }

    /// The observations that tell joint states apart.
    pub fn relevant(&self) -> &PropSet {
        &self.relevant
    }

    /// Forgets everything that names states of laws, to bound memory.
    pub fn clear(&mut self) {
        self.solver.clear();
    }

    /// Judges actions.
    pub fn judge(&mut self, joint: &mut Joint, now: Now<'_>, asked: &ActionSet) -> Judged {
        self.stats.decided += 1;
        // Each law is looked at a few times; proofs and plans that are tried are counted where they are.
        joint.budget.spend(1 + (4 * self.space.laws.len() / LAWS_READ) as u64);
        self.solver.begin(now);
        let stop: ActionSet = joint.vocabulary().stop().into_iter().collect();
        let here = [Letter(now.letter.observations(joint.vocabulary()))];
        let mut judged = Judged { allowed: self.suited(joint, now, &here, asked, None), ..Judged::default() };
        let mut open = asked.difference(&judged.allowed);
        if !open.is_subset(&stop) {
            open = open.intersection(&self.solver.viable(joint, now).union(&stop));
        }
        if !open.intersection(&stop).is_empty() && !self.rules_stopping_out(joint, now) {
            judged.undecided = stop;
        }
        open = open.difference(&stop);
        while let Some(action) = open.intersection(&self.alike).iter().next().or_else(|| open.iter().next()) {
            let class = match self.alike.contains(action) {
                true => self.alike.intersection(&open),
                false => ActionSet::one(action),
            };
            open = open.difference(&class);
            self.stats.searches += 1;
            match self.find(joint, now, action) {
                Possible::Yes(letters) => {
                    judged.allowed = judged.allowed.union(&class);
                    let found = self.replay(joint, now, &letters, open);
                    judged.allowed = judged.allowed.union(&found);
                    open = open.difference(&found);
                }
                Possible::No(core) => judged.cores.push((class, core)),
                Possible::Unknown(laws) => {
                    judged.undecided = judged.undecided.union(&class);
                    judged.hard_to_decide.extend(laws);
                }
            }
        }
        self.stats.undecided += judged.undecided.len() as u64;
        judged
    }

    /// Searches for a continuation after an action that no mask forbids, its first letter included.
    fn find(&mut self, joint: &mut Joint, now: Now<'_>, action: ActionId) -> Possible {
        let alone = Letter::after(joint.vocabulary(), action, now.letter.observations(joint.vocabulary()));
        let near = match self.solver.settles_by_parts() {
            false => Vec::new(),
            true => match joint.by_parts(now, &self.group, action, vec![alone], 1) {
                Ok(answer) => {
                    if let Possible::Yes(letters) = &answer {
                        self.solver.keep(joint, letters);
                    }
                    return answer;
                }
                Err(near) => near,
            },
        };
        self.solver.search(joint, now, action, near)
    }

    /// Returns whether some law is known not to accept if the run stops here.
    fn rules_stopping_out(&self, joint: &mut Joint, now: Now<'_>) -> bool {
        let Some(stop) = joint.vocabulary().stop() else { return true };
        let end = Letter::after(joint.vocabulary(), stop, now.letter.observations(joint.vocabulary()));
        self.space.laws.iter().any(|&law| {
            let code = joint.table.code(law, &end);
            let end = joint.step(law, now.states[law], code);
            end != StateRef::LOST && !end.accepts()
        })
    }

    /// A law, by number, that alone leaves an action no continuation.
    pub fn refuting(&mut self, joint: &mut Joint, now: Now<'_>, action: ActionId) -> Option<usize> {
        if Some(action) == joint.vocabulary().stop() {
            return None;
        }
        let position = self.solver.refuting(joint, now, action)?;
        Some(joint.laws.watched[position])
    }

    /// Tries a plan behind every open action; the actions it works for. Where it leaves many, what settles the laws that they
    /// break is laid behind it, for all of them at once.
    fn replay(&mut self, joint: &mut Joint, now: Now<'_>, plan: &[Letter], open: ActionSet) -> ActionSet {
        if open.is_empty() {
            return open;
        }
        let mut found = self.suited(joint, now, plan, &open, None);
        if found != open {
            // Or first the action and then all of the plan.
            let mut later = vec![Letter(now.letter.observations(joint.vocabulary()))];
            later.extend_from_slice(plan);
            found = found.union(&self.suited(joint, now, &later, &open.difference(&found), None));
        }
        let left = open.difference(&found);
        if left.len() <= FEW_ACTIONS || joint.budget.is_out() {
            return found;
        }
        let mut breaking = Vec::new();
        self.suited(joint, now, plan, &left, Some(&mut breaking));
        if breaking.is_empty() {
            return found;
        }
        let Some(longer) = self.lengthened(joint, now, plan, breaking) else { return found };
        if joint.masking(now.letter, &self.group, &longer).is_some() {
            return found;
        }
        found.union(&self.suited(joint, now, &longer, &left, None))
    }

    /// A plan with what settles these laws, by position, after actions that leave them owing something.
    fn lengthened(
        &mut self,
        joint: &mut Joint,
        now: Now<'_>,
        plan: &[Letter],
        mut breaking: Vec<(ActionId, usize)>,
    ) -> Option<Vec<Letter>> {
        let (vocabulary, mut longer) = (joint.vocabulary().clone(), plan.to_vec());
        breaking.sort_unstable();
        for laws in breaking.chunk_by(|one, other| one.0 == other.0) {
            let named = |&(_, law): &(ActionId, usize)| (joint.laws.watched[law], joint.table.state(now.states[law]));
            let mut question: Vec<LawState> = laws.iter().map(named).collect();
            question.sort_unstable();
            let Possible::Yes(letters) = joint.lay(&question, laws[0].0) else { continue };
            let observed = longer.last()?.observations(&vocabulary);
            let more = letters[1..].iter().filter_map(|letter| {
                let action = letter.action(&vocabulary).filter(|action| Some(*action) != vocabulary.stop())?;
                Some(Letter::after(&vocabulary, action, observed.union(&letter.observations(&vocabulary))))
            });
            let more: Vec<Letter> = more.collect();
            if !longer.ends_with(&more) {
                longer.extend(more);
            }
            if longer.len() > MAX_LETTERS {
                return None;
            }
        }
        Some(longer)
    }

    /// The asked actions after which, and after the rest of a plan, all laws accept: they take the place of its first. The laws
    /// that break it after one of their own actions are told.
    fn suited(
        &mut self,
        joint: &mut Joint,
        now: Now<'_>,
        plan: &[Letter],
        asked: &ActionSet,
        mut breaking: Option<&mut Vec<(ActionId, usize)>>,
    ) -> ActionSet {
        let Some((first, rest)) = plan.split_first() else { return ActionSet::EMPTY };
        let vocabulary = joint.vocabulary().clone();
        let observations = first.observations(&vocabulary);
        let without = Letter(observations);
        let mut reading = Reading::new(rest);
        // `fit` suits the laws that do not read it, `left` the others too.
        let (mut fit, mut left) = (*asked, *asked);
        // Few laws owe anything, and most plans fail there.
        for pending in [true, false] {
            for (at, &law) in self.space.laws.iter().enumerate() {
                let state = now.states[law];
                if state.accepts() == pending {
                    continue;
                }
                let (own, bits) = &self.own[at];
                let mine = own.intersection(if breaking.is_some() { &fit } else { &left });
                let others = left.difference(own);
                if mine.is_empty() && others.is_empty() {
                    continue;
                }
                reading.by(joint, law);
                let base = joint.table.code(law, &without);
                if !others.is_empty() && !ends(joint, law, state, base, &reading) {
                    (fit, left) = (fit.intersection(own), left.intersection(own));
                }
                let is_wide = joint.table.is_wide(law);
                let wide = own.iter().filter(|_| is_wide).map(|action| (action, 0));
                let dense = bits.iter().filter(|_| !is_wide).copied();
                for (action, bit) in wide.chain(dense).filter(|(action, _)| mine.contains(*action)) {
                    let code = match is_wide {
                        true => joint.table.code(law, &Letter::after(&vocabulary, action, observations)),
                        false => base | bit,
                    };
                    if ends(joint, law, state, code, &reading) {
                        continue;
                    }
                    left.remove(action);
                    if let Some(breaking) = &mut breaking {
                        breaking.push((action, law));
                    }
                }
                if if breaking.is_some() { fit.is_empty() } else { left.is_empty() } {
                    joint.budget.spend(reading.cost());
                    return left;
                }
            }
        }
        joint.budget.spend(reading.cost());
        left
    }
}

/// Returns whether a law accepts after a code and the letters read.
fn ends(joint: &mut Joint, law: usize, state: StateRef, code: Code, reading: &Reading<'_>) -> bool {
    let state = joint.step(law, state, code);
    joint.run(law, state, &reading.runs).accepts()
}
