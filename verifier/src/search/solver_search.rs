//! Search for continuations: local search finds them, a solver proves that there are none.
//!
//! A draft is repaired, and for later actions of a decision the plan that worked last ([`PlanRepair`]). Where that fails, the
//! solver is asked about the few laws that were hardest to satisfy. If they have no continuation, that is a proof; if they
//! have one, more laws join the question, and the repair goes on. So the two take turns until one of them succeeds or the
//! budget runs out.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::plan_repair::{PlanRepair, Start};
use super::space::SearchSpace;
use crate::actions::ActionSet;
use crate::dfa_table::{Code, StateRef};
use crate::joint::{Joint, LAWS_READ, Possible};
use crate::letter::Letter;
use crate::run::Now;
use crate::vocabulary::ActionId;

/// If more laws have open obligations, they are settled part by part first.
const MANY_OWING: usize = 32;
/// The number of moves of a repair before the solver is asked.
const MOVES: usize = 12;
/// The number of laws that join a question at a time.
const JOINING: usize = 3;
/// Maximum number of checks in a row without progress before the repair begins again elsewhere.
const PATIENCE: usize = 6;
/// Maximum cost of the first questions to the solver, in units of work; the next ones may cost twice as much.
const FIRST_PROOF: u64 = 500;
/// Maximum number of laws of one question: with them, the solver gets all that is left once the repair is stuck.
const FEW_LAWS: usize = 8;

/// The search of one decision, with the memory that it takes.
pub(super) struct SolverSearch {
    space: Arc<SearchSpace>,
    /// The number of laws with open obligations in the state being judged.
    owing: usize,
    repair: Option<Box<PlanRepair>>,
    /// By state of a law: the actions that the law alone leaves a continuation.
    viable: FxHashMap<StateRef, ActionSet>,
    /// The plan that worked last.
    base: Vec<Letter>,
    /// True if the word being repaired begins at the current letter and breaks little.
    loaded: bool,
}

/// A question for a continuation after an action.
struct Question<'a> {
    now: Now<'a>,
    action: ActionId,
    /// The laws' states now.
    start: Start<'a>,
}

impl SolverSearch {
    pub fn new(space: Arc<SearchSpace>) -> Self {
        let (viable, base) = (FxHashMap::default(), Vec::new());
        Self { space, owing: 0, repair: None, viable, base, loaded: false }
    }

    /// Forgets everything that names states of laws.
    pub fn clear(&mut self) {
        self.viable.clear();
    }

    /// Begins a decision: looks how many laws owe something now.
    pub fn begin(&mut self, now: Now<'_>) {
        self.loaded = false;
        self.base.clear();
        if let Some(repair) = &mut self.repair {
            repair.reset();
        }
        self.owing = self.space.laws.iter().filter(|&&law| !now.states[law].accepts()).count();
    }

    /// The actions that each law alone may leave a continuation, whatever is observed with them.
    pub fn viable(&mut self, joint: &mut Joint, now: Now<'_>) -> ActionSet {
        let space = self.space.clone();
        let all = ActionSet::first(joint.vocabulary().actions().len());
        joint.budget.spend((space.laws.len() / LAWS_READ) as u64);
        space.laws.iter().fold(all, |viable, &law| viable.intersection(&self.viable_for(joint, law, now.states[law])))
    }

    /// The actions that a law alone leaves a continuation in a state; all where that is dear to find out.
    fn viable_for(&mut self, joint: &mut Joint, law: usize, state: StateRef) -> ActionSet {
        let all = ActionSet::first(joint.vocabulary().actions().len());
        if joint.table.is_wide(law) || state == StateRef::LOST {
            return all;
        }
        if let Some(&viable) = self.viable.get(&state) {
            return viable;
        }
        let viable = viable(joint, law, state).unwrap_or(all);
        self.viable.insert(state, viable);
        viable
    }

    /// The position of a law that alone leaves an action no continuation.
    pub fn refuting(&mut self, joint: &mut Joint, now: Now<'_>, action: ActionId) -> Option<usize> {
        let space = self.space.clone();
        space.laws.iter().copied().find(|&law| !self.viable_for(joint, law, now.states[law]).contains(action))
    }

