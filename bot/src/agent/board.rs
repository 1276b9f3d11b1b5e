//! The board: what the bot answers when an operator asks in chat. The loop writes on it, the engine reads from it.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use ltlcrit_store::LawRecord;

use ltlcrit_client::{ChatCommands, Command, plain};
use ltlcrit_worlds::Interrupt;

use super::event::Event;

/// The longest line the game takes, in characters.
const LONGEST_LINE: usize = 250;

/// The facts about a run that operators can ask for.
#[derive(Debug, Default)]
struct Told {
    steps: u64,
    failed: u64,
    deaths: u64,
    subgoal: Option<String>,
    last: Option<String>,
    laws: Vec<String>,
}

/// The board of one bot.
#[derive(Clone, Debug, Default)]
pub struct Board {
    told: Arc<Mutex<Told>>,
    interrupt: Interrupt,
}

impl Board {
    /// A board whose `stop` asks this interrupt.
    pub fn new(interrupt: Interrupt) -> Self {
        Self { told: Arc::default(), interrupt }
    }

    fn told(&self) -> MutexGuard<'_, Told> {
        self.told.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Writes down what happened in a run.
    pub fn note(&self, event: &Event<'_>) {
        let mut told = self.told();
        match event {
            Event::Started { manifest, .. } => told.laws = names(&manifest.laws),
            Event::Stored { record, metrics } => {
                (told.steps, told.failed, told.deaths) = (metrics.steps, metrics.failed_actions, metrics.deaths);
                told.subgoal = metrics.subgoal().map(str::to_owned);
                told.last = record.executed.as_ref().map(|executed| plain(&executed.outcome.message));
                if let Some(laws) = &record.new_laws {
                    told.laws = names(laws);
                }
            }
            _ => {}
        }
    }
}

impl ChatCommands for Board {
    fn interrupt(&self) -> &Interrupt {
        &self.interrupt
    }

    fn obey(&self, command: Command) -> String {
        let told = self.told();
        let answer = match command {
            Command::Stop => {
                self.interrupt.request();
                "Stopping.".to_owned()
            }
            Command::Status => {
                let reached = told.subgoal.as_deref().unwrap_or("nothing yet");
                let last = told.last.as_deref().map(|last| format!(" Last: {last}")).unwrap_or_default();
                format!(
                    "{} steps, {} failed, {} deaths; reached: {reached}.{last}",
                    told.steps, told.failed, told.deaths
                )
            }
            Command::Laws if told.laws.is_empty() => "No laws in force.".to_owned(),
            Command::Laws => format!("{} laws in force: {}", told.laws.len(), told.laws.join(", ")),
        };
        fitted(&answer)
    }
}

fn names(laws: &[LawRecord]) -> Vec<String> {
    laws.iter().map(|law| law.id.to_string()).collect()
}

/// A line as long as the game takes, and no command of the server's.
fn fitted(text: &str) -> String {
    let text = text.trim_start_matches('/');
    if text.chars().count() <= LONGEST_LINE {
        return text.to_owned();
    }
    let kept: String = text.chars().take(LONGEST_LINE - 1).collect();
    format!("{kept}…")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_and_obeys() {
        let board = Board::default();
        assert_eq!(board.obey(Command::Laws), "No laws in force.");
        board.told().laws = (0..100).map(|law| format!("law-{law}")).collect();
        let laws = board.obey(Command::Laws);
        assert!(laws.starts_with("100 laws in force: law-0, law-1, ") && laws.chars().count() == LONGEST_LINE);
        assert_eq!(board.obey(Command::Status), "0 steps, 0 failed, 0 deaths; reached: nothing yet.");
        assert!(!board.interrupt().requested());
        board.obey(Command::Stop);
        assert!(board.interrupt().requested());
    }

    #[test]
    fn never_answers_with_a_command() {
        assert_eq!(fitted("//op everyone"), "op everyone");
    }
}
