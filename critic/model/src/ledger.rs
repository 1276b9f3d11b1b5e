//! The ledger of model costs: an entry before each request, and one for its answer.
//!
//! Entries are lines of JSON in a file that all processes of a directory share. Each entry is durable before the
//! program continues. A request without an answer counts with its maximum cost: its process was killed, it was
//! cancelled, or it timed out. A lock on the file covers the check of the caps and the new entry, so that caps hold
//! across processes. An entry contains no text of prompts or answers, and no key.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::{self, BufRead as _, BufReader, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::price::NanoUsd;
use super::role_usage::RoleUsage;
use super::{Role, Usage};

/// The name of the ledger file in a directory.
pub const LEDGER_FILE: &str = "spending.jsonl";

/// Maximum size of a line, in bytes.
const MAX_LINE: u64 = 64 * 1024;

/// A line of the file.
#[derive(Debug, Serialize, Deserialize)]
struct Entry {
    /// The id of the request; it is random, because several processes write one file.
    id: u64,
    at: Timestamp,
    /// The account of the request; caps apply to each account.
    account: String,
    model: String,
    role: Role,
    what: Event,
}

/// The state of a request.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Event {
    /// The request is about to be sent. The cost is `null` if the price is unknown.
    Asked { most: Usage, cost: Option<NanoUsd> },
    /// The request was answered.
    Answered { usage: Usage, cost: Option<NanoUsd> },
    /// The request was rejected or not received, at no cost.
    Failed,
}

/// The request of a new entry.
#[derive(Clone, Copy, Debug)]
pub(super) struct Asked<'a> {
    pub model: &'a str,
    pub role: Role,
    /// The maximum usage.
    pub most: Usage,
    /// The maximum cost, if the price is known.
    pub cost: Option<NanoUsd>,
}

/// The entries of an account, in memory or in a file as well.
#[derive(Debug, Default)]
pub(super) struct Ledger {
    account: String,
    file: Option<LedgerFile>,
    /// The usage of the ended requests.
    ended: RoleUsage,
    /// The requests without an answer, with the maximum usage of each.
    open: BTreeMap<u64, RoleUsage>,
    /// The unanswered requests of this process.
    here: BTreeSet<u64>,
}

#[derive(Debug)]
struct LedgerFile {
    path: PathBuf,
    /// The open file; `None` until the first request.
    file: Option<File>,
    /// The end of the last line that was read.
    read: u64,
}

impl LedgerFile {
    fn open(&mut self) -> io::Result<&mut File> {
        if self.file.is_none() {
            let opened = ltlcrit_files::append(&self.path).map_err(io::Error::other)?;
            let directory = self.path.parent().filter(|path| !path.as_os_str().is_empty());
            ltlcrit_files::sync_directory(directory.unwrap_or(Path::new(".")))?;
            self.file = Some(opened);
        }
        self.file.as_mut().ok_or_else(|| io::Error::other("it is not open"))
    }
}

impl Ledger {
    /// Keeps an account in a file and continues its entries. The first request opens or creates the file.
    pub fn keep_in(&mut self, path: &Path, account: &str) {
        let kept = LedgerFile { path: path.to_owned(), file: None, read: 0 };
        *self = Self { account: account.to_owned(), file: Some(kept), ..Self::default() };
    }

    /// Returns the usage of the account: that of the ended requests, and the maximum of the others.
    pub fn used(&self) -> RoleUsage {
        self.open.values().fold(self.ended, |sum, most| sum + *most)
    }

    /// Returns [`Self::used`] without the unanswered requests of this process.
    pub fn at_least(&self) -> RoleUsage {
        let lost = self.open.iter().filter(|(id, _)| !self.here.contains(id));
        lost.fold(self.ended, |sum, (_, most)| sum + *most)
    }

    /// Returns the number of unanswered requests.
    pub(crate) fn unanswered(&self) -> usize {
        self.open.len()
    }

    /// Enters a request if `allowed` accepts the entries of all processes. Returns its id, after which the request may
    /// be sent.
    ///
    /// # Errors
    /// The error of `allowed`, or a file that cannot be written.
    pub fn begin<E: From<io::Error>>(
        &mut self,
        asked: Asked<'_>,
        allowed: impl FnOnce(&Self) -> Result<(), E>,
    ) -> Result<u64, E> {
        self.locked(|ledger| {
            allowed(ledger)?;
            let id = rand::random();
            let Asked { model, role, most, cost } = asked;
            ledger.append(id, model, role, Event::Asked { most, cost })?;
            ledger.here.insert(id);
            Ok(id)
        })
    }

