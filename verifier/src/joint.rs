//! Laws decided together: whether an action leaves *all* of them satisfiable by one finite continuation.
//!
//! No automaton of the conjunction is ever built. A question starts with no law at all: the plan "take the action and
//! stop there" is run through every law. A law that the plan breaks joins the question, the search answers it with a
//! plan that suits the laws in the question or a proof that there is none, and so on until a plan suits everybody
//! (counterexample-guided search). A proof that some laws doom the action is a proof for all of them, so blocked actions
//! name few laws from the start.

use std::sync::Arc;

use crate::automaton::{Automaton, INITIAL, State};
use crate::axioms::Axioms;
use crate::dfa_table::{DfaTable, StateRef};
use crate::explicit_search::{self, Explicit};
use crate::letter::{Letter, PropSet};
use crate::ltlf_sat::{Answer, LtlfSat};
use crate::masks::{Guard, MaskTable};
use crate::nnf::{NnfArena, NodeId};
use crate::residual::Residual;
use crate::transitions::Transitions;
use crate::verdict::Verdict;
use crate::verdicts::Oracle;
use crate::vocabulary::{ActionId, PropId, Vocabulary};

/// With at most this many observations every state is tried where a model does not know.
const FEW_OBSERVATIONS: usize = 8;

/// What making a group costs beside its masks, in units of work.
const GROUP_COST: u64 = 10;
/// How many laws read one letter for a unit of work.
pub(crate) const LAWS_READ: usize = 16;

/// One law as the joint decision sees it.
pub(crate) struct Watch {
    pub node: NodeId,
    pub accepts_empty: bool,
    /// The rows of a law `G(phi_s -> X phi_a)`; such a law has a state only when a search asks for it.
    pub rows: Option<Vec<Guard>>,
    automaton: Option<Box<Automaton>>,
    pub state: State,
    /// Its residual exceeded every bound; nothing can be decided with it any more.
    pub lost: bool,
}

impl Watch {
    pub fn new(node: NodeId, accepts_empty: bool, rows: Option<Vec<Guard>>) -> Self {
        Self { node, accepts_empty, rows, automaton: None, state: INITIAL, lost: false }
    }

    /// The law's automaton, made when it is first needed.
    pub fn automaton(&mut self, arena: &NnfArena, vocabulary: &Vocabulary) -> &mut Automaton {
        self.automaton.get_or_insert_with(|| Box::new(Automaton::new(arena, self.node, self.accepts_empty, vocabulary)))
    }
}

/// Some of the laws, as a question asks for them.
#[derive(Clone, Debug)]
pub(crate) struct Group {
    /// The laws watched by their automata.
    pub general: Vec<usize>,
    pub masks: MaskTable,
}

/// What is known of an action under some laws.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Possible {
    Yes,
    /// These laws, together, leave it no continuation. Not minimal.
    No(Vec<usize>),
    Unknown,
}

/// The same with the letters that show it.
pub(crate) enum Continuation {
    Yes(Vec<Letter>),
    No(Vec<usize>),
    Unknown,
}

pub(crate) struct Joint {
    pub vocabulary: Arc<Vocabulary>,
    pub arena: NnfArena,
    pub watches: Vec<Watch>,
    pub transitions: Option<Arc<dyn Transitions>>,
    /// Every state the axioms allow, if there are few: what may follow where a model does not know.
    every_state: Option<Vec<PropSet>>,
    /// The letter the run is at.
    pub now: Letter,
    ltlf_sat: Option<Box<LtlfSat>>,
    oracle: Oracle,
    /// The automata of the laws that are watched and narrow enough.
    pub flat: DfaTable,
    /// The law at each position of `flat`.
    pub flat_laws: Vec<usize>,
    /// The state of each law of `flat` after the current letter, or an earlier one if it is behind.
    rows: Vec<StateRef>,
    behind: bool,
    /// The laws that are watched and too wide for `flat`.
    pub wide: Vec<usize>,
}

impl Joint {
    pub fn new(vocabulary: Arc<Vocabulary>) -> Self {
        Self {
            vocabulary,
            arena: NnfArena::new(),
            watches: Vec::new(),
            transitions: None,
            every_state: None,
            now: Letter::default(),
            ltlf_sat: None,
            oracle: Oracle::new(),
            flat: DfaTable::new([]),
            flat_laws: Vec::new(),
            rows: Vec::new(),
            behind: false,
            wide: Vec::new(),
        }
    }

