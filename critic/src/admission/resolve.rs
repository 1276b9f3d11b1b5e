//! Whether a law of the book may be replaced by a weaker one, or retired.

use ltlcrit_laws::{Entry, Evidence, Status};
use ltlcrit_store::{LawId, RunId};
use ltlcrit_verifier::consistency::ConsistencyError;
use ltlcrit_verifier::minimal_subset;
use ltlcrit_verifier::{ActionId, ActionSet, PropSet};

use super::{Gate, GateError, Judged, NotMade, Proposal, ProposedState, Refusal, RetireCause};
use crate::law::{KnownLaw, Restriction, StateConflict};
use crate::notes::RolledBack;
use crate::statistics::LawStatistics;

/// The fewest finished runs after which a law that never fired is retired.
pub(super) const ENOUGH_RUNS: u32 = 100;
/// The most actions a law may leave and still count as demanding them.
const MOST_DEMANDED: usize = 3;
/// The fewest failures in one state after which a demand counts as impossible there.
const ENOUGH_FAILED: u32 = 2;
/// The fewest blocks known to be right or wrong from which a law is judged.
const ENOUGH_RATED: u32 = 5;

/// The laws that a law is in conflict with in a state.
struct Conflicting<'k> {
    /// A minimal set of others that leave nothing there together with it.
    others: Vec<&'k KnownLaw>,
    /// The actions that do not count as left: none, or those that are fruitless there.
    useless: ActionSet,
}

