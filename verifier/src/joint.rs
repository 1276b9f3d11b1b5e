//! Laws decided together: whether an action leaves *all* of them satisfiable by one finite continuation.
//!
//! No automaton of the conjunction is ever built. A question starts with no law at all: the plan "take the action and
//! stop there" is run through every law. A law that the plan breaks joins the question. The search answers with a plan
//! that suits the laws in the question, or a proof that there is none. This goes on until a plan suits all laws
//! (counterexample-guided search). A proof that some laws rule the action out is a proof for all of them, so blocked
//! actions name few laws from the start.

use std::sync::Arc;

use crate::actions::ActionSet;
use crate::automaton::{Automaton, INITIAL, State};
use crate::axioms::Axioms;
use crate::budget::{Before, Budget};
use crate::dfa_table::{Code, DfaTable, StateRef};
use crate::history::Begun;
use crate::known_parts::{LawState, Parts};
use crate::law::AfterBreak;
use crate::law_set::{Group, LawSet};
use crate::letter::{Letter, PropSet};
use crate::ltlf_sat::{Answer, LtlfSat};
use crate::nnf::Metered;
use crate::predictions::Predictions;
use crate::residual::{Residual, TooLarge};
use crate::run::Now;
use crate::verdict::Verdict;
use crate::verdicts;
use crate::vocabulary::{ActionId, Vocabulary};

/// The cost of a group without its masks, in units of work.
const GROUP_COST: u64 = 10;
/// Bytes that a unit of work leaves behind at most, roughly.
const BYTES_OF_WORK: usize = 2048;
/// The cost of each state of a law that a question meets.
const MEETING: u64 = 1;
/// If the verdict in a state cost more, each question that meets the state pays for it.
const DEAR_VERDICT: u64 = 2_000;
/// The number of rounds in which a question is asked part by part.
const ROUNDS: usize = 3;
/// Maximum number of laws that are asked about as one part.
const MAX_AT_ONCE: usize = 8;
/// The number of laws that read one letter for a unit of work.
pub(crate) const LAWS_READ: usize = 16;

/// The knowledge about an action under some laws.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Possible {
    /// These letters show it, where a search found some.
    Yes(Vec<Letter>),
    /// These laws, together, leave it no continuation. Not minimal.
    No(Vec<usize>),
    /// The search, which was about these laws when it ended, ran out of budget.
    Unknown(Vec<usize>),
}

impl Possible {
    /// Returns whether it is; `None` if that is not known.
    pub fn known(&self) -> Option<bool> {
        match self {
            Self::Yes(_) => Some(true),
            Self::No(_) => Some(false),
            Self::Unknown(_) => None,
        }
    }
}

/// The knowledge about compiled laws from all runs: their automata as far as they are explored. The
/// state of a run is not here; questions are asked about a [`Now`].
///
/// Knowledge saves time and never work: a question is charged as if it were the first. So earlier questions do not
/// change which questions are decided within the budget.
pub(crate) struct Joint {
    pub laws: Arc<LawSet>,
    /// The work of questions.
    pub budget: Budget,
    /// The work of exploring automata, which is done once and which no question is charged for as such.
    apart: Budget,
    /// The automaton of each law, made when it is first needed.
    automata: Vec<Option<Box<Automaton>>>,
    /// The automata of the watched laws as one table.
    pub table: DfaTable,
    /// The solver of the question being asked.
    ltlf_sat: Option<Box<LtlfSat>>,
    /// The knowledge about laws that share propositions.
    pub parts: Parts,
    /// The predictions at the current letter.
    pub predictions: Box<Predictions>,
    /// The axioms, made when they are first asked about.
    pub axioms: Option<Axioms>,
    /// The work that was spent when memory was last looked at.
    looked_at: u64,
}

impl Joint {
    pub fn new(laws: Arc<LawSet>) -> Self {
        let mut joint = Self {
            budget: Budget::new(),
            apart: Budget::new(),
            automata: Vec::new(),
            table: DfaTable::new([]),
            ltlf_sat: None,
            parts: Parts::default(),
            predictions: Box::default(),
            axioms: None,
            looked_at: 0,
            laws,
        };
        joint.automata.resize_with(joint.laws.laws().len(), || None);
        joint.lay_out();
        joint
    }