    /// Enters the end of a request: its usage, or `None` if it was rejected at no cost.
    ///
    /// # Errors
    /// A file that cannot be written. The request then counts as unanswered.
    pub fn end(&mut self, id: u64, asked: Asked<'_>, answered: Option<(Usage, Option<NanoUsd>)>) -> io::Result<()> {
        self.here.remove(&id);
        let event = answered.map_or(Event::Failed, |(usage, cost)| Event::Answered { usage, cost });
        self.locked(|ledger| ledger.append(id, asked.model, asked.role, event))
    }

    /// Stops waiting for a request, which counts as unanswered from now on.
    pub fn abandon(&mut self, id: u64) {
        self.here.remove(&id);
    }

    /// Runs `then` under the lock, after reading the entries of other processes.
    fn locked<T, E: From<io::Error>>(&mut self, then: impl FnOnce(&mut Self) -> Result<T, E>) -> Result<T, E> {
        let Some(kept) = &mut self.file else { return then(self) };
        let file = kept.open()?.try_clone()?;
        file.lock()?;
        let result = self.read(&file).map_err(E::from).and_then(|()| then(self));
        // The system releases the lock when the file is closed at the latest.
        let _ = file.unlock();
        result
    }

    /// Reads the lines since the last one that was read. A torn last line, left by a crash, is cut off.
    fn read(&mut self, mut file: &File) -> io::Result<()> {
        let Some(LedgerFile { read, path, .. }) = &mut self.file else { return Ok(()) };
        let (mut at, path) = (*read, path.clone());
        let length = file.metadata()?.len();
        if length < at {
            return Err(io::Error::other("it became shorter: something else has written it"));
        }
        if length == at {
            return Ok(());
        }
        file.seek(SeekFrom::Start(at))?;
        let mut reader = BufReader::new(file);
        let mut line = Vec::new();
        loop {
            line.clear();
            let bytes = reader.by_ref().take(MAX_LINE).read_until(b'\n', &mut line)? as u64;
            let torn = line.last() != Some(&b'\n') && bytes < MAX_LINE;
            if torn {
                // Zero bytes mean the regular end of the file.
                if bytes > 0 {
                    file.set_len(at)?;
                }
                self.file.iter_mut().for_each(|kept| kept.read = at);
                return Ok(());
            }
            at += bytes;
            match serde_json::from_slice::<Entry>(&line) {
                Ok(entry) if entry.account == self.account => self.enter(&entry),
                Ok(_) => {}
                Err(error) => {
                    tracing::warn!(ledger = %path.display(), at, %error, "a damaged entry: it counts as a request");
                    self.ended.failed += 1;
                }
            }
        }
    }

    fn append(&mut self, id: u64, model: &str, role: Role, what: Event) -> io::Result<()> {
        let (account, model) = (self.account.clone(), model.to_owned());
        let entry = Entry { id, at: Timestamp::now(), account, model, role, what };
        if let Some(kept) = &mut self.file {
            let mut line = serde_json::to_vec(&entry)?;
            line.push(b'\n');
            let file = kept.open()?;
            file.write_all(&line)?;
            file.sync_data()?;
            kept.read += line.len() as u64;
        }
        self.enter(&entry);
        Ok(())
    }