    /// The state of each law of `flat` after the current letter.
    #[inline]
    pub fn rows(&self) -> &[StateRef] {
        debug_assert!(!self.behind, "whoever let the rows fall behind has to set them first");
        &self.rows
    }

    /// From now on the rows are those of an earlier letter: a cache knows what follows, and most steps need no more.
    #[inline]
    pub fn fall_behind(&mut self) {
        self.behind = true;
    }

    /// Whether the rows have to be set before anything is read from them.
    #[inline]
    pub fn is_behind(&self) -> bool {
        self.behind
    }

    /// Sets the state of each law of `flat`.
    pub fn set_rows(&mut self, rows: &[StateRef]) {
        self.rows.copy_from_slice(rows);
        self.behind = false;
    }

    /// Whether a law can read a first letter within the bounds, be it that nothing or everything is observed. One
    /// that cannot would decide nothing from the first letter on.
    pub fn can_watch(&self, node: NodeId, accepts_empty: bool) -> bool {
        let initial = Residual::initial(node, accepts_empty);
        let all = (0..self.vocabulary.observations().len() as u16).map(PropId).collect();
        [Letter::default(), Letter(all)].iter().all(|letter| initial.progress(&self.arena, letter).is_ok())
    }

    /// Lays the automata of the watched laws out anew; every law keeps its state.
    pub fn lay_out(&mut self) {
        let general: Vec<usize> = (0..self.watches.len()).filter(|&law| self.watches[law].rows.is_none()).collect();
        let mut props = Vec::new();
        self.flat_laws.clear();
        self.wide.clear();
        for law in general {
            let automaton = self.watches[law].automaton(&self.arena, &self.vocabulary);
            if automaton.is_dense() {
                props.push(automaton.props().into());
                self.flat_laws.push(law);
            } else {
                self.wide.push(law);
            }
        }
        self.flat = DfaTable::new(props);
        self.rows.clear();
        self.behind = false;
        for position in 0..self.flat_laws.len() {
            let row = self.row(position, self.watches[self.flat_laws[position]].state);
            self.rows.push(row);
        }
    }

    /// Every law goes back to before the first letter.
    pub fn restart(&mut self) {
        for &law in self.flat_laws.iter().chain(&self.wide) {
            self.watches[law].state = INITIAL;
            self.watches[law].lost = false;
        }
        self.behind = false;
        for position in 0..self.flat_laws.len() {
            self.rows[position] = self.row(position, INITIAL);
        }
    }

    /// Drops what the automata have learned but the current states, to bound memory.
    pub fn forget(&mut self) {
        self.settle();
        for watch in &mut self.watches {
            let state = watch.state;
            if let Some(automaton) = &mut watch.automaton {
                watch.state = automaton.forget_all_but(state);
            }
        }
        self.ltlf_sat = None;
        self.lay_out();
    }

    /// Writes the rows' states back to the watches.
    pub fn settle(&mut self) {
        debug_assert!(!self.behind);
        for (&law, &row) in self.flat_laws.iter().zip(&self.rows) {
            let watch = &mut self.watches[law];
            watch.lost = row == StateRef::LOST;
            if !watch.lost {
                watch.state = self.flat.state(row);
            }
        }
    }

    /// The row of a state of the law at a position of `flat`.
    pub fn row(&mut self, position: usize, state: State) -> StateRef {
        if let Some(row) = self.flat.row(position, state) {
            return row;
        }
        let automaton = self.watches[self.flat_laws[position]].automaton(&self.arena, &self.vocabulary);
        let verdict = self.oracle.verdict(automaton, &mut self.arena, state, &self.vocabulary);
        self.flat.add(position, state, automaton.accepts(state), verdict == Some(Verdict::Violated))
    }

    /// The row after one more letter with this code.
    #[inline]
    pub fn step(&mut self, position: usize, row: StateRef, code: usize) -> StateRef {
        let next = self.flat.step(row, code);
        if next == StateRef::UNEXPLORED { self.explore(position, row, code) } else { next }
    }

    #[cold]
    fn explore(&mut self, position: usize, row: StateRef, code: usize) -> StateRef {
        let (state, letter) = (self.flat.state(row), self.flat.letter(position, code));
        let automaton = self.watches[self.flat_laws[position]].automaton(&self.arena, &self.vocabulary);
        let next = match automaton.step(&self.arena, state, &letter) {
            Ok(next) => self.row(position, next),
            Err(_) => StateRef::LOST,
        };
        self.flat.set_step(row, code, next);
        next
    }

