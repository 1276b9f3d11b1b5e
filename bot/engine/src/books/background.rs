//! Judges changed books on a thread, for worlds that run in real time.

use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread;
use std::time::Duration;

use super::changes::{LawUpdate, NewLaws};
use super::watch::BookWatch;

/// The time between two looks at the files.
const INTERVAL: Duration = Duration::from_millis(100);

/// A [`BookWatch`] on a thread. A step runs under the books judged before it begins and does not wait for later ones. A
/// judgement that outlasts a step is reported once.
#[derive(Debug)]
pub struct BackgroundWatch {
    messages: Receiver<WatchMessage>,
    /// Dropped with the run, which ends the thread.
    _run: Sender<()>,
    /// The file that is being judged, and the number of steps that have begun meanwhile.
    under_way: Option<(String, u32)>,
}

/// Messages of the thread.
#[derive(Debug)]
pub(super) enum WatchMessage {
    /// A changed file is being judged.
    Judging(String),
    /// The verdict on the book.
    Judged(LawUpdate),
}

impl BackgroundWatch {
    /// Starts the thread that watches the files.
    ///
    /// # Errors
    /// The thread cannot be started.
    pub fn start(mut watch: BookWatch) -> std::io::Result<Self> {
        let (sender, messages) = mpsc::channel();
        let (run, ended) = mpsc::channel();
        thread::Builder::new().name("books".to_owned()).spawn(move || {
            loop {
                let mut judged = false;
                let update = watch.look(&mut |source| {
                    judged = true;
                    // A run that has ended needs no answer.
                    let _ = sender.send(WatchMessage::Judging(source.to_owned()));
                });
                if judged && sender.send(WatchMessage::Judged(update)).is_err() {
                    return;
                }
                if ended.recv_timeout(INTERVAL) != Err(RecvTimeoutError::Timeout) {
                    return;
                }
            }
        })?;
        Ok(Self::receiving(messages, run))
    }

    pub(super) fn receiving(messages: Receiver<WatchMessage>, run: Sender<()>) -> Self {
        Self { messages, _run: run, under_way: None }
    }
}

impl NewLaws for BackgroundWatch {
    fn before(&mut self, _: u64) -> LawUpdate {
        let mut update = LawUpdate::default();
        while let Ok(message) = self.messages.try_recv() {
            match message {
                WatchMessage::Judging(source) => self.under_way = Some((source, 0)),
                WatchMessage::Judged(more) => {
                    self.under_way = None;
                    update.merge(more);
                }
            }
        }
        if let Some((source, steps)) = &mut self.under_way {
            *steps += 1;
            if *steps == 2 {
                update.judging = Some(source.clone());
            }
        }
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
        let (sender, messages) = mpsc::channel();
        let (run, _ended) = mpsc::channel();
        let mut watch = BackgroundWatch::receiving(messages, run);
        let mut before = |step| {
            let update = watch.before(step);
            (update.laws.map(|laws| laws[0].id.to_string()), update.judging)
        };
        assert_eq!(before(1), (None, None));
        sender.send(WatchMessage::Judging("slow.toml".to_owned())).unwrap();
        // The thread is judging until the next message: no step waits, and the second step reports the judgement once.
        assert_eq!(before(2), (None, None));
        assert_eq!(before(3), (None, Some("slow.toml".to_owned())));
        assert_eq!(before(4), (None, None));
        sender.send(WatchMessage::Judged(update("first"))).unwrap();
        sender.send(WatchMessage::Judging("slow.toml".to_owned())).unwrap();
        sender.send(WatchMessage::Judged(update("second"))).unwrap();
        assert_eq!(before(5), (Some("second".to_owned()), None));
        assert_eq!(before(6), (None, None));
        drop(sender);
        assert_eq!(before(7), (None, None));
    }
}
