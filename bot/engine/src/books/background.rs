//! Judges changed books on a thread, for worlds that run in real time.

use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread;
use std::time::Duration;

use super::changes::{LawUpdate, NewLaws};
use super::watch::BookWatch;

/// The time between two looks at the files.
const INTERVAL: Duration = Duration::from_millis(100);

/// A [`BookWatch`] on a thread. A step runs under the books judged before it begins and does not wait for later ones.
#[derive(Debug)]
pub struct BackgroundWatch {
    updates: Receiver<LawUpdate>,
    /// Dropped with the run, which ends the thread.
    _run: Sender<()>,
}

impl BackgroundWatch {
    /// Starts the thread that watches the files.
    ///
    /// # Errors
    /// The thread cannot be started.
    pub fn start(mut watch: BookWatch) -> std::io::Result<Self> {
        let (sender, updates) = mpsc::channel();
        let (run, ended) = mpsc::channel();
        thread::Builder::new().name("books".to_owned()).spawn(move || {
            loop {
                let update = watch.look();
                // A run that has ended needs no answer.
                if !update.is_empty() && sender.send(update).is_err()
                    || ended.recv_timeout(INTERVAL) != Err(RecvTimeoutError::Timeout)
                {
                    return;
                }
            }
        })?;
        Ok(Self { updates, _run: run })
    }
}

impl NewLaws for BackgroundWatch {
    fn before(&mut self, _: u64) -> LawUpdate {
        let mut update = LawUpdate::default();
        self.updates.try_iter().for_each(|more| update.merge(more));
        update
    }
}

#[cfg(test)]
mod tests {
    use ltlcrit_verifier::law::Law;
    use ltlcrit_verifier::syntax;

    use super::*;

    fn update(id: &str) -> LawUpdate {
        let law = Law::hard(id, syntax::parse("G p").unwrap(), "e");
        LawUpdate { laws: Some(vec![law]), ..LawUpdate::default() }
    }

    #[test]
    fn steps_go_on_under_the_old_laws_until_a_book_is_judged() {
        let (sender, updates) = mpsc::channel();
        let mut watch = BackgroundWatch { updates, _run: mpsc::channel().0 };
        let mut before = |step| watch.before(step).laws.map(|laws| laws[0].id.to_string());
        assert_eq!(before(1), None);
        sender.send(update("first")).unwrap();
        sender.send(update("second")).unwrap();
        assert_eq!(before(2).as_deref(), Some("second"));
        assert_eq!(before(3), None);
        drop(sender);
        assert_eq!(before(4), None);
    }
}