    /// The verdict of one law on the run so far.
    pub fn verdict(&mut self, law: usize) -> Verdict {
        let Ok(state) = self.state(law) else { return Verdict::Pending };
        let watch = &mut self.watches[law];
        if watch.lost {
            return Verdict::Pending;
        }
        let automaton = watch.automaton(&self.arena, &self.vocabulary);
        let exact = self.oracle.verdict(automaton, &mut self.arena, state, &self.vocabulary);
        exact.unwrap_or(if automaton.accepts(state) { Verdict::Clear } else { Verdict::Pending })
    }

    /// One wide law reads one letter; whether that broke it. It is then re-armed.
    pub fn read_wide(&mut self, law: usize, letter: &Letter) -> bool {
        let watch = &mut self.watches[law];
        let state = watch.state;
        if watch.lost {
            return false;
        }
        let automaton = watch.automaton.get_or_insert_with(|| {
            Box::new(Automaton::new(&self.arena, watch.node, watch.accepts_empty, &self.vocabulary))
        });
        let Ok(next) = automaton.step(&self.arena, state, letter) else {
            watch.lost = true;
            return false;
        };
        let mut broken = |automaton: &mut Automaton, arena: &mut NnfArena, state: State| {
            self.oracle.verdict(automaton, arena, state, &self.vocabulary) == Some(Verdict::Violated)
        };
        if !broken(automaton, &mut self.arena, next) {
            watch.state = next;
            return false;
        }
        let again = automaton.step(&self.arena, INITIAL, letter).ok();
        watch.state = again.filter(|&again| !broken(automaton, &mut self.arena, again)).unwrap_or(INITIAL);
        true
    }

    /// All laws of `flat` read one letter; those it broke are re-armed and told.
    pub fn read_all(&mut self, letter: &Letter, mut broken: impl FnMut(usize)) {
        debug_assert!(!self.behind);
        let mut position = 0;
        loop {
            let Self { flat, rows, .. } = self;
            for row in &mut rows[position..] {
                let next = flat.step(*row, flat.code(position, letter));
                // A step not explored yet looks doomed too.
                if next.is_dead() {
                    break;
                }
                *row = next;
                position += 1;
            }
            if position == self.rows.len() {
                return;
            }
            if self.read(position, letter) {
                broken(self.flat_laws[position]);
            }
            position += 1;
        }
    }

    /// The law at a position of `flat` reads one letter; whether that broke it. It is then re-armed.
    pub fn read(&mut self, position: usize, letter: &Letter) -> bool {
        let code = self.flat.code(position, letter);
        let next = self.step(position, self.rows[position], code);
        self.rows[position] = next;
        next.is_dead() && self.rearm(position, code)
    }

    #[cold]
    fn rearm(&mut self, position: usize, code: usize) -> bool {
        let initial = self.row(position, INITIAL);
        let again = self.step(position, initial, code);
        self.rows[position] = if again.is_dead() { initial } else { again };
        true
    }

    /// Continuations follow this model from now on.
    pub fn follow(&mut self, model: Arc<dyn Transitions>) {
        self.transitions = Some(model);
        let count = self.vocabulary.observations().len();
        if count > FEW_OBSERVATIONS {
            return;
        }
        let mut axioms = Axioms::new(&self.vocabulary);
        let props: Vec<PropId> = (0..count as u16).map(PropId).collect();
        let every_code = 0..1usize << count;
        let state = |code: usize| -> PropSet { props.iter().copied().filter(|p| code >> p.0 & 1 == 1).collect() };
        let legal = |state: &PropSet| axioms.complete(&props, &Letter(*state)).is_some();
        self.every_state = Some(every_code.map(state).filter(legal).collect());
    }

    pub fn group(&self, laws: impl IntoIterator<Item = usize>) -> Group {
        let (masked, general): (Vec<_>, Vec<_>) = laws.into_iter().partition(|&law| self.watches[law].rows.is_some());
        let rows = masked
            .iter()
            .flat_map(|&law| self.watches[law].rows.iter().flatten().map(move |row| (law, row.clone())))
            .collect::<Vec<_>>();
        self.arena.budget.spend(GROUP_COST + 2 * rows.len() as u64);
        Group { general, masks: MaskTable::new(rows, &self.vocabulary) }
    }

    /// Whether an action, followed by some continuation, satisfies every law of the group, as far as the budget lets it
    /// search.
    pub fn possible(&mut self, group: &Group, action: ActionId) -> Possible {
        if !group.masks.allowed(&self.now).contains(action) {
            return Possible::No(group.masks.culprit(&self.now, action).into_iter().collect());
        }
        self.settle();
        match self.continuable(group, action) {
            Continuation::Yes(_) => Possible::Yes,
            Continuation::No(core) => Possible::No(core),
            Continuation::Unknown => Possible::Unknown,
        }
    }