    fn enter(&mut self, entry: &Entry) {
        match entry.what {
            Event::Asked { most, cost } => {
                self.open.insert(entry.id, RoleUsage { failed: 1, ..RoleUsage::of(most, cost) });
            }
            Event::Answered { usage, cost } => {
                self.open.remove(&entry.id);
                self.ended += RoleUsage { requests: 1, ..RoleUsage::of(usage, cost) };
            }
            Event::Failed => {
                self.open.remove(&entry.id);
                self.ended.failed += 1;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicU64, Ordering::SeqCst};
    use std::{fs, thread};

    use super::*;
    use crate::{
        Caps, ChatModel, ChatReply, ChatRequest, Door, Message, Meter, Metered, ModelError, ModelInfo, Price, Speaker,
    };

    const USAGE: Usage = Usage { prompt: 90, completion: 10, cached: 0, reasoning: 0, estimated: 0 };
    const CENT: Price = Price { input: NanoUsd(100_000), cached_input: NanoUsd(0), output: NanoUsd(100_000) };

    /// A remote model that loses a number of attempts for each question, and answers the next one.
    #[derive(Clone, Default)]
    struct Remote {
        sent: Arc<AtomicU64>,
        lost: u64,
    }

    impl ChatModel for Remote {
        fn info(&self) -> ModelInfo {
            ModelInfo::real("openai:remote")
        }
        async fn ask(&self, request: &ChatRequest) -> Result<ChatReply, ModelError> {
            self.ask_through(request, &Door::open()).await
        }
        async fn ask_through(&self, request: &ChatRequest, door: &Door) -> Result<ChatReply, ModelError> {
            for _ in 0..self.lost {
                let lost = door.pass(request, request.max_tokens, true).await?;
                self.sent.fetch_add(1, SeqCst);
                drop(lost);
            }
            let passage = door.pass(request, request.max_tokens, true).await?;
            self.sent.fetch_add(1, SeqCst);
            tokio::task::yield_now().await;
            passage.answered(USAGE);
            Ok(ChatReply::new("x", USAGE))
        }
    }

    fn request() -> ChatRequest {
        ChatRequest {
            role: Role::Actor,
            messages: vec![Message { speaker: Speaker::User, text: "a secret question ".repeat(20) }],
            answer: None,
            temperature: 0.1,
            max_tokens: 110,
            body: Default::default(),
        }
    }

    fn metered(path: &Path, account: &str, caps: Caps, model: &Remote) -> Metered<Remote> {
        let meter = Meter::new(caps);
        meter.keep_in(path, account);
        Metered::new(model.clone(), &meter, Some(CENT)).unwrap()
    }

    fn requests(most: u64) -> Caps {
        Caps { requests: Some(most), ..Caps::default() }
    }

    fn block_on<T>(future: impl Future<Output = T>) -> T {
        tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(future)
    }

    /// Asks until a cap is reached; returns the error.
    fn ask_until_capped(model: &Metered<Remote>) -> String {
        block_on(async {
            loop {
                if let Err(error) = model.ask(&request()).await {
                    assert!(matches!(error, ModelError::Cap { .. }), "{error}");
                    return error.to_string();
                }
            }
        })
    }

    /// Runs four meters with three threads each on one ledger, like four processes. Returns the number of requests
    /// sent.
    fn asked_by_all(caps: Caps) -> u64 {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join(LEDGER_FILE);
        let remote = Remote::default();
        let models: Vec<_> = (0..4).map(|_| metered(&path, "a", caps, &remote)).collect();
        thread::scope(|threads| {
            for model in models.iter().flat_map(|model| [model; 3]) {
                threads.spawn(|| ask_until_capped(model));
            }
        });
        let counted: u64 = models.iter().map(|model| model.usage().total().requests).sum();
        assert_eq!(counted, remote.sent.load(SeqCst));
        counted
    }

    #[test]
    fn processes_together_send_exactly_the_cap_on_requests() {
        assert_eq!(asked_by_all(requests(37)), 37);
    }

    #[test]
    fn processes_together_exceed_the_other_caps_by_less_than_one_answer() {
        // An answer costs 100 tokens and one cent. A request in flight counts as 200 tokens, so others may stop a
        // little early.
        let tokens = Caps { tokens: Some(1_050), ..Caps::default() };
        let money = Caps { money: NanoUsd::from_dollars(0.105), ..Caps::default() };
        for caps in [tokens, money] {
            let asked = asked_by_all(caps);
            assert!((5..=11).contains(&asked), "{asked} requests");
        }
        let remote = Remote::default();
        let directory = tempfile::tempdir().unwrap();
        let alone = metered(&directory.path().join(LEDGER_FILE), "a", tokens, &remote);
        assert_eq!(ask_until_capped(&alone), "token cap reached: 1100 of 1050");
        assert_eq!(remote.sent.load(SeqCst), 11);
    }

    #[test]
    fn what_a_process_left_counts_in_the_next_one_and_in_its_account_alone() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join(LEDGER_FILE);
        let remote = Remote::default();
        ask_until_capped(&metered(&path, "run 1", requests(3), &remote));
        let error = ask_until_capped(&metered(&path, "run 1", requests(5), &remote));
        assert_eq!((error.as_str(), remote.sent.load(SeqCst)), ("request cap reached: 5 of 5", 5));
        ask_until_capped(&metered(&path, "run 2", requests(5), &remote));
        assert_eq!(remote.sent.load(SeqCst), 10);
        let text = fs::read_to_string(&path).unwrap();
        assert!(!text.contains("secret") && text.lines().count() == 20, "{text}");
    }

    #[test]
    fn lost_retried_and_killed_requests_count_as_the_most_they_may_have_used() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join(LEDGER_FILE);
        // Two attempts are lost for every answer.
        let remote = Remote { lost: 2, ..Remote::default() };
        let first = metered(&path, "a", requests(7), &remote);
        ask_until_capped(&first);
        assert_eq!(remote.sent.load(SeqCst), 7);
        let used = first.usage().total();
        assert_eq!((used.requests, used.failed, used.usage.total()), (2, 5, 2 * 100 + 5 * 200));
        // A killed process leaves an entry without an end.
        let question = request();
        let killed = metered(&path, "a", requests(8), &Remote::default());
        let mut asked = Box::pin(killed.ask(&question));
        let mut context = std::task::Context::from_waker(std::task::Waker::noop());
        assert!(asked.as_mut().poll(&mut context).is_pending());
        std::mem::forget(asked);
        let next = metered(&path, "a", Caps { tokens: Some(1_400), ..Caps::default() }, &remote);
        let error = ask_until_capped(&next);
        assert_eq!(
            error,
            "token cap reached: 1400 of 1400 (with the most that 6 requests without an answer may have used)"
        );
        assert_eq!(remote.sent.load(SeqCst), 7, "nothing is sent");
    }

