//! Decisions: what all laws leave, what the hard ones do where it is proved that all leave nothing, and what neither could
//! be decided of.

use std::cmp::Reverse;
use std::sync::Arc;

use super::{BothDeciding, Engine};
use crate::actions::ActionSet;
use crate::decision_cache::{Judged, NodeNumber};
use crate::joint::Possible;
use crate::judgement::{Decision, Enforcement};
use crate::known_by_state::{Conflict, Key};
use crate::law::LawId;
use crate::law_set::Group;
use crate::options::{Fallback, ShieldOptions};
use crate::run::Which;
use crate::vocabulary::ActionId;

impl Engine {
    /// Returns the allowed actions, decided once per letter.
    pub fn decide(&mut self) -> Decision {
        match &self.run.here.decision {
            Some(decision) => decision.clone(),
            None => self.decide_here(),
        }
    }

    fn decide_here(&mut self) -> Decision {
        if !self.run.is_started() {
            let actions: ActionSet = self.vocabulary().action_ids().collect();
            let enforcement = Enforcement::Undecided { actions: actions.iter().collect(), laws: Vec::new() };
            return nothing(actions, enforcement);
        }
        if self.run.end.is_some() {
            return nothing(ActionSet::EMPTY, Enforcement::Ended);
        }
        if self.joint.predictions.is_active() {
            let decision = self.decide_robustly();
            self.run.here.decision = Some(decision.clone());
            return decision;
        }
        let plain = match self.deciding.all.search.group.watched.is_empty() {
            true => Some(self.run.here.masked),
            false => {
                let node = self.node();
                let known = node.and_then(|node| self.deciding.all.cache.settled(node, &self.run.here.masked));
                known.filter(|known| !known.raised && known.undecided.is_empty()).map(|known| known.allowed)
            }
        };
        let decision = match plain.filter(|allowed| !self.leaves_none(allowed)) {
            Some(allowed) => {
                self.run.here.judged_by = Which::All;
                self.run.here.hard_allowed = self.deciding.hard.is_none().then_some(allowed);
                let (undecided, relaxed) = (ActionSet::EMPTY, Vec::new());
                Decision { allowed, undecided, enforcement: Enforcement::All, raised: false, relaxed }
            }
            None => self.decide_for(Which::All),
        };
        self.run.here.decision = Some(decision.clone());
        decision
    }

    /// Returns the actions that these laws allow; if they provably leave nothing and some are soft, those that the hard
    /// ones do.
    pub(crate) fn decide_for(&mut self, which: Which) -> Decision {
        let judged = self.judge_for(which);
        self.run.here.judged_by = which;
        if which == Which::Hard || self.deciding.hard.is_none() {
            self.run.here.hard_allowed = Some(judged.allowed);
        }
        if !self.leaves_none(&judged.allowed) {
            return judged.decision(match which {
                Which::All | Which::Kept => Enforcement::All,
                // The caller knows the conflict.
                Which::Hard => Enforcement::HardOnly { conflict: Vec::new(), minimal: true },
            });
        }
        if !self.leaves_none(&judged.undecided) {
            return judged.decision(self.undecided(which, &judged));
        }
        let Some(key) = self.key().filter(|_| which == Which::All) else {
            return self.over_constrained(which, &judged);
        };
        let key = (key, ());
        let emptied = self.deciding.all.cache.emptied;
        if let Some(known) = self.conflicts.get(&key, emptied) {
            self.run.here.judged_by = if known.kept.is_some() { Which::Kept } else { Which::Hard };
            self.run.here.kept = known.kept.clone();
            self.run.here.hard_allowed = known.kept.is_none().then_some(known.decision.allowed);
            return known.decision.clone();
        }
        let decision = self.over_constrained(which, &judged);
        if !matches!(decision.enforcement, Enforcement::Undecided { .. }) {
            let kept = self.run.here.kept.clone().filter(|_| self.run.here.judged_by == Which::Kept);
            self.conflicts.keep(key, emptied, Conflict { decision: decision.clone(), kept });
        }
        decision
    }