    /// The same for an action that no mask forbids, with a plan. The watches must be settled.
    pub fn continuable(&mut self, group: &Group, action: ActionId) -> Continuation {
        if group.general.iter().any(|&law| self.watches[law].lost) {
            return Continuation::Unknown;
        }
        let observations = self.now.observations(&self.vocabulary);
        if Some(action) == self.vocabulary.stop() {
            let end = Letter::after(&self.vocabulary, action, observations);
            return match self.offender(group, &[end]) {
                Ok(None) => Continuation::Yes(vec![end]),
                Ok(Some(law)) => Continuation::No(vec![law]),
                Err(_) => Continuation::Unknown,
            };
        }
        let model = self.transitions.clone();
        let predicted = model.as_ref().and_then(|model| model.next(&observations, action));
        let mut plan = vec![Letter::after(&self.vocabulary, action, predicted.unwrap_or(observations))];
        let mut question = Vec::new();
        loop {
            let open = question.is_empty();
            match self.offender(group, &plan) {
                Ok(None) => return Continuation::Yes(plan),
                Ok(Some(law)) => question.push(law),
                Err(_) => return Continuation::Unknown,
            }
            if model.is_none() && !open {
                // The solver takes many laws as easily as one; a round for each would cost more.
                let Ok(offenders) = self.offenders(group, &plan) else { return Continuation::Unknown };
                question.extend(offenders.into_iter().filter(|law| !question.contains(law)).collect::<Vec<_>>());
            }
            if open && model.is_none() {
                // What is owed already has to be settled anyway.
                for &law in &group.general {
                    let state = self.watches[law].state;
                    let owes = !self.watches[law].automaton(&self.arena, &self.vocabulary).accepts(state);
                    if owes && !question.contains(&law) {
                        question.push(law);
                    }
                }
            }
            if !self.arena.budget.try_spend(1 + (2 * plan.len() * group.general.len() / LAWS_READ) as u64) {
                return Continuation::Unknown;
            }
            question.sort_unstable();
            let answer = match &model {
                Some(model) => self.foreseen(&question, &**model, action, predicted),
                None => self.free(&question, Some(action)),
            };
            match answer {
                Answer::Plan(letters) => plan = letters,
                Answer::Unsat(core) => return Continuation::No(core.into_iter().map(|at| question[at]).collect()),
                Answer::Unknown => return Continuation::Unknown,
            }
        }
    }

    /// A law of the group that these next letters break or leave owing something; `None` if they satisfy all of it.
    fn offender(&mut self, group: &Group, plan: &[Letter]) -> Result<Option<usize>, crate::residual::TooLarge> {
        let mut before = self.now;
        for letter in plan {
            if let Some(action) = letter.action(&self.vocabulary)
                && !group.masks.allowed(&before).contains(action)
            {
                return Ok(group.masks.culprit(&before, action));
            }
            before = *letter;
        }
        for &law in &group.general {
            if !self.suits(law, plan)? {
                return Ok(Some(law));
            }
        }
        Ok(None)
    }

    /// All laws that these next letters break or leave owing something, but those that are masks.
    fn offenders(&mut self, group: &Group, plan: &[Letter]) -> Result<Vec<usize>, crate::residual::TooLarge> {
        let mut offenders = Vec::new();
        for &law in &group.general {
            if !self.suits(law, plan)? {
                offenders.push(law);
            }
        }
        Ok(offenders)
    }

    fn suits(&mut self, law: usize, plan: &[Letter]) -> Result<bool, crate::residual::TooLarge> {
        let mut state = self.watches[law].state;
        let automaton = self.watches[law].automaton(&self.arena, &self.vocabulary);
        for letter in plan {
            state = automaton.step(&self.arena, state, letter)?;
        }
        Ok(automaton.accepts(state))
    }

    /// The state of a law after the current letter. A mask's state depends on that letter alone.
    pub fn state(&mut self, law: usize) -> Result<State, crate::residual::TooLarge> {
        let watch = &mut self.watches[law];
        if watch.rows.is_none() {
            return Ok(watch.state);
        }
        watch.automaton(&self.arena, &self.vocabulary).step(&self.arena, INITIAL, &self.now)
    }