    fn read(path: &Path) -> RoleUsage {
        let mut ledger = Ledger::default();
        ledger.keep_in(path, "a");
        ledger.locked(|ledger| Ok::<_, io::Error>(ledger.used())).unwrap()
    }

    #[test]
    fn damage_loses_nothing_else() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join(LEDGER_FILE);
        let remote = Remote::default();
        ask_until_capped(&metered(&path, "a", requests(3), &remote));
        let whole = fs::read_to_string(&path).unwrap();
        // A torn line belongs to an unsent request or to an answer. The request of such an answer counts in full.
        for torn in 1..whole.lines().last().unwrap().len() {
            fs::write(&path, &whole[..whole.len() - torn]).unwrap();
            let model = metered(&path, "a", requests(4), &remote);
            let used = read(&path);
            assert_eq!((used.requests, used.failed, used.usage.total()), (2, 1, 2 * 100 + 200));
            assert_eq!(ask_until_capped(&model), "request cap reached: 4 of 4");
            let lines = fs::read_to_string(&path).unwrap();
            assert!(lines.lines().all(|line| serde_json::from_str::<Entry>(line).is_ok()), "{lines}");
        }
        // A damaged line counts as a request, and all other lines are read.
        let damaged = whole.replacen("\"asked\"", "\"asket\"", 1);
        fs::write(&path, format!("{damaged}{}\n", "x".repeat(3 * MAX_LINE as usize))).unwrap();
        let used = read(&path);
        assert_eq!((used.requests, used.usage.total()), (3, 300));
        assert!(used.failed >= 2, "{used:?}");
    }

    #[test]
    fn a_ledger_that_cannot_be_written_asks_nothing() {
        let directory = tempfile::tempdir().unwrap();
        let error =
            block_on(metered(directory.path(), "a", requests(9), &Remote::default()).ask(&request())).unwrap_err();
        assert!(error.to_string().contains("it is a directory"), "{error}");
        let path = directory.path().join(LEDGER_FILE);
        let remote = Remote::default();
        let model = metered(&path, "a", requests(9), &remote);
        block_on(model.ask(&request())).unwrap();
        fs::write(&path, "").unwrap();
        let error = block_on(model.ask(&request())).unwrap_err().to_string();
        assert!(error.contains("the ledger of spending cannot be kept"), "{error}");
        assert_eq!(remote.sent.load(SeqCst), 1);
    }
}