impl Gate<'_> {
    /// Approves a replacement: it is weaker, and leaves an action where the old law left none.
    pub(super) fn judge_replacement(
        &self,
        law: &LawId,
        with: &Proposal,
        state: &ProposedState,
    ) -> Result<Judged, NotMade> {
        let old = self.replaceable(law)?;
        let state = self.possible(state)?;
        let Conflicting { others, useless } = self.conflict_with(old, &state)?;
        let judged = self.read(&with.formula)?;
        self.leaves_an_action(&judged.restriction)?;
        self.is_grounded(&judged.restriction, &with.evidence, Self::holds_somewhere)?;
        self.is_weaker(old, &judged)?;
        let replacement = KnownLaw { restriction: Some(judged.restriction.clone()), ..old.clone() };
        if self.left_at(others.iter().copied().chain([&replacement]), &state).is_subset(&useless) {
            let laws = others.iter().map(|known| known.id.clone()).collect();
            return Err(Refusal::LiftsNothing { state: self.names(&state), laws }.into());
        }
        self.spares_good_steps(&judged.restriction)?;
        Ok(judged)
    }

    /// Approves if a law blocks less than an old one, and something that the others do not block.
    pub(super) fn is_weaker(&self, old: &KnownLaw, judged: &Judged) -> Result<(), NotMade> {
        let place = self.known.iter().position(|known| known.id == old.id).unwrap_or_default();
        let new = self.known.len();
        let mut system = self.system(&judged.restriction.guarded())?;
        let only_old: Vec<bool> = (0..=new).map(|at| at == place).collect();
        if system.implied_by(new, &only_old)?.is_none() {
            return Err(Refusal::NotWeaker { law: old.id.clone() }.into());
        }
        let established = self.established().into_iter().chain([true]).enumerate();
        let all_but_old: Vec<bool> = established.map(|(at, counts)| counts && at != place).collect();
        match system.implied_by(new, &all_but_old)? {
            Some(by) => Err(Refusal::Implied { by: self.ids_of(&by) }.into()),
            None => Ok(()),
        }
    }

    /// Approves a retirement and returns the reason the book gives for it.
    pub(super) fn judge_retirement(
        &self,
        law: &LawId,
        cause: RetireCause,
        state: Option<&ProposedState>,
    ) -> Result<String, NotMade> {
        let old = self.changeable(law)?;
        let state = || state.map_or(Ok(PropSet::EMPTY), |state| self.possible(state));
        Ok(match cause {
            RetireCause::Conflict => {
                let state = state()?;
                let Conflicting { others, useless } = self.conflict_with(old, &state)?;
                let others: Vec<String> = others.iter().map(|known| format!("`{}`", known.id)).collect();
                let with = if others.is_empty() { String::new() } else { format!("with {} ", others.join(", ")) };
                let names = self.names(&state).join(", ");
                let left = self.left_at(self.known.iter(), &state).intersection(&useless);
                match left.is_empty() {
                    true => format!("{with}it leaves no action where {names} hold"),
                    false => format!(
                        "{with}it leaves only {} where {names} hold, which always failed or changed nothing there",
                        left.names(&self.vocabulary).join(", ")
                    ),
                }
            }
            RetireCause::DemandsWhatFails => self.demands_what_fails(old, &state()?)?,
            RetireCause::LeavesDeadEnd => self.leaves_dead_end(old, &state()?)?,
            RetireCause::NeverFires => self.justified(law, |counts| {
                never_fired(counts).ok_or_else(|| match (counts.fired, counts.runs) {
                    (0, runs) => format!("`{law}` was in force in {runs} runs only; {ENOUGH_RUNS} are needed to tell"),
                    (fired, _) => format!("the condition of `{law}` held {fired} times"),
                })
            })?,
            RetireCause::BlocksGoodSteps => self.justified(law, |counts| {
                if let Some(trial) = self.passed_trial(law) {
                    return Err(format!(
                        "`{law}` passed its trial, which counts more than what single blocks did: {trial}"
                    ));
                }
                let (right, wrong) = (counts.right, counts.wrong);
                blocked_good_steps(counts).ok_or_else(|| match right + wrong {
                    rated if rated >= ENOUGH_RATED => {
                        format!("`{law}` blocked {right} bad choices and {wrong} good ones")
                    }
                    rated => format!("of what `{law}` blocked, only {rated} is known to be good or bad"),
                })
            })?,
            RetireCause::Implied => match self.implied(law)? {
                Some(by) if by.is_empty() => "it forbids nothing".to_owned(),
                Some(by) => {
                    let by: Vec<String> = by.iter().map(|id| format!("`{id}`")).collect();
                    format!("{} say it already", by.join(", "))
                }
                None => {
                    return Err(Refusal::NotDue { why: format!("`{law}` blocks something no other law does") }.into());
                }
            },
        })
    }

    /// Approves if the law leaves few actions in a state and all attempts at them there failed.
    fn demands_what_fails(&self, law: &KnownLaw, state: &PropSet) -> Result<String, Refusal> {
        let why = |why: &str| Refusal::NotDue {
            why: format!("`{}` {why} where {} hold", law.id, self.names(state).join(", ")),
        };
        let left = self.left_at(std::iter::once(law), state);
        if left.len() > MOST_DEMANDED {
            return Err(why("demands nothing in particular"));
        }
        let place = self.runs.graph.state(state).ok_or_else(|| why("was never tried"))?;
        let (mut made, mut failed) = (0, 0);
        for choice in left.iter().filter_map(|action| self.runs.graph.choice(place, action)) {
            let (tried, in_vain) = self.runs.graph.made(choice);
            made += tried;
            failed += in_vain;
        }
        match (made >= ENOUGH_FAILED, made == failed) {
            (false, _) => Err(why("demands what hardly anybody tried")),
            (_, true) => {
                Ok(format!("what it demands failed all {made} times where {} hold", self.names(state).join(", ")))
            }
            (_, false) => Err(why("demands what worked")),
        }
    }

    /// A state in which a law of the book demands what failed there every time.
    pub(crate) fn failing_demand(&self, law: &LawId) -> Option<PropSet> {
        let law = self.changeable(law).ok()?;
        let fails = |state: &&PropSet| self.demands_what_fails(law, state).is_ok();
        self.runs.graph.states().map(|(_, state)| state).find(fails).copied()
    }

    /// The cause for which a law of the book should be retired, by its statistics.
    pub(crate) fn of_no_use(&self, law: &LawId) -> Option<RetireCause> {
        let counts = self.statistics?.of(&self.changeable(law).ok()?.id)?;
        let never = never_fired(counts).map(|_| RetireCause::NeverFires);
        let wrong = || blocked_good_steps(counts).filter(|_| self.passed_trial(law).is_none());
        never.or_else(|| wrong().map(|_| RetireCause::BlocksGoodSteps))
    }

    /// A dead end in which a law of the book blocks what might have led out of it.
    pub fn dead_end(&self, law: &LawId) -> Option<PropSet> {
        let law = self.changeable(law).ok()?;
        self.runs.trials.wanted.iter().map(|wanted| wanted.state).find(|state| self.leaves_dead_end(law, state).is_ok())
    }

    /// Approves if the law blocks an action that a run proposed in a dead end and that no run tried there, unless the action
    /// [stalls](crate::trial::Trials::only_stalls) wherever the law blocks it: then it would not have led out either.
    fn leaves_dead_end(&self, law: &KnownLaw, state: &PropSet) -> Result<String, Refusal> {
        let blocks = |state: &PropSet, action| law.blocks(state, action, &self.vocabulary);
        let here = format!("where {} hold", self.names(state).join(", "));
        let wanted = self.runs.trials.wanted.iter().filter(|wanted| wanted.state == *state);
        let blocked: Vec<ActionId> =
            wanted.map(|wanted| wanted.action).filter(|action| blocks(state, *action)).collect();
        let only_stalls = |action: &ActionId| self.runs.trials.only_stalls(*action, |other| blocks(other, *action));
        if let Some(action) = blocked.iter().find(|action| !only_stalls(action)) {
            let action = self.vocabulary.action_name(*action);
            return Ok(format!("it blocks {action} {here}, from where no run got on"));
        }
        let why = match blocked.first() {
            Some(action) => {
                let action = self.vocabulary.action_name(*action);
                format!("{action} only stalled runs wherever `{}` blocks it, so it leads out of no dead end", law.id)
            }
            None => format!("`{}` blocks nothing that a run wanted in a dead end {here}", law.id),
        };
        Err(Refusal::NotDue { why })
    }

    /// Whether the other laws imply a law.
    ///
    /// # Errors
    /// A vocabulary without actions.
    pub(crate) fn is_implied(&self, law: &LawId) -> Result<bool, GateError> {
        Ok(self.implied(law)?.is_some())
    }

    /// Other laws that imply a law; `None` if they do not, or if that is not decided within the bounds.
    fn implied(&self, law: &LawId) -> Result<Option<Vec<LawId>>, GateError> {
        let Some(place) = self.known.iter().position(|known| known.id == *law) else { return Ok(None) };
        match self.system(&[])?.implied_by(place, &self.established()) {
            Ok(by) => Ok(by.map(|by| self.ids_of(&by))),
            Err(ConsistencyError::Budget(_)) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    fn justified(
        &self,
        law: &LawId,
        judge: impl Fn(&LawStatistics) -> Result<String, String>,
    ) -> Result<String, Refusal> {
        let counts = self.statistics.and_then(|statistics| statistics.of(law));
        let counts = counts.ok_or_else(|| Refusal::NotDue { why: format!("nothing is known of what `{law}` did") })?;
        judge(counts).map_err(|why| Refusal::NotDue { why })
    }

    /// Refuses a law that the book had and that its statistics showed to be useless.
    pub(super) fn is_not_known_to_be_useless(&self, judged: &Judged) -> Result<(), Refusal> {
        let gone = |entry: &&Entry| matches!(entry.status, Status::Retired { .. }) || self.retired.contains(&entry.id);
        let never = |counts: &LawStatistics| {
            never_fired(counts).filter(|_| !self.held_after(&judged.restriction, counts.last_run))
        };
        let useless = |entry: &Entry| {
            let counts = self.statistics?.of(&entry.id)?;
            let why = never(counts).or_else(|| blocked_good_steps(counts))?;
            Some(Refusal::ProvedUseless { law: entry.id.clone(), why })
        };
        let same = self.book.entries().iter().filter(gone).filter(|entry| entry.formula == judged.formula);
        same.into_iter().find_map(useless).map_or(Ok(()), Err)
    }

    /// Refuses a law with which all laws that a rolled back revision had added would be in force again.
    pub(super) fn is_not_given_up(&self, judged: &Judged) -> Result<(), Refusal> {
        let text = judged.formula.to_string();
        let in_force = |formula: &String| self.known.iter().any(|law| law.formula.to_string() == *formula);
        let completes = |rolled_back: &&RolledBack| {
            let added = &rolled_back.added;
            added.iter().any(|(_, formula)| *formula == text)
                && added.iter().all(|(_, formula)| *formula == text || in_force(formula))
        };
        let Some(rolled_back) = self.given_up.iter().find(completes) else { return Ok(()) };
        let law = rolled_back.added.iter().find(|(_, formula)| *formula == text).map(|(law, _)| law.clone());
        let why = format!("revision {} was rolled back: {}", rolled_back.revision, rolled_back.why);
        Err(Refusal::ProvedUseless { law: law.unwrap_or_default(), why })
    }

    /// Whether the condition of some part held in a later run.
    fn held_after(&self, restriction: &Restriction, run: Option<RunId>) -> bool {
        let later = self.runs.graph.runs().filter(|(later, _)| Some(*later) > run);
        later.into_iter().any(|(_, path)| {
            let mut states =
                (0..path.steps().len()).filter_map(|at| self.runs.graph.holds(self.runs.graph.place_after(path, at)));
            states.any(|state| restriction.applies(state, &self.vocabulary))
        })
    }

    /// A law that may be changed and is not on trial.
    pub(super) fn replaceable(&self, law: &LawId) -> Result<&KnownLaw, Refusal> {
        let known = self.changeable(law)?;
        match known.on_trial {
            // What takes its place would be in force without a step that shows it and without a trial.
            true => Err(Refusal::NotDue { why: format!("`{law}` is on trial; propose the narrower law by itself") }),
            false => Ok(known),
        }
    }

    /// A soft law of the book, of the form.
    pub(super) fn changeable(&self, law: &LawId) -> Result<&KnownLaw, Refusal> {
        if let Some(known) = self.known.iter().find(|known| known.id == *law) {
            return if known.changeable { Ok(known) } else { Err(Refusal::NotChangeable { law: law.clone() }) };
        }
        if self.beyond_proof.iter().any(|known| known.id == *law) {
            return Err(Refusal::NotChangeable { law: law.clone() });
        }
        Err(Refusal::NoSuchLaw { law: law.clone() })
    }

    /// A state that satisfies the axioms of the vocabulary.
    fn possible(&self, state: &ProposedState) -> Result<PropSet, Refusal> {
        let state = *state.value()?;
        match self.vocabulary.broken_axiom(&state) {
            Some(axiom) => Err(Refusal::ImpossibleState { axiom: axiom.to_string(), because: axiom.reason.clone() }),
            None => Ok(state),
        }
    }

    /// The other laws that leave no action in a state together with this one and leave one without it; or else no action that is
    /// not [fruitless](crate::trial::Trials::fruitless) there.
    fn conflict_with<'k>(&'k self, law: &'k KnownLaw, state: &PropSet) -> Result<Conflicting<'k>, Refusal> {
        let fruitless = self.fruitless_at(state);
        for useless in [ActionSet::EMPTY, fruitless] {
            let leaves_nothing = |with: &[&'k KnownLaw]| {
                let left = self.left_at(with.iter().copied().chain([law]), state);
                left.is_subset(&useless).then(|| with.to_vec())
            };
            // Then some action is blocked by this law alone.
            for action in law.blocked_at(state, &self.vocabulary).difference(&useless).iter() {
                let others = self.known.iter().filter(|known| known.id != law.id);
                let others = others.filter(|known| !known.blocks(state, action, &self.vocabulary));
                if let Some(with) = leaves_nothing(&others.collect::<Vec<_>>()) {
                    return Ok(Conflicting { others: minimal_subset(with, leaves_nothing), useless });
                }
            }
        }
        let left = self.left_at(self.known.iter(), state);
        let left = left.iter().map(|action| self.vocabulary.action_name(action).to_owned()).collect();
        Err(Refusal::NoConflict { law: law.id.clone(), state: self.names(state), left })
    }

    fn fruitless_at(&self, state: &PropSet) -> ActionSet {
        self.runs.trials.fruitless.get(state).copied().unwrap_or_default()
    }

    /// The states that runs met in which the laws leave only fruitless actions, where without a law that may be changed they
    /// would leave another. Over-constrained states are none of them.
    pub(crate) fn fruitless_conflicts(&self) -> Vec<StateConflict> {
        let met = self.runs.trials.fruitless.iter();
        met.filter_map(|(state, fruitless)| self.fruitless_conflict(state, fruitless)).collect()
    }

    fn fruitless_conflict(&self, state: &PropSet, fruitless: &ActionSet) -> Option<StateConflict> {
        let left = self.left_at(self.known.iter(), state);
        let leave_nothing_else = |laws: &[&KnownLaw]| self.left_at(laws.iter().copied(), state).is_subset(fruitless);
        let (changeable, fixed): (Vec<&KnownLaw>, Vec<&KnownLaw>) = self.known.iter().partition(|law| law.changeable);
        if left.is_empty() || !left.is_subset(fruitless) || leave_nothing_else(&fixed) {
            return None;
        }
        let all = [fixed, changeable].concat();
        let laws = minimal_subset(all, |laws| leave_nothing_else(laws).then(|| laws.to_vec()));
        let laws = laws.into_iter().map(|law| law.id.clone()).collect();
        let met_at = self.met_first(state, left);
        Some(StateConflict { state: *state, laws, left, met_at, suspended: Vec::new() })
    }

    /// The first step at which one of some actions was taken in a state.
    fn met_first(&self, state: &PropSet, actions: ActionSet) -> Option<Evidence> {
        let graph = self.runs.graph;
        let place = graph.state(state)?;
        let choices = actions.iter().filter_map(|action| graph.choice(place, action));
        let steps = choices.flat_map(|choice| graph.outcomes(choice)).map(|(.., first)| first);
        steps.min().map(Evidence::from)
    }

    /// The actions but stopping that laws leave in a state.
    pub(super) fn left_at<'k>(&self, laws: impl Iterator<Item = &'k KnownLaw>, state: &PropSet) -> ActionSet {
        let mut left = ActionSet::first(self.vocabulary.actions().len());
        if let Some(stop) = self.vocabulary.stop() {
            left.remove(stop);
        }
        laws.fold(left, |left, law| left.difference(&law.blocked_at(state, &self.vocabulary)))
    }
}

/// The reason to retire a law that never fired, if it was in force long enough.
fn never_fired(counts: &LawStatistics) -> Option<String> {
    let runs = counts.runs;
    (counts.fired == 0 && runs >= ENOUGH_RUNS)
        .then(|| format!("its condition never held in the {runs} runs it was in force"))
}

/// The reason to retire a law that mostly blocked good choices, if it did.
fn blocked_good_steps(counts: &LawStatistics) -> Option<String> {
    let (right, wrong) = (counts.right, counts.wrong);
    (right + wrong >= ENOUGH_RATED && wrong > right)
        .then(|| format!("it blocked {wrong} good choices and {right} bad ones"))
}