    fn free(&mut self, laws: &[usize], first: Option<ActionId>) -> Answer {
        let mut residuals = Vec::with_capacity(laws.len());
        for &law in laws {
            let Ok(state) = self.state(law) else { return Answer::Unknown };
            residuals.push(self.watches[law].automaton(&self.arena, &self.vocabulary).residual(state).clone());
        }
        if self.ltlf_sat.as_ref().is_none_or(|ltlf_sat| ltlf_sat.is_full()) {
            self.ltlf_sat = Some(Box::new(LtlfSat::new(&self.vocabulary, true)));
        }
        let Some(ltlf_sat) = &mut self.ltlf_sat else { return Answer::Unknown };
        let residuals: Vec<&Residual> = residuals.iter().collect();
        ltlf_sat.continuation(&self.arena, &residuals, first)
    }

    /// The same with a transition model. `predicted` is `None` where the model does not know where the first action leads.
    fn foreseen(
        &mut self,
        laws: &[usize],
        model: &dyn Transitions,
        first: ActionId,
        predicted: Option<PropSet>,
    ) -> Answer {
        let firsts: Vec<Letter> = match (&predicted, &self.every_state) {
            (Some(observations), _) => vec![Letter::after(&self.vocabulary, first, *observations)],
            (None, Some(all)) => all.iter().map(|state| Letter::after(&self.vocabulary, first, *state)).collect(),
            (None, None) => Vec::new(),
        };
        let mut states = Vec::with_capacity(laws.len());
        for &law in laws {
            let Ok(state) = self.state(law) else { return Answer::Unknown };
            states.push(state);
        }
        let mut automata = Vec::with_capacity(laws.len());
        for (position, watch) in self.watches.iter_mut().enumerate() {
            if laws.binary_search(&position).is_ok() {
                automata.push(watch.automaton(&self.arena, &self.vocabulary));
            }
        }
        let world =
            explicit_search::World { vocabulary: &self.vocabulary, model, every_state: self.every_state.as_deref() };
        match explicit_search::search(&mut automata, &self.arena, &world, &states, &firsts) {
            Explicit::Plan(plan) => Answer::Plan(plan),
            Explicit::Unsat => Answer::Unsat((0..laws.len()).collect()),
            // If even an environment that is free cannot help, one that follows the model cannot either.
            Explicit::BeyondModel => match self.free(laws, Some(first)) {
                Answer::Unsat(core) => Answer::Unsat(core),
                _ => Answer::Unknown,
            },
            Explicit::Unknown => Answer::Unknown,
        }
    }

    /// Bytes the automata, tables and masks hold.
    pub fn bytes(&self) -> usize {
        let automata: usize = self.watches.iter().filter_map(|watch| watch.automaton.as_ref()).map(|a| a.bytes()).sum();
        automata + self.flat.len() * 4
    }

    /// Drops laws from a set that forbids something, as long as the rest still does (as `forbids` says).
    pub fn minimise(
        &mut self,
        mut laws: Vec<usize>,
        mut forbids: impl FnMut(&mut Self, &[usize]) -> Option<Vec<usize>>,
    ) -> Vec<usize> {
        let mut position = 0;
        while position < laws.len() && laws.len() > 1 && !self.arena.budget.is_out() {
            let mut rest = laws.clone();
            rest.remove(position);
            match forbids(self, &rest) {
                // Laws before `position` are needed by any smaller set, so they are in it.
                Some(core) => laws = core,
                None => position += 1,
            }
        }
        laws
    }

    /// A minimal set of laws that blocks an action, from one that does. When the work runs out it is the smallest found.
    pub fn minimal_block(&mut self, laws: Vec<usize>, action: ActionId) -> Vec<usize> {
        self.minimise(laws, |joint, rest| {
            let group = joint.group(rest.iter().copied());
            match joint.possible(&group, action) {
                Possible::No(mut core) => {
                    core.sort_unstable();
                    Some(core)
                }
                _ => None,
            }
        })
    }

    /// A minimal set of laws that leaves no action but stopping, from one that does. When the work runs out it is the
    /// smallest found.
    pub fn minimal_conflict(&mut self, laws: Vec<usize>) -> Vec<usize> {
        let stop = self.vocabulary.stop();
        self.minimise(laws, |joint, rest| {
            let group = joint.group(rest.iter().copied());
            let mut union = Vec::new();
            for action in joint.vocabulary.clone().action_ids().filter(|action| Some(*action) != stop) {
                match joint.possible(&group, action) {
                    Possible::No(core) => union.extend(core),
                    _ => return None,
                }
            }
            union.sort_unstable();
            union.dedup();
            Some(union)
        })
    }
}