    pub fn vocabulary(&self) -> &Arc<Vocabulary> {
        self.laws.vocabulary()
    }

    /// Drops what the automata have learned but the states that runs are in, to bound memory; gives these their new names.
    pub fn forget<'a>(&mut self, runs: impl Iterator<Item = &'a mut Vec<StateRef>>) {
        let runs: Vec<_> = runs.map(|states| (self.residuals(states), states)).collect();
        (self.ltlf_sat, self.axioms) = (None, None);
        self.automata.fill_with(|| None);
        self.lay_out();
        for (residuals, states) in runs {
            for (position, (residual, state)) in residuals.into_iter().zip(states).enumerate() {
                *state = self.named(position, residual);
            }
        }
    }

    /// The demands of the watched laws in these states; `None` for one that is lost.
    pub fn residuals(&self, states: &[StateRef]) -> Vec<Option<Residual>> {
        let residual = |(&law, state): (&usize, &StateRef)| match *state {
            StateRef::LOST => None,
            state => Some(self.automata[law].as_ref()?.residual(self.table.state(state)).clone()),
        };
        self.laws.watched.iter().zip(states).map(residual).collect()
    }

    /// The table's name of the state of the law at a position that demands this.
    pub fn named(&mut self, position: usize, residual: Option<Residual>) -> StateRef {
        residual.map_or(StateRef::LOST, |residual| self.state_of(position, residual))
    }

    /// The states of all watched laws before the first letter.
    pub fn initial_states(&mut self) -> impl Iterator<Item = StateRef> {
        (0..self.laws.watched.len()).map(|position| self.name(position, INITIAL))
    }

    /// Lays the automata of the watched laws out in a new table.
    fn lay_out(&mut self) {
        self.parts.clear();
        let Self { laws, automata, .. } = self;
        for &law in &laws.watched {
            automata[law].get_or_insert_with(|| Box::new(laws.automaton(law)));
        }
        let alphabets = laws.watched.iter().filter_map(|&law| automata[law].as_ref());
        self.table = DfaTable::new(alphabets.map(|automaton| &**automaton.alphabet()));
    }

    /// One law's automaton, beside everything else that questions about it need.
    pub fn automaton(&mut self, law: usize) -> (&mut Automaton, Metered<'_>, &Vocabulary) {
        let Self { laws, automata, apart: budget, .. } = self;
        let automaton = automata[law].get_or_insert_with(|| Box::new(laws.automaton(law)));
        (automaton, Metered { arena: &laws.arena, budget }, laws.vocabulary())
    }

    /// The table's name of a state of the law at a position.
    pub fn name(&mut self, position: usize, state: State) -> StateRef {
        if let Some(name) = self.table.get(position, state) {
            return name;
        }
        let wide = self.table.is_wide(position);
        let (automaton, arena, vocabulary) = self.automaton(self.laws.watched[position]);
        let accepts = automaton.accepts(state);
        // The exact verdict of a wide law is a search of its own: only where a run really goes.
        let (dead, cost) = if wide || accepts {
            (automaton.residual(state).is_false(), 0)
        } else {
            let verdict = verdicts::verdict(automaton, arena, state, vocabulary);
            (verdict == Some(Verdict::Violated), automaton.verdict_cost(state))
        };
        let cost = MEETING + if cost > DEAR_VERDICT { cost } else { 0 };
        self.table.add(position, state, [accepts, dead], u32::try_from(cost).unwrap_or(u32::MAX))
    }

    /// The state after one more letter with this code; [`StateRef::LOST`] if it exceeds the bounds, or if nothing is left of
    /// the budget and the question has not met it yet.
    #[inline]
    pub fn step(&mut self, position: usize, state: StateRef, code: Code) -> StateRef {
        let next = self.table.step(position, state, code);
        if next == StateRef::UNEXPLORED {
            return self.explore(position, state, code);
        }
        if self.table.is_met(next) { next } else { self.meet(next) }
    }

    fn meet(&mut self, state: StateRef) -> StateRef {
        if self.budget.is_out() {
            return StateRef::LOST;
        }
        self.budget.spend(self.table.meet(state));
        state
    }

    #[cold]
    fn explore(&mut self, position: usize, state: StateRef, code: Code) -> StateRef {
        let Some(letter) = self.table.letter(position, code) else { return StateRef::LOST };
        let (next, is_dear) = self.step_automaton(position, state, &letter);
        if !is_dear {
            self.table.set_step(position, state, code, next);
        }
        if self.table.is_met(next) { next } else { self.meet(next) }
    }

    /// The state after one more letter with this code, for what is found out once about a state of a law: no question pays for
    /// it, and none has met it. `None` if finding it is dear.
    pub fn look(&mut self, position: usize, state: StateRef, code: Code) -> Option<StateRef> {
        let known = self.table.step(position, state, code);
        if known != StateRef::UNEXPLORED {
            return Some(known);
        }
        let letter = self.table.letter(position, code)?;
        let (next, is_dear) = self.step_automaton(position, state, &letter);
        if is_dear {
            return None;
        }
        self.table.set_step(position, state, code, next);
        Some(next)
    }

    /// The state after one more letter, and whether making that transition costs each question anew.
    fn step_automaton(&mut self, position: usize, state: StateRef, letter: &Letter) -> (StateRef, bool) {
        if state == StateRef::LOST {
            return (state, false);
        }
        let from = self.table.state(state);
        let (automaton, arena, _) = self.automaton(self.laws.watched[position]);
        let next = automaton.step(arena, from, letter);
        let cost = automaton.cost(from, letter);
        if cost > 0 && self.budget.is_out() {
            return (StateRef::LOST, true);
        }
        self.budget.spend(cost);
        (next.map_or(StateRef::LOST, |next| self.name(position, next)), cost > 0)
    }

    /// Begins a question, which may cost this much and learns nothing from earlier ones.
    pub fn begin(&mut self, units: u64) -> Before {
        self.table.begin_question();
        self.ltlf_sat = None;
        self.predictions.plans.clear();
        self.budget.only(units)
    }

    /// The work of exploring automata so far.
    pub fn explored(&self) -> u64 {
        self.apart.spent()
    }

    /// All watched laws read one letter; those it broke are told.
    pub fn read_all(&mut self, states: &mut [StateRef], letter: &Letter, mut broken: impl FnMut(usize)) {
        let mut position = 0;
        let dense = self.table.dense();
        while position < dense {
            let table = &self.table;
            for state in &mut states[position..dense] {
                let next = table.dense_step(*state, table.dense_code(position, letter));
                // A step not explored yet looks dead too.
                if next.is_dead() {
                    break;
                }
                *state = next;
                position += 1;
            }
            if position < dense {
                if self.read(position, &mut states[position], letter) {
                    broken(self.laws.watched[position]);
                }
                position += 1;
            }
        }
        for (position, state) in states.iter_mut().enumerate().skip(dense) {
            if self.read(position, state, letter) {
                broken(self.laws.watched[position]);
            }
        }
    }

    /// The law at a position reads one letter; whether that broke it. It then goes on or begins
    /// afresh, as the law says.
    pub fn read(&mut self, position: usize, state: &mut StateRef, letter: &Letter) -> bool {
        let next = self.read_letter(position, *state, letter);
        if !self.is_broken(position, next) {
            *state = next;
            return false;
        }
        let law = self.laws.watched[position];
        if self.goes_on(law) {
            *state = self.forgive(position, *state, letter);
            return true;
        }
        let initial = self.name(position, INITIAL);
        let again = self.read_letter(position, initial, letter);
        let unusable = again == StateRef::LOST && self.table.is_wide(position);
        *state = if unusable || self.is_broken(position, again) { initial } else { again };
        true
    }

    /// Returns whether a law continues after the next letter breaks it.
    pub fn goes_on(&self, law: usize) -> bool {
        self.laws.laws()[law].after_break == AfterBreak::Keep
    }

    /// The state of the law at a position after a letter that breaks it and is forgiven: the same as before the letter, if
    /// what is left of the law after it has no continuation.
    fn forgive(&mut self, position: usize, before: StateRef, letter: &Letter) -> StateRef {
        let from = self.table.state(before);
        let (automaton, arena, _) = self.automaton(self.laws.watched[position]);
        let Ok(next) = automaton.forgive(arena, from, letter) else { return before };
        let next = self.name(position, next);
        let unusable = next == StateRef::LOST && self.table.is_wide(position);
        if unusable || self.is_broken(position, next) { before } else { next }
    }

    /// Returns the new start of the monitor of a law that letter `number` broke and that continues, after these states
    /// before and after that letter. The monitor starts with the letter if the unbroken parts of the law account for
    /// all present demands, else with the next one.
    pub fn begun(&mut self, position: usize, [before, after]: [StateRef; 2], letter: &Letter, number: usize) -> Begun {
        if before == StateRef::LOST || after == StateRef::LOST {
            return Begun { letter: number + 1, kept: None };
        }
        let [before, after] = [before, after].map(|state| self.table.state(state));
        let (automaton, arena, _) = self.automaton(self.laws.watched[position]);
        let kept = automaton.residual(after).clone();
        let whole = automaton.residual(before).unbroken(arena, letter);
        match whole.and_then(|rest| Ok((rest.progress(arena, letter)? == kept).then_some(rest))) {
            Ok(Some(rest)) => Begun { letter: number, kept: Some(rest) },
            Ok(None) | Err(_) => Begun { letter: number + 1, kept: Some(kept) },
        }
    }

    /// The table's name of the state of the law at a position that demands this.
    pub fn state_of(&mut self, position: usize, residual: Residual) -> StateRef {
        let state = self.automaton(self.laws.watched[position]).0.state_of(residual);
        self.name(position, state)
    }

    /// The state of the law at a position after one more letter, be it broken or not.
    pub fn read_letter(&mut self, position: usize, state: StateRef, letter: &Letter) -> StateRef {
        if self.table.is_wide(position) {
            // Real letters never run out of numbers.
            return self.step_automaton(position, state, letter).0;
        }
        let code = self.table.dense_code(position, letter);
        self.step(position, state, code)
    }

    /// Returns whether no continuation satisfies a law in a state of the run.
    fn is_broken(&mut self, position: usize, state: StateRef) -> bool {
        if state == StateRef::LOST || !self.table.is_wide(position) {
            return state.is_dead();
        }
        let state = self.table.state(state);
        let (automaton, arena, vocabulary) = self.automaton(self.laws.watched[position]);
        verdicts::verdict(automaton, arena, state, vocabulary) == Some(Verdict::Violated)
    }

    /// The verdict of one law, the watched laws being in these states after this letter.
    pub fn verdict(&mut self, law: usize, letter: Option<&Letter>, states: &[StateRef]) -> Verdict {
        let state = match letter {
            Some(letter) => self.state(law, Now { letter, states }),
            None => Ok(INITIAL),
        };
        let Ok(state) = state else { return Verdict::Pending };
        let (automaton, arena, vocabulary) = self.automaton(law);
        let exact = verdicts::verdict(automaton, arena, state, vocabulary);
        exact.unwrap_or(if automaton.accepts(state) { Verdict::Clear } else { Verdict::Pending })
    }

    /// Some of the laws as a group of their own.
    pub fn group(&self, laws: impl IntoIterator<Item = usize>) -> Arc<Group> {
        let group = Arc::new(self.laws.group(laws));
        self.budget.spend(GROUP_COST + 2 * group.masks.len() as u64);
        group
    }

    /// Actions that make no difference to any law of a group but for masks that forbid them: where observations are free,
    /// those that none of its laws reads.
    pub fn alike(&self, group: &Group) -> ActionSet {
        if self.predictions.is_active() {
            return ActionSet::EMPTY;
        }
        let vocabulary = self.vocabulary();
        let positions = group.watched.iter().filter_map(|&law| self.laws.position(law));
        let read = positions.flat_map(|position| self.table.props(position).iter().copied());
        let read: PropSet = read.chain(group.masks.reads().iter()).collect();
        let differs =
            |action: &ActionId| Some(*action) == vocabulary.stop() || read.contains(vocabulary.action_prop(*action));
        vocabulary.action_ids().filter(|action| !differs(action)).collect()
    }

    /// All actions but stopping that the laws of a group may tell apart now: one of those that are alike.
    pub fn distinct(&self, now: Now<'_>, group: &Group) -> Vec<ActionId> {
        let same = self.alike(group).intersection(&group.masks.allowed(now.letter));
        let (stop, first) = (self.vocabulary().stop(), same.iter().next());
        let goes_on = |action: &ActionId| Some(*action) != stop && (!same.contains(*action) || Some(*action) == first);
        self.vocabulary().action_ids().filter(goes_on).collect()
    }

    /// Decides whether an action, followed by some continuation, satisfies every law of the group, as far as the budget
    /// lets it search; and where something is predicted, whether every letter predicted leaves the hard ones a
    /// continuation.
    pub fn possible(&mut self, now: Now<'_>, group: &Arc<Group>, action: ActionId) -> Possible {
        if !group.masks.allowed(now.letter).contains(action) {
            return Possible::No(group.masks.culprit(now.letter, action).into_iter().collect());
        }
        let robust = self.predictions.is_active().then(|| self.robust_group(group)).flatten();
        let predicted = robust.map_or(Possible::Yes(Vec::new()), |robust| self.robustly_possible(now, &robust, action));
        if let Possible::No(_) = predicted {
            return predicted;
        }
        match self.continuable(now, group, action) {
            Possible::Yes(_) => predicted,
            other => other,
        }
    }

    /// The same cooperatively, for an action that no mask forbids, with a plan.
    pub fn continuable(&mut self, now: Now<'_>, group: &Group, action: ActionId) -> Possible {
        let mut question = Vec::new();
        self.search(now, group, action, &mut question).unwrap_or(Possible::Unknown(question))
    }

    fn search(
        &mut self,
        now: Now<'_>,
        group: &Group,
        first: ActionId,
        question: &mut Vec<usize>,
    ) -> Result<Possible, TooLarge> {
        let lost = |law: &usize| self.laws.position(*law).is_some_and(|at| now.states[at] == StateRef::LOST);
        question.extend(group.watched.iter().copied().filter(lost));
        if !question.is_empty() {
            return Err(TooLarge);
        }
        let vocabulary = self.vocabulary().clone();
        let observations = now.letter.observations(&vocabulary);
        let mut plan = vec![Letter::after(&vocabulary, first, observations)];
        loop {
            let broken = self.broken(now, group, &plan)?;
            let Some(&first_broken) = broken.first() else { return Ok(Possible::Yes(plan)) };
            if Some(first) == vocabulary.stop() {
                return Ok(Possible::No(vec![first_broken]));
            }
            if question.is_empty() {
                if let Ok(answer) = self.by_parts(now, group, first, plan.clone(), ROUNDS) {
                    return Ok(answer);
                }
                // Open obligations have to be settled anyway.
                let owes = |law: &usize| self.laws.position(*law).is_some_and(|at| !now.states[at].accepts());
                question.extend(group.watched.iter().copied().filter(owes));
            }
            // The solver takes many laws as easily as one, and a round for each would cost more.
            question.extend(broken);
            question.sort_unstable();
            question.dedup();
            if !self.budget.try_spend(1) {
                return Ok(Possible::Unknown(std::mem::take(question)));
            }
            match self.solve(now, question, Some(first))? {
                Answer::Plan(letters) => plan = letters,
                Answer::Unsat(core) => {
                    return Ok(Possible::No(core.into_iter().map(|at| question[at]).collect()));
                }
                Answer::Unknown => return Ok(Possible::Unknown(std::mem::take(question))),
            }
        }
    }

    /// Asks the solver whether some continuation after an action satisfies these laws, with free observations. A plan
    /// need not satisfy other laws.
    pub fn ask_solver(&mut self, now: Now<'_>, laws: &[usize], action: ActionId) -> Possible {
        if laws.len() <= MAX_AT_ONCE
            && let Ok(states) = self.states(laws, now)
        {
            let at: Vec<_> = laws.iter().copied().zip(states).collect();
            match &self.part(&at, action).answer {
                Answer::Plan(letters) => return Possible::Yes(letters.clone()),
                Answer::Unsat(core) => return Possible::No(core.iter().map(|&at| laws[at]).collect()),
                Answer::Unknown => {}
            }
        }
        match self.solve(now, laws, Some(action)) {
            Ok(Answer::Plan(letters)) => Possible::Yes(letters),
            Ok(Answer::Unsat(core)) => Possible::No(core.into_iter().map(|at| laws[at]).collect()),
            Ok(Answer::Unknown) | Err(TooLarge) => Possible::Unknown(laws.to_vec()),
        }
    }

    /// The state of a law after the current letter. That of a law `G(phi_s -> X phi_a)` depends on that letter alone.
    pub fn state(&mut self, law: usize, now: Now<'_>) -> Result<State, TooLarge> {
        match self.laws.position(law).map(|position| now.states[position]) {
            Some(StateRef::LOST) => Err(TooLarge),
            Some(state) => Ok(self.table.state(state)),
            None => self.state_after(law, now.letter),
        }
    }

    /// The state of a law `G(phi_s -> X phi_a)` after a letter, whatever was before.
    pub fn state_after(&mut self, law: usize, letter: &Letter) -> Result<State, TooLarge> {
        let (automaton, arena, _) = self.automaton(law);
        automaton.step(arena, INITIAL, letter)
    }

    fn states(&mut self, laws: &[usize], now: Now<'_>) -> Result<Vec<State>, TooLarge> {
        laws.iter().map(|&law| self.state(law, now)).collect()
    }

    /// Asks the solver for a continuation that satisfies these laws, observations being free.
    fn solve(&mut self, now: Now<'_>, laws: &[usize], first: Option<ActionId>) -> Result<Answer, TooLarge> {
        let states = self.states(laws, now)?;
        let at: Vec<(usize, State)> = laws.iter().copied().zip(states).collect();
        Ok(self.solve_at(&at, first))
    }

    /// The same where laws are in these states; one law may be in several.
    pub fn solve_at(&mut self, at: &[LawState], first: Option<ActionId>) -> Answer {
        let residuals: Vec<Residual> =
            at.iter().map(|&(law, state)| self.automaton(law).0.residual(state).clone()).collect();
        let residuals: Vec<&Residual> = residuals.iter().collect();
        let Self { ltlf_sat, laws, budget, .. } = self;
        let vocabulary = laws.vocabulary();
        // Actions that no law reads are one.
        let (read, other) = laws.read_by_any();
        let is_read = |first: &ActionId| read.contains(vocabulary.action_prop(*first));
        let first = first.map(|first| if is_read(&first) { first } else { other.unwrap_or(first) });
        ltlf_sat.take_if(|solver| solver.is_full());
        let solver = ltlf_sat.get_or_insert_with(|| Box::new(LtlfSat::over(vocabulary, true, read)));
        solver.continuation(Metered { arena: &laws.arena, budget }, &residuals, first)
    }

    /// Returns whether the automata and tables hold more than the caches may.
    #[inline]
    pub fn is_crowded(&mut self) -> bool {
        // Their size grows with work alone, so it is not added up for each letter.
        let most = self.laws.options().cache_bytes;
        let spent = self.budget.spent() + self.explored();
        if spent - self.looked_at < (most / BYTES_OF_WORK) as u64 {
            return false;
        }
        self.looked_at = spent;
        self.bytes() > most
    }

    /// Bytes the automata and tables hold.
    pub fn bytes(&self) -> usize {
        let automata: usize = self.automata.iter().flatten().map(|automaton| automaton.bytes()).sum();
        automata + self.table.len() * 4 + self.parts.bytes
    }

    /// The laws of a group that together forbid something, no more of them than needed, from proofs that all of them do;
    /// and whether it could be told of each that it is needed. `forbids` asks whether some of them do.
    fn minimise(
        &mut self,
        group: &Group,
        mut known: Vec<Vec<usize>>,
        mut forbids: impl FnMut(&mut Self, &Arc<Group>) -> Possible,
    ) -> (Vec<usize>, bool) {
        let (mut laws, mut minimal) = (group.laws(), true);
        for at in (0..laws.len()).rev() {
            let left_out = laws.remove(at);
            if known.iter().any(|part| part.iter().all(|law| laws.contains(law))) {
                continue;
            }
            match self.forbidden_without(group, &laws, left_out, &mut forbids) {
                Possible::No(part) => known.push(part),
                other => {
                    laws.insert(at, left_out);
                    minimal &= other.known().is_some();
                }
            }
        }
        (laws, minimal)
    }

    /// Asks whether these laws of a group forbid something, which are fewer than those of the group without one.
    fn forbidden_without(
        &mut self,
        group: &Group,
        laws: &[usize],
        left_out: usize,
        forbids: &mut impl FnMut(&mut Self, &Arc<Group>) -> Possible,
    ) -> Possible {
        // Some of the other laws allow at least as much as all of them, and all of them are a group at less cost.
        if let Some(others) = group.without(left_out) {
            self.budget.spend(GROUP_COST);
            let answer = forbids(self, &Arc::new(others));
            if let Possible::Yes(_) = answer {
                return answer;
            }
        }
        if self.budget.is_out() {
            return Possible::Unknown(Vec::new());
        }
        let group = self.group(laws.iter().copied());
        forbids(self, &group)
    }

    /// A minimal set of the group's laws that blocks an action they block; and whether it is known to be minimal.
    pub fn minimal_block(
        &mut self,
        now: Now<'_>,
        group: &Arc<Group>,
        proof: Option<Vec<usize>>,
        action: ActionId,
    ) -> (Vec<usize>, bool) {
        if !group.masks.allowed(now.letter).contains(action) {
            return (group.masks.culprit(now.letter, action).into_iter().collect(), true);
        }
        self.minimise(group, proof.into_iter().collect(), |joint, rest| joint.possible(now, rest, action))
    }

    /// All minimal sets of the group's laws that block an action they block, but at most some; and whether it is known that
    /// these are minimal and all. Any other such set lacks a law of each one found, so laws are left out one by one.
    pub fn minimal_blocks(
        &mut self,
        now: Now<'_>,
        group: &Group,
        action: ActionId,
        most: usize,
    ) -> (Vec<Vec<usize>>, bool) {
        let (laws, mut found): (_, Vec<Vec<usize>>) = (group.laws(), Vec::new());
        let (mut left_out, mut complete, mut at) = (vec![Vec::new()], true, 0);
        while let Some(without) = left_out.get(at).cloned() {
            at += 1;
            if !self.budget.try_spend(1) {
                return (found, false);
            }
            let known = found.iter().find(|block| block.iter().all(|law| !without.contains(law)));
            let block = match known.cloned() {
                Some(block) => block,
                None => {
                    let rest = self.group(laws.iter().copied().filter(|law| !without.contains(law)));
                    let Possible::No(core) = self.possible(now, &rest, action) else {
                        complete &= !self.budget.is_out();
                        continue;
                    };
                    if found.len() == most {
                        return (found, false);
                    }
                    let (block, is_minimal) = self.minimal_block(now, &rest, Some(core), action);
                    complete &= is_minimal;
                    found.push(block.clone());
                    block
                }
            };
            for law in block {
                let mut more: Vec<usize> = without.iter().copied().chain([law]).collect();
                more.sort_unstable();
                if !left_out.contains(&more) {
                    left_out.push(more);
                }
            }
        }
        (found, complete)
    }

    /// A minimal set of the group's laws that leaves no action but stopping, as all of them do; and whether it is known to be
    /// minimal.
    pub fn minimal_conflict(&mut self, now: Now<'_>, group: &Group, proof: Option<Vec<usize>>) -> (Vec<usize>, bool) {
        self.minimise(group, proof.into_iter().collect(), |joint, rest| {
            let mut union = Vec::new();
            for action in joint.distinct(now, rest) {
                match joint.possible(now, rest, action) {
                    Possible::No(core) => union.extend(core),
                    other => return other,
                }
            }
            Possible::No(union)
        })
    }
}
