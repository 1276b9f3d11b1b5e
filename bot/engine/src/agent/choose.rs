//! Chooses the action of a step. At the goal the loop proposes to stop; otherwise the actor proposes until an action
//! may run.

use std::time::Instant;

use ltlcrit_model::{ModelError, Usage};
use ltlcrit_store::{Budget, ConflictRecord, End, NoAction, Offer, ProposalRecord, Proposer, Reply, Ruling, Worded};
use ltlcrit_verifier::{ActionId, Enforcement, Law};
use ltlcrit_worlds::World;

use super::each_second::each_second;
use super::history::{asked, refusal_of};
use super::run::{Choice, Session, Step};
use super::shielding;
use super::{Agent, AgentError, Event};
use crate::actor::{Actor, NotRun, Proposed, Situation};
use crate::books::watched::MAX_STATES_OF_A_PROOF;

impl<W: World> Session<'_, W> {
    /// Chooses an action that may run, or a reason to end the run.
    pub(super) async fn choose(&mut self, step: &mut Step) -> Result<Choice, AgentError> {
        let goal_reached = self.world.goal_reached(&self.observation);
        let mut refusals = Vec::new();
        if let (true, Some(stop)) = (goal_reached && self.may_end_at_the_goal(), self.vocabulary.stop()) {
            let stopping = Proposed { action: Ok(stop), thought: None, usage: Usage::default() };
            let proposal = self.judge(Proposer::Loop, stopping);
            self.agent.observer.on(&Event::Proposed { step: step.number, proposal: &proposal });
            let runs = proposal.ruling.lets_run();
            refusals.extend(refusal_of(&proposal));
            step.proposals.push(proposal);
            if runs {
                return Ok(Choice::Act { action: stop, thought: None });
            }
        }
        if self.tally.metrics().steps >= self.limits.max_steps {
            return Ok(Choice::End(End::Budget { what: Budget::Steps, limit: self.limits.max_steps }));
        }
        if let Some(end) = self.stall.end(self.limits.max_stall, &self.history, &self.vocabulary) {
            return Ok(Choice::End(end));
        }
        if let (true, Enforcement::Undecided { laws, .. }) = (self.manifest.shielded, &step.force) {
            self.agent.observer.on(&Event::OverConstrained { step: step.number, force: &step.force });
            return Ok(Choice::End(End::Undecided { laws: laws.clone() }));
        }
        if self.manifest.shielded && step.force != Enforcement::All {
            let conflict = ConflictRecord {
                run: self.manifest.run,
                step: step.number,
                observation: self.observation.clone(),
                force: step.force.clone(),
            };
            self.log.conflict(conflict)?;
            let force = shielding::told(&step.force, self.shield.laws(), &self.vocabulary);
            self.agent.observer.on(&Event::OverConstrained { step: step.number, force: &force });
            if let Enforcement::Nothing { conflict, .. } = force {
                return Ok(Choice::End(End::NothingAllowed { conflict }));
            }
        }
        if step.number.is_power_of_two()
            && step.force == Enforcement::All
            && let Some(end) = self.forbidden(step.number)
        {
            return Ok(Choice::End(end));
        }
        if self.manifest.shielded && !step.relaxed.is_empty() {
            self.agent.observer.on(&Event::Relaxed { step: step.number, laws: &step.relaxed });
        }
        self.ask(step, refusals, goal_reached).await
    }

    /// Returns whether the run may end once the goal is reached. If the laws are only watched, the actor may stop while
    /// hard laws have pending obligations, so it decides itself when it is done.
    fn may_end_at_the_goal(&self) -> bool {
        let is_owed = |law: &Law| law.is_hard() && self.owed.contains(&law.id);
        self.manifest.shielded || !self.shield.laws().iter().any(is_owed)
    }

    /// Returns the end of a run if a search proves that the hard laws exclude the goal. Checked at steps 1, 2, 4, 8, …
    /// and after the last question to the actor, because each search is expensive.
    fn forbidden(&mut self, step: u64) -> Option<End> {
        if !self.manifest.shielded {
            return None;
        }
        let began = Instant::now();
        let hard: Vec<Law> = self.shield.laws().iter().filter(|law| law.is_hard()).cloned().collect();
        let taken: Vec<ActionId> = self.history.iter().map(|past| past.action).collect();
        let conflict = self.world.fork(None).and_then(|world| world.forbidden(&taken, &hard, MAX_STATES_OF_A_PROOF));
        self.spent.shield += began.elapsed();
        let conflict = conflict?;
        self.agent.observer.on(&Event::Impossible { step, laws: &conflict });
        Some(End::Impossible { conflict })
    }

    /// Asks the actor until it proposes an action that may run.
    async fn ask(
        &mut self,
        step: &mut Step,
        mut refusals: Vec<NotRun>,
        goal_reached: bool,
    ) -> Result<Choice, AgentError> {
        let began = Instant::now();
        let shielded = self.manifest.shielded;
        let mut foresight = self.foresight();
        let offered = foresight.offered();
        let feasible = if shielded { foresight.lawful(true) } else { offered.clone() };
        let allowed = if shielded { foresight.lawful(false) } else { offered.clone() };
        drop(foresight);
        self.spent.shield += began.elapsed();
        let tries = 1 + self.limits.max_reprompts + self.limits.max_listed;
        for attempt in 1..=tries {
            let used: u64 = self.tally.metrics().usage.total()
                + step.proposals.iter().map(|proposal| proposal.total_usage().total()).sum::<u64>();
            if let Some(limit) = self.limits.max_tokens.filter(|limit| used >= *limit) {
                return Ok(Choice::End(End::Budget { what: Budget::Tokens, limit }));
            }
            self.agent.observer.on(&Event::Asking { step: step.number, attempt });
            let is_listed = self.limits.offer == Offer::Allowed
                || attempt > 1 + self.limits.max_reprompts
                || is_repeated(&refusals);
            let situation = Situation {
                role: &self.role,
                task: &self.manifest.task,
                vocabulary: &self.vocabulary,
                glossary: &self.glossary,
                step: step.number,
                observation: &self.observation,
                history: &self.history,
                asked: asked(&step.proposals),
                refusals: &refusals,
                offered: &offered,
                feasible: if self.limits.offer == Offer::Allowed { &allowed } else { &feasible },
                allowed: is_listed.then_some(&allowed),
                laws: self.shield.laws(),
                goal_reached,
            };
            let began = Instant::now();
            let answer = self.agent.ask(step.number, attempt, async |actor| actor.propose(&situation).await).await;
            self.spent.propose += began.elapsed();
            let proposal = match answer {
                None => return Ok(Choice::End(End::Interrupted)),
                Some(Ok(proposal)) => proposal,
                Some(Err(error @ ModelError::Cap { .. })) => {
                    return Ok(Choice::End(End::Cap { message: error.to_string() }));
                }
                Some(Err(ModelError::GaveUp(message))) => return Ok(Choice::End(End::GaveUp { message })),
                Some(Err(error)) => return Ok(Choice::End(End::ModelLost { message: error.to_string() })),
            };
            let mut proposal = self.judge(Proposer::Actor, proposal);
            if let Some(query) = self.to_word(&proposal) {
                let began = Instant::now();
                let answer = self.agent.ask(step.number, attempt, async |actor| actor.explain(&query).await).await;
                self.spent.propose += began.elapsed();
                proposal.worded = match answer {
                    None => None,
                    Some(Ok(worded)) => Some(worded),
                    Some(Err(error)) => Some(Worded::missing(error)),
                };
            }
            self.agent.observer.on(&Event::Proposed { step: step.number, proposal: &proposal });
            let chosen = match &proposal.reply {
                Reply::Action { action } if proposal.ruling.lets_run() => {
                    Some(Choice::Act { action: *action, thought: proposal.thought.clone() })
                }
                _ => None,
            };
            refusals.extend(refusal_of(&proposal));
            step.proposals.push(proposal);
            if let Some(chosen) = chosen {
                return Ok(chosen);
            }
        }
        let end = self.forbidden(step.number);
        Ok(Choice::End(end.unwrap_or(End::NoProposal { tries: u64::from(tries) })))
    }

    /// Returns a proposal with the ruling on it.
    fn judge(&mut self, by: Proposer, proposal: Proposed) -> ProposalRecord {
        let began = Instant::now();
        let shielded = self.manifest.shielded;
        let (reply, ruling) = match proposal.action {
            // A number outside the vocabulary is an unknown action, like an unknown name.
            Ok(action) if !self.vocabulary.offers(action) => {
                let name = format!("action number {}", action.0);
                (Reply::NoAction(NoAction::Unknown { name, suggestion: None }), Ruling::Unreadable)
            }
            Ok(action) => (Reply::Action { action }, self.foresight().rule(by, action, shielded)),
            Err(why) => (Reply::NoAction(why), Ruling::Unreadable),
        };
        self.spent.shield += began.elapsed();
        let Proposed { thought, usage, .. } = proposal;
        ProposalRecord { by, reply, ruling, thought, usage, worded: None }
    }
}

/// Returns whether the last refusal of a step repeats the one before it, so that further reasons would not help.
fn is_repeated(refusals: &[NotRun]) -> bool {
    match refusals {
        [.., before, last] => last.blocked().is_some() && last.blocked() == before.blocked(),
        _ => false,
    }
}

impl Agent<'_> {
    /// Waits for an answer of the actor and reports every second that it is thinking. Returns `None` if the run is
    /// interrupted.
    async fn ask<T>(
        &mut self,
        step: u64,
        attempt: u32,
        question: impl AsyncFnOnce(&mut dyn Actor) -> Result<T, ModelError>,
    ) -> Option<Result<T, ModelError>> {
        let Agent { actor, observer, interrupt, .. } = self;
        let waits = actor.waits();
        let answer = async {
            tokio::select! {
                biased;
                () = interrupt.wait() => None,
                answer = question(&mut **actor) => Some(answer),
            }
        };
        let thinking = |elapsed| {
            let wait = waits.now();
            observer.on(&Event::Thinking { step, attempt, elapsed, wait: wait.as_ref() });
        };
        each_second(answer, thinking).await
    }
}
