//! Answers to operators who command the bot in chat: the loop records events, the engine asks for answers.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use ltlcrit_client::{ChatCommands, Command, plain};
use ltlcrit_engine::agent::Event;
use ltlcrit_store::LawRecord;
use ltlcrit_worlds::Interrupt;

/// The longest chat line the game accepts, in characters.
const MAX_LINE: usize = 250;

/// The facts about a run that operators can ask for.
#[derive(Debug, Default)]
struct Status {
    steps: u64,
    failed: u64,
    deaths: u64,
    subgoal: Option<String>,
    last: Option<String>,
    laws: Vec<String>,
}

/// Answers the chat commands of one bot.
#[derive(Clone, Debug, Default)]
pub struct ChatResponder {
    status: Arc<Mutex<Status>>,
    interrupt: Interrupt,
}

impl ChatResponder {
    /// A responder whose `stop` command requests this interrupt.
    pub fn new(interrupt: Interrupt) -> Self {
        Self { status: Arc::default(), interrupt }
    }

    fn status(&self) -> MutexGuard<'_, Status> {
        self.status.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Keeps the facts of an event that operators can ask for.
    pub fn record(&self, event: &Event<'_>) {
        let mut status = self.status();
        match event {
            Event::Started { manifest, .. } => status.laws = names(&manifest.laws),
            Event::Stored { record, metrics } => {
                (status.steps, status.failed, status.deaths) = (metrics.steps, metrics.failed_actions, metrics.deaths);
                status.subgoal = metrics.subgoal().map(str::to_owned);
                status.last = record.executed.as_ref().map(|executed| plain(&executed.outcome.message));
                if let Some(laws) = &record.new_laws {
                    status.laws = names(laws);
                }
            }
            _ => {}
        }
    }
}

impl ChatCommands for ChatResponder {
    fn interrupt(&self) -> &Interrupt {
        &self.interrupt
    }

    fn obey(&self, command: Command) -> String {
        let status = self.status();
        let answer = match command {
            Command::Stop => {
                self.interrupt.request();
                "Stopping.".to_owned()
            }
            Command::Status => {
                let reached = status.subgoal.as_deref().unwrap_or("nothing yet");
                let last = status.last.as_deref().map(|last| format!(" Last: {last}")).unwrap_or_default();
                format!(
                    "{} steps, {} failed, {} deaths; reached: {reached}.{last}",
                    status.steps, status.failed, status.deaths
                )
            }
            Command::Laws if status.laws.is_empty() => "No laws in force.".to_owned(),
            Command::Laws => format!("{} laws in force: {}", status.laws.len(), status.laws.join(", ")),
        };
        fitted(&answer)
    }
}

fn names(laws: &[LawRecord]) -> Vec<String> {
    laws.iter().map(|law| law.id.to_string()).collect()
}

/// Cuts a line to the length the game accepts and keeps it from being a server command.
fn fitted(text: &str) -> String {
    let text = text.trim_start_matches('/');
    if text.chars().count() <= MAX_LINE {
        return text.to_owned();
    }
    let kept: String = text.chars().take(MAX_LINE - 1).collect();
    format!("{kept}…")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_and_obeys() {
        let chat = ChatResponder::default();
        assert_eq!(chat.obey(Command::Laws), "No laws in force.");
        chat.status().laws = (0..100).map(|law| format!("law-{law}")).collect();
        let laws = chat.obey(Command::Laws);
        assert!(laws.starts_with("100 laws in force: law-0, law-1, ") && laws.chars().count() == MAX_LINE);
        assert_eq!(chat.obey(Command::Status), "0 steps, 0 failed, 0 deaths; reached: nothing yet.");
        assert!(!chat.interrupt().requested());
        chat.obey(Command::Stop);
        assert!(chat.interrupt().requested());
    }

    #[test]
    fn never_answers_with_a_command() {
        assert_eq!(fitted("//op everyone"), "op everyone");
    }
}