    /// Everything that answers in this state depend on; `None` before the first letter, and where predictions count.
    pub(super) fn key(&mut self) -> Option<Key> {
        let read = self.run.letter()?.0.intersection(&self.deciding.all.search.group.masks.reads());
        (!self.joint.predictions.is_active()).then(|| (read, self.node()))
    }

    /// Returns the allowed actions where these laws provably leave nothing but stopping.
    #[cold]
    fn over_constrained(&mut self, which: Which, judged: &Judged) -> Decision {
        if self.deciding.hard.is_none() || which == Which::Hard {
            let (conflict, minimal) = self.conflict(which);
            return judged.decision(Enforcement::Nothing { conflict, minimal });
        }
        let mut decision = self.decide_for(Which::Hard);
        decision.raised |= judged.raised;
        if let Enforcement::HardOnly { .. } = decision.enforcement {
            let (conflict, minimal) = self.conflict(Which::All);
            if self.options().fallback == Fallback::OneByOne {
                return self.suspend(decision, conflict, minimal);
            }
            decision.enforcement = Enforcement::HardOnly { conflict, minimal };
        }
        decision
    }

    /// Returns the allowed actions if as few soft laws as possible are set aside, out of those that the hard laws
    /// allow.
    fn suspend(&mut self, by_hard: Decision, conflict: Vec<LawId>, minimal: bool) -> Decision {
        let before = self.joint.begin(self.options().budget);
        let laws = self.joint.laws.clone();
        let (mut kept, mut rest): (Vec<usize>, Vec<usize>) =
            (0..laws.laws().len()).partition(|law| laws.laws()[*law].is_hard());
        rest.sort_by_key(|law| (Reverse(laws.laws()[*law].weight), *law));
        let hard = kept.len();
        let (allowed, undecided) = (by_hard.allowed.difference(&self.stop), by_hard.undecided);
        let mut left = Judged { allowed, undecided, ..Judged::default() };
        let (mut suspended, mut proved) = (Vec::new(), true);
        // All laws together leave nothing.
        let mut fails = true;
        while !rest.is_empty() {
            let (fits, is_proved) = self.fitting(&kept, &rest, fails, &mut left);
            kept.extend(rest.drain(..fits));
            if !rest.is_empty() {
                suspended.push(rest.remove(0));
                proved &= is_proved;
            }
            fails = false;
        }
        let enforced = self.joint.group(kept.iter().copied());
        let stops = self.left(&enforced, self.stop);
        left.undecided = left.undecided.union(&stops.undecided);
        self.joint.budget.restore(before);
        if kept.len() == hard {
            return Decision { enforcement: Enforcement::HardOnly { conflict, minimal }, ..by_hard };
        }
        self.run.here.judged_by = Which::Kept;
        self.run.here.kept = Some(enforced);
        let enforcement = Enforcement::Suspended { suspended: laws.ids(suspended), conflict, minimal, proved };
        Decision { allowed: left.allowed.union(&stops.allowed), undecided: left.undecided, enforcement, ..by_hard }
    }

    /// Returns how many of some laws, from the first, leave an action together with those kept. Also returns whether it
    /// is proved that one more leaves none. Takes away the actions that they do not leave. Found by halving, because
    /// more laws leave fewer actions.
    fn fitting(&mut self, kept: &[usize], rest: &[usize], all_fail: bool, left: &mut Judged) -> (usize, bool) {
        let (mut fits, mut fails, mut proved) = (0, rest.len() + usize::from(!all_fail), true);
        let mut tried = if all_fail { fails / 2 } else { rest.len() };
        while fails - fits > 1 {
            let group = self.joint.group(kept.iter().chain(&rest[..tried]).copied());
            let more = self.left(&group, left.allowed);
            if more.allowed.is_empty() {
                (fails, proved) = (tried, more.undecided.is_empty());
            } else {
                left.allowed = more.allowed;
                left.undecided = left.undecided.union(&more.undecided);
                fits = tried;
            }
            tried = usize::midpoint(fits, fails);
        }
        (fits, proved)
    }