    /// Searches for a continuation after an action, its first letter included. A plan that is `near` to one may be known.
    pub fn search(&mut self, joint: &mut Joint, now: Now<'_>, action: ActionId, near: Vec<Letter>) -> Possible {
        if joint.budget.is_out() {
            return Possible::Unknown(Vec::new());
        }
        let mut repair = self.repair.take().unwrap_or_else(|| Box::new(PlanRepair::new(self.space.clone(), joint)));
        let states: Vec<StateRef> = self.space.laws.iter().map(|&law| now.states[law]).collect();
        let question = Question { now, action, start: Start { states: &states, after_past: None } };
        let least = self.load(&mut repair, joint, &question, near);
        let continuation = self.take_turns(&mut repair, joint, &question, least);
        self.repair = Some(repair);
        if let Possible::Yes(letters) = &continuation {
            self.keep(joint, letters);
        }
        self.loaded = matches!(continuation, Possible::Yes(_));
        continuation
    }

    /// Returns whether laws are settled part by part before any word is repaired: a word has too few letters for them
    /// all.
    pub fn settles_by_parts(&self) -> bool {
        !self.loaded && self.owing > MANY_OWING
    }

    /// Keeps a plan to begin with where the next one is searched for.
    pub fn keep(&mut self, joint: &Joint, letters: &[Letter]) {
        // A repair never stops the run: it may end anyway.
        let stop = joint.vocabulary().stop();
        let goes_on = |letter: &&Letter| letter.action(joint.vocabulary()) != stop;
        self.base = letters.iter().take_while(goes_on).copied().collect();
        self.loaded = false;
    }

    /// Words to repair: the plan that worked last, the rest of it, and a draft.
    fn beginnings(&self, repair: &mut PlanRepair, joint: &mut Joint, question: &Question<'_>) -> [Vec<Letter>; 3] {
        let vocabulary = joint.vocabulary();
        let alone = Letter::after(vocabulary, question.action, question.now.letter.observations(vocabulary));
        let draft = repair.draft(joint, question.start, alone);
        [self.base.clone(), self.base.get(1..).unwrap_or_default().to_vec(), draft]
    }

    /// Puts the word that breaks least of those at hand before the repair; how many constraints it breaks.
    fn load(&self, repair: &mut PlanRepair, joint: &mut Joint, question: &Question<'_>, near: Vec<Letter>) -> usize {
        repair.begin();
        if self.loaded {
            repair.begin_with(joint, question.action);
            return repair.count_broken();
        }
        let words = match near.len() {
            0 | 1 => self.beginnings(repair, joint, question),
            _ => [near, self.base.clone(), Vec::new()],
        };
        let mut best: Option<(usize, &[Letter])> = None;
        for word in words.iter().filter(|word| !word.is_empty()) {
            let broken = question.load(repair, joint, word);
            if broken == 0 {
                return 0;
            }
            if best.is_none_or(|(least, _)| broken < least) {
                best = Some((broken, word));
            }
        }
        best.map_or(0, |(_, word)| question.load(repair, joint, word))
    }

