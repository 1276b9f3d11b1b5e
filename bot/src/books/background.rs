//! Books judged on a thread of their own, for worlds that run in real time.

use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread;
use std::time::Duration;

use super::changes::{LawNews, NewLaws};
use super::watch::BookWatch;

/// How often the files are looked at.
const INTERVAL: Duration = Duration::from_millis(100);

/// A [`BookWatch`] that no step waits for: what was judged when a step begins is in force in it, and until then the laws
/// stay as they are. A judgement that has not ended when a second step begins is told once.
#[derive(Debug)]
pub struct BackgroundWatch {
    told: Receiver<Told>,
    /// Dropped with the run; then the thread ends.
    _run: Sender<()>,
    /// The file that is being judged, and at how many steps it was.
    under_way: Option<(String, u32)>,
}

/// Messages of the thread.
#[derive(Debug)]
pub(super) enum Told {
    /// A changed file is being judged.
    Judging(String),
    /// The verdict on the book.
    Judged(LawNews),
}

impl BackgroundWatch {
    /// Looks at the files from now on.
    ///
    /// # Errors
    /// A thread that cannot be started.
    pub fn start(mut watch: BookWatch) -> std::io::Result<Self> {
        let (tell, told) = mpsc::channel();
        let (run, ended) = mpsc::channel();
        thread::Builder::new().name("books".to_owned()).spawn(move || {
            loop {
                let mut judged = false;
                let news = watch.look(&mut |source| {
                    judged = true;
                    // A run that is over needs no answer.
                    let _ = tell.send(Told::Judging(source.to_owned()));
                });
                if judged && tell.send(Told::Judged(news)).is_err() {
                    return;
                }
                if ended.recv_timeout(INTERVAL) != Err(RecvTimeoutError::Timeout) {
                    return;
                }
            }
        })?;
        Ok(Self::receiving(told, run))
    }

    pub(super) fn receiving(told: Receiver<Told>, run: Sender<()>) -> Self {
        Self { told, _run: run, under_way: None }
    }
}

impl NewLaws for BackgroundWatch {
    fn before(&mut self, _: u64) -> LawNews {
        let mut news = LawNews::default();
        while let Ok(told) = self.told.try_recv() {
            match told {
                Told::Judging(source) => self.under_way = Some((source, 0)),
                Told::Judged(more) => {
                    self.under_way = None;
                    news.and_then(more);
                }
            }
        }
        if let Some((source, steps)) = &mut self.under_way {
            *steps += 1;
            if *steps == 2 {
                news.judging = Some(source.clone());
            }
        }
        news
    }
}

#[cfg(test)]
mod tests {
    use ltlcrit_verifier::law::Law;
    use ltlcrit_verifier::syntax;

    use super::*;

    fn news(id: &str) -> LawNews {
        let law = Law::hard(id, syntax::parse("G p").unwrap(), "e");
        LawNews { laws: Some(vec![law]), ..LawNews::default() }
    }

    #[test]
    fn steps_go_on_under_the_old_laws_until_a_book_is_judged() {
        let (tell, told) = mpsc::channel();
        let (run, _ended) = mpsc::channel();
        let mut watch = BackgroundWatch::receiving(told, run);
        let mut before = |step| {
            let news = watch.before(step);
            (news.laws.map(|laws| laws[0].id.to_string()), news.judging)
        };
        assert_eq!(before(1), (None, None));
        tell.send(Told::Judging("slow.toml".to_owned())).unwrap();
        // The thread is at it as long as nothing more is told: no step waits, and the second one says so, once.
        assert_eq!(before(2), (None, None));
        assert_eq!(before(3), (None, Some("slow.toml".to_owned())));
        assert_eq!(before(4), (None, None));
        tell.send(Told::Judged(news("first"))).unwrap();
        tell.send(Told::Judging("slow.toml".to_owned())).unwrap();
        tell.send(Told::Judged(news("second"))).unwrap();
        assert_eq!(before(5), (Some("second".to_owned()), None));
        assert_eq!(before(6), (None, None));
        drop(tell);
        assert_eq!(before(7), (None, None));
    }
}