    /// The actions among some that the laws of a group leave.
    fn left(&mut self, group: &Group, among: ActionSet) -> Judged {
        let mut left = Judged::default();
        let Some(now) = self.run.now() else { return left };
        let alike = self.joint.alike(group);
        let mut of_alike = None;
        for action in among.intersection(&group.masks.allowed(now.letter)).iter() {
            let known = of_alike.take_if(|_| alike.contains(action));
            let answer = known.unwrap_or_else(|| self.joint.continuable(now, group, action).known());
            let one = ActionSet::from_iter([action]);
            match answer {
                Some(true) => left.allowed = left.allowed.union(&one),
                Some(false) => {}
                None => left.undecided = left.undecided.union(&one),
            }
            if alike.contains(action) {
                of_alike = Some(answer);
            }
        }
        left
    }

    /// The actions that were left undecided, and the laws that were in the way, those of most searches first: where no search
    /// came so far as to name one, all.
    #[cold]
    fn undecided(&self, which: Which, judged: &Judged) -> Enforcement {
        let stop = self.vocabulary().stop();
        let actions = judged.undecided.iter().filter(|action| Some(*action) != stop).collect();
        let mut counts: Vec<(usize, usize)> = Vec::new();
        if judged.hard_to_decide.is_empty() {
            counts.extend(self.group(which).watched.iter().map(|&law| (law, 0)));
        }
        for &law in &judged.hard_to_decide {
            match counts.iter_mut().find(|(other, _)| *other == law) {
                Some((_, count)) => *count += 1,
                None => counts.push((law, 1)),
            }
        }
        counts.sort_unstable_by_key(|&(law, count)| (std::cmp::Reverse(count), law));
        Enforcement::Undecided { actions, laws: self.joint.laws.ids(counts.into_iter().map(|(law, _)| law)) }
    }

    fn options(&self) -> &ShieldOptions {
        self.joint.laws.options()
    }

    /// Judges all actions by these laws.
    pub(crate) fn judge_for(&mut self, which: Which) -> Judged {
        let mut judged = self.judge_cooperatively(which);
        if self.joint.predictions.is_active() {
            self.judge_robustly(&mut judged);
        }
        judged
    }

    pub(crate) fn judge_cooperatively(&mut self, which: Which) -> Judged {
        let which = if self.deciding.hard.is_none() { Which::All } else { which };
        let masked = match (which, self.run.letter()) {
            (Which::Hard, Some(letter)) => self.group(which).masks.allowed(letter),
            _ => self.run.here.masked,
        };
        if self.deciding.of(which).search.group.watched.is_empty() {
            return Judged { allowed: masked, ..Judged::default() };
        }
        let judged = match self.settled(which, &masked) {
            Some(settled) => settled.clone(),
            None => self.settle(which, masked),
        };
        self.run.unknowns += judged.undecided.len() as u64;
        judged
    }

    /// The joint state of these laws.
    fn node_of(&mut self, which: Which) -> Option<NodeNumber> {
        match (&mut self.deciding.hard, which) {
            (Some(hard), Which::Hard) => Some(hard.node(self.run.now()?)),
            _ => self.node(),
        }
    }

    /// Returns the knowledge about these actions here.
    fn settled(&mut self, which: Which, asked: &ActionSet) -> Option<&Judged> {
        let node = self.node_of(which)?;
        self.deciding.of(which).cache.settled(node, asked)
    }

    /// Judges actions, and keeps the result.
    fn settle(&mut self, which: Which, asked: ActionSet) -> Judged {
        let mut judged = self.judge_anew(which, &asked, self.options().budget);
        let undecided = judged.undecided;
        if !self.leaves_none(&undecided) && self.leaves_none(&judged.allowed) {
            self.deciding.of(which).search.stats.undecided -= undecided.len() as u64;
            let units = self.options().budget.saturating_mul(self.options().raise);
            let mut again = self.judge_anew(which, &undecided, units);
            again.cores.extend(judged.cores);
            judged = Judged { allowed: judged.allowed.union(&again.allowed), raised: true, ..again };
        }
        if let Some(node) = self.node_of(which) {
            self.deciding.of(which).cache.settle(node, asked, judged.clone());
        }
        judged
    }