    /// Repairs and asks the solver in turns. The repair goes on while it breaks less and less; stuck, it begins again
    /// elsewhere once the solver has been asked.
    fn take_turns(
        &self,
        repair: &mut PlanRepair,
        joint: &mut Joint,
        question: &Question<'_>,
        mut least: usize,
    ) -> Possible {
        let (&Question { now, action, .. }, group) = (question, &self.space.group);
        let mut beginnings = Vec::new();
        let mut stale = 0;
        let begun = joint.budget.spent();
        let mut asked = 0;
        let mut least_proof = FIRST_PROOF;
        while !joint.budget.is_out() {
            if repair.repair(joint, MOVES)
                && joint.broken(now, group, repair.word()).is_ok_and(|broken| broken.is_empty())
            {
                return Possible::Yes(repair.word().to_vec());
            }
            let broken = repair.count_broken();
            if broken < least {
                (least, stale) = (broken, 0);
                continue;
            }
            stale += 1;
            if stale == PATIENCE {
                if beginnings.is_empty() {
                    beginnings.extend(self.beginnings(repair, joint, question));
                }
                // Begun with again, a word is repaired in another way: moves are drawn at random.
                stale = 0;
                if let Some(word) = beginnings.pop().filter(|word| !word.is_empty()) {
                    least = question.load(repair, joint, &word);
                }
            }
            if self.space.laws.len() <= FEW_LAWS {
                return joint.continuable(now, group, action);
            }
            // The solver gets as much work as the repair.
            let spent = joint.budget.spent() - begun;
            let allowance = spent.saturating_sub(2 * asked);
            if allowance < least_proof {
                continue;
            }
            least_proof = allowance * 2;
            let (before, limit) = (joint.budget.spent(), joint.budget.limit(allowance));
            let answer = self.ask(repair, joint, question, &mut beginnings);
            joint.budget.restore(limit);
            asked += joint.budget.spent() - before;
            match answer {
                Possible::Unknown(_) => {}
                decided => return decided,
            }
        }
        Possible::Unknown(repair.hardest().into_iter().take(JOINING).collect())
    }

    /// Asks the solver about the laws that were most in the way of the repair, and about more as its plans break them.
    fn ask(
        &self,
        repair: &PlanRepair,
        joint: &mut Joint,
        &Question { now, action, .. }: &Question<'_>,
        plans: &mut Vec<Vec<Letter>>,
    ) -> Possible {
        let mut question: Vec<usize> = repair.hardest().into_iter().take(JOINING).collect();
        while !joint.budget.is_out() {
            question.sort_unstable();
            match joint.ask_solver(now, &question, action) {
                Possible::No(core) => return Possible::No(core),
                Possible::Yes(letters) => {
                    let Ok(mut breaks) = joint.broken(now, &self.space.group, &letters) else { break };
                    if breaks.is_empty() {
                        return Possible::Yes(letters);
                    }
                    breaks.retain(|law| !question.contains(law));
                    breaks.sort_by_key(|law| std::cmp::Reverse(repair.conflicts(*law)));
                    question.extend(breaks.into_iter().take(JOINING));
                    plans.truncate(1);
                    plans.push(letters);
                }
                Possible::Unknown(_) => break,
            }
        }
        Possible::Unknown(question)
    }
}

impl Question<'_> {
    /// Lets a repair begin with a word, its first action replaced; how many constraints it breaks.
    fn load(&self, repair: &mut PlanRepair, joint: &mut Joint, word: &[Letter]) -> usize {
        repair.load(joint, self.start, word);
        repair.begin_with(joint, self.action);
        repair.count_broken()
    }
}

/// The actions that a law alone leaves a continuation in a state; `None` if that is dear to find out.
fn viable(joint: &mut Joint, law: usize, state: StateRef) -> Option<ActionSet> {
    let vocabulary = joint.vocabulary().clone();
    let props = joint.table.props(law).to_vec();
    let (mut actions, mut observations) = (Vec::new(), Vec::new());
    for (bit, &prop) in props.iter().enumerate() {
        match vocabulary.as_action(prop) {
            Some(action) => actions.push((ActionSet::one(action), 1 << bit)),
            None => observations.push(1 << bit),
        }
    }
    let all = ActionSet::first(vocabulary.actions().len());
    let others = actions.iter().fold(all, |others, (action, _)| others.difference(action));
    let mut viable = ActionSet::EMPTY;
    for (which, code) in actions.into_iter().chain([(others, 0)]) {
        for subset in 0..1usize << observations.len() {
            let holds = |(at, bit): (usize, &Code)| if subset >> at & 1 == 1 { *bit } else { 0 };
            let observed = observations.iter().enumerate().map(holds).sum::<Code>();
            if !joint.look(law, state, code | observed)?.is_dead() {
                viable = viable.union(&which);
                break;
            }
        }
    }
    Some(viable)
}