    /// Judges actions, whatever is known of them.
    fn judge_anew(&mut self, which: Which, asked: &ActionSet, units: u64) -> Judged {
        let Some(now) = self.run.now() else { return Judged { undecided: *asked, ..Judged::default() } };
        let before = self.joint.begin(units);
        let deciding = self.deciding.of(which);
        let judged = deciding.search.judge(&mut self.joint, now, asked);
        self.joint.budget.restore(before);
        judged
    }

    /// Returns whether a set of allowed actions has nothing but stopping.
    #[inline]
    fn leaves_none(&self, allowed: &ActionSet) -> bool {
        allowed.is_subset(&self.stop)
    }

    /// A minimal set of laws that leaves no action but stopping, which it is proved that these laws do; and whether it is
    /// known to be minimal.
    #[cold]
    fn conflict(&mut self, which: Which) -> (Vec<LawId>, bool) {
        let (laws, minimal) = self.explaining(|engine| {
            let Some(now) = engine.run.now() else { return (Vec::new(), true) };
            let group = engine.group(which).clone();
            let stop = engine.vocabulary().stop();
            if group.watched.is_empty() {
                return (group.masks.conflict(now.letter, stop.into_iter().collect()), true);
            }
            let proofs: Option<Vec<_>> =
                engine.joint.distinct(now, &group).into_iter().map(|action| engine.proof(which, action)).collect();
            let Some(now) = engine.run.now() else { return (Vec::new(), true) };
            engine.joint.minimal_conflict(now, &group, proofs.map(|proofs| proofs.concat()))
        });
        (self.joint.laws.ids(laws), minimal)
    }

    pub(crate) fn group(&self, which: Which) -> &Arc<Group> {
        let BothDeciding { all, hard } = &self.deciding;
        match (hard, which) {
            (_, Which::Kept) => self.run.here.kept.as_ref().unwrap_or(&all.search.group),
            (Some(hard), Which::Hard) => &hard.search.group,
            _ => &all.search.group,
        }
    }

    /// Does something that may cost as much as an explanation may.
    pub(crate) fn explaining<R>(&mut self, explain: impl FnOnce(&mut Self) -> R) -> R {
        let before = self.joint.begin(self.options().explanation_budget);
        let result = explain(self);
        self.joint.budget.restore(before);
        result
    }

    /// Laws that together block an action, not a minimal set; `None` if that cannot be proved within the bounds.
    pub(crate) fn proof(&mut self, which: Which, action: ActionId) -> Option<Vec<usize>> {
        let now = self.run.now()?;
        let group = self.group(which).clone();
        if which != Which::Kept && group.masks.allowed(now.letter).contains(action) {
            let deciding = self.deciding.of(which);
            if let Some(law) = deciding.search.refuting(&mut self.joint, now, action) {
                return Some(vec![law]);
            }
            let masked = group.masks.allowed(now.letter);
            let settled = self.settled(which, &masked).map(|known| known.cores.iter());
            let known = settled.and_then(|mut cores| cores.find(|(of, _)| of.contains(action)));
            if let Some(core) = known.map(|(_, core)| core.clone()) {
                // The search kept to the masks all along: without them the core may not be enough.
                let (of_core, now) = (self.joint.group(core.iter().copied()), self.run.now()?);
                if group.masks.is_empty() || matches!(self.joint.possible(now, &of_core, action), Possible::No(_)) {
                    return Some(core);
                }
            }
        }
        let now = self.run.now()?;
        match self.joint.possible(now, &group, action) {
            Possible::No(core) => Some(core),
            Possible::Yes(_) | Possible::Unknown(_) => None,
        }
    }
}

impl Judged {
    /// The decision on these actions.
    fn decision(&self, enforcement: Enforcement) -> Decision {
        let Self { allowed, undecided, raised, .. } = *self;
        Decision { allowed, undecided, enforcement, raised, relaxed: Vec::new() }
    }
}

/// The decision where nothing may run.
fn nothing(undecided: ActionSet, enforcement: Enforcement) -> Decision {
    Decision { allowed: ActionSet::EMPTY, undecided, enforcement, raised: false, relaxed: Vec::new() }
}
