//! Caps on the use of models, and the door that every request passes.

use std::borrow::Cow;
use std::num::NonZeroU32;
use std::path::Path;
use std::sync::{Arc, Mutex};

use serde::{Deserialize, Serialize};
use thiserror::Error;
use tokio::sync::Notify;
use tokio::time::Instant;

use super::ledger::{Asked, Ledger};
use super::price::{NanoUsd, Price};
use super::rate_limit::RateLimit;
use super::role_usage::{RoleUsage, UsageByRole};
use super::{Body, ChatModel, ChatReply, ChatRequest, ModelError, ModelInfo, Role, Speaker, Usage, Waits, locked};

/// Caps on the use of models by all users of a [`Meter`]; `None` sets no limit.
///
/// Every request that is sent counts, including retries, repeated questions after a cut-off answer, and unanswered
/// requests. The cap on requests is never exceeded. The cost of a request is known only with its answer. A request is
/// sent only if the usage so far, plus the maximum usage of unanswered requests, is below the caps on tokens and money.
/// These caps are therefore exceeded by less than the usage of one request, for any number of threads and processes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Caps {
    /// Requests.
    pub requests: Option<u64>,
    /// Prompt and completion tokens.
    pub tokens: Option<u64>,
    /// Money, from the price table.
    pub money: Option<NanoUsd>,
    /// Requests per minute, evenly spaced. The run waits for this limit and does not stop.
    pub requests_per_minute: Option<NonZeroU32>,
}

impl Caps {
    /// Returns whether any cap can end a run.
    pub fn any(&self) -> bool {
        self.requests.is_some() || self.tokens.is_some() || self.money.is_some()
    }

    /// Checks the caps on the cost of answers.
    fn check_costs(&self, used: &RoleUsage, unanswered: usize) -> Result<(), ModelError> {
        reached("token", used.usage.total(), self.tokens, unanswered)?;
        reached("money", used.cost, self.money, unanswered)
    }
}

fn reached<T: PartialOrd + ToString>(
    cap: &'static str,
    used: T,
    limit: Option<T>,
    unanswered: usize,
) -> Result<(), ModelError> {
    let Some(limit) = limit.filter(|limit| used >= *limit) else { return Ok(()) };
    let most = match unanswered {
        0 => String::new(),
        count => format!(" (with the most that {count} requests without an answer may have used)"),
    };
    Err(ModelError::Cap { cap, used: used.to_string(), limit: format!("{}{most}", limit.to_string()) })
}

/// A money cap on a model of unknown price.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error(
    "a money cap of {cap} cannot be kept: the price of `{model}` is unknown; add it to the price table (0 for a model \
     of your own) or cap tokens instead"
)]
pub struct UnknownPrice {
    /// The model without a price.
    pub model: String,
    /// The requested cap.
    pub cap: NanoUsd,
}

/// Caps, a rate limit and a ledger, shared by all models, threads and episodes that count together. Models in this
/// process cost nothing. They are counted separately and are not entered in the ledger's file.
#[derive(Debug, Default)]
pub struct Meter {
    caps: Caps,
    rate_limit: Option<RateLimit>,
    /// The requests that leave this process.
    sent: Mutex<Ledger>,
    /// The questions to models in this process.
    inside: Mutex<Ledger>,
    /// Notifies of the end of a request of this process.
    ended: Notify,
}

impl Meter {
    /// Creates a meter that counts from now on.
    pub fn new(caps: Caps) -> Arc<Self> {
        let rate_limit = caps.requests_per_minute.map(RateLimit::per_minute);
        Arc::new(Self { caps, rate_limit, ..Self::default() })
    }

    /// Keeps the ledger in a file under the name of an account, and counts the account's earlier usage. If the file
    /// cannot be written, nothing is sent.
    pub fn keep_in(&self, path: &Path, account: &str) {
        locked(&self.sent).keep_in(path, account);
    }

    /// The caps.
    pub fn caps(&self) -> &Caps {
        &self.caps
    }

    fn ledger(&self, leaves: bool) -> &Mutex<Ledger> {
        if leaves { &self.sent } else { &self.inside }
    }

    /// Checks whether the caps allow one more request.
    fn allowed(&self, ledger: &Ledger) -> Result<(), Refused> {
        let (used, unanswered) = (ledger.used(), ledger.unanswered());
        reached("request", used.requests + used.failed, self.caps.requests, 0).map_err(Refused::Capped)?;
        let Err(refused) = self.caps.check_costs(&used, unanswered) else { return Ok(()) };
        match self.caps.check_costs(&ledger.at_least(), unanswered) {
            Ok(()) => Err(Refused::Early),
            Err(_) => Err(Refused::Capped(refused)),
        }
    }
}

/// The reason why a request is not entered.
enum Refused {
    /// The requests in flight may use up the caps; the end of one of them decides.
    Early,
    /// A cap is reached.
    Capped(ModelError),
    /// The ledger cannot be written.
    Ledger(std::io::Error),
}

impl From<std::io::Error> for Refused {
    fn from(error: std::io::Error) -> Self {
        Self::Ledger(error)
    }
}

/// The gate of every request: the caps, the rate limit and the ledger of a [`Meter`].
#[derive(Debug)]
pub struct Door {
    meter: Arc<Meter>,
    model: String,
    price: Option<Price>,
    waits: Waits,
    usage: Mutex<UsageByRole>,
}

impl Door {
    /// Creates a door without caps.
    pub fn open() -> Self {
        Self::new(Arc::default(), String::new(), None, Waits::default())
    }

    fn new(meter: Arc<Meter>, model: String, price: Option<Price>, waits: Waits) -> Self {
        Self { meter, model, price, waits, usage: Mutex::default() }
    }

    /// Enters a request for an answer of at most `limit` tokens, once the rate limit and the requests in flight allow
    /// it. It may be sent when this returns. `leaves` is true if it leaves this process.
    pub(super) async fn pass(
        &self,
        request: &ChatRequest,
        limit: u32,
        leaves: bool,
    ) -> Result<Passage<'_>, ModelError> {
        let ledger = self.meter.ledger(leaves);
        if let Some(rate_limit) = &self.meter.rate_limit {
            if let Err(Refused::Capped(refused)) = self.meter.allowed(&locked(ledger)) {
                return Err(refused);
            }
            rate_limit.wait(self.waits.of_request()).await;
        }
        let prompt = request.messages.iter().map(|message| message.text.len()).sum();
        let most = Usage { completion: limit.into(), ..Usage::estimate(prompt, 0) };
        let most = Usage { estimated: most.total(), ..most };
        let cost = self.price.map(|price| price.cost(&most));
        let asked = Asked { model: &self.model, role: request.role, most, cost };
        loop {
            let ended = self.meter.ended.notified();
            let begun = locked(ledger).begin(asked, |ledger| self.meter.allowed(ledger));
            match begun {
                Ok(id) => return Ok(Passage { door: self, leaves, asked, id: Some(id) }),
                Err(Refused::Early) => ended.await,
                Err(Refused::Capped(refused)) => return Err(refused),
                Err(Refused::Ledger(error)) => {
                    let why = format!("the ledger of spending cannot be kept, so nothing is asked: {error}");
                    return Err(ModelError::Unavailable { model: self.model.clone(), why });
                }
            }
        }
    }
}

/// A request in flight. Dropped without an end, it counts with its maximum usage.
pub(super) struct Passage<'a> {
    door: &'a Door,
    leaves: bool,
    asked: Asked<'a>,
    id: Option<u64>,
}

impl Passage<'_> {
    /// Enters the usage of the answer.
    pub fn answered(mut self, usage: Usage) {
        let cost = self.door.price.map(|price| price.cost(&usage));
        self.end(Some((usage, cost)));
    }

    /// Enters a failure at no cost.
    pub fn failed(mut self) {
        self.end(None);
    }

    fn end(&mut self, answered: Option<(Usage, Option<NanoUsd>)>) {
        let Some(id) = self.id.take() else { return };
        let failed = RoleUsage { failed: 1, ..RoleUsage::default() };
        let usage = answered.map_or(failed, |(usage, cost)| RoleUsage { requests: 1, ..RoleUsage::of(usage, cost) });
        locked(&self.door.usage).add(self.asked.role, usage);
        if let Err(error) = locked(self.door.meter.ledger(self.leaves)).end(id, self.asked, answered) {
            tracing::warn!(%error, "an answer cannot be entered in the ledger: it counts as the most it may have used");
        }
        self.door.meter.ended.notify_waiters();
    }
}

impl Drop for Passage<'_> {
    fn drop(&mut self) {
        let Some(id) = self.id.take() else { return };
        let Asked { role, most, cost, .. } = self.asked;
        locked(&self.door.usage).add(role, RoleUsage { failed: 1, ..RoleUsage::of(most, cost) });
        locked(self.door.meter.ledger(self.leaves)).abandon(id);
        self.door.meter.ended.notify_waiters();
    }
}

/// A model behind the door of a meter, with a count of its usage.
#[derive(Debug)]
pub struct Metered<M> {
    model: Arc<M>,
    door: Door,
    body: Body,
    instructions: String,
}

impl<M: ChatModel> Metered<M> {
    /// Meters a model. `price` is `None` if it is unknown.
    ///
    /// # Errors
    /// A money cap without a price.
    pub fn new(model: M, meter: &Arc<Meter>, price: Option<Price>) -> Result<Self, UnknownPrice> {
        let name = model.info().name;
        if let (Some(cap), None) = (meter.caps.money, price) {
            return Err(UnknownPrice { model: name, cap });
        }
        let door = Door::new(meter.clone(), name, price, model.waits());
        Ok(Self { model: Arc::new(model), door, body: Body::new(), instructions: String::new() })
    }

    /// Returns the model with further fields in every request body for a text.
    #[must_use]
    pub fn with_body(self, body: Body) -> Self {
        Self { body, ..self }
    }

    /// Returns the model with a text in front of the system message of every question to an actor.
    #[must_use]
    pub fn with_instructions(self, instructions: String) -> Self {
        Self { instructions, ..self }
    }

    /// Returns the model under the same meter, with a count of its own.
    #[must_use]
    pub fn counted_anew(&self) -> Self {
        let Door { meter, model, price, waits, .. } = &self.door;
        let door = Door::new(meter.clone(), model.clone(), *price, waits.clone());
        let (body, instructions) = (self.body.clone(), self.instructions.clone());
        Self { model: self.model.clone(), door, body, instructions }
    }

    /// Returns the usage so far.
    pub fn usage(&self) -> UsageByRole {
        locked(&self.door.usage).clone()
    }

    /// Returns the price for costs; `None` if it is unknown.
    pub fn price(&self) -> Option<Price> {
        self.door.price
    }

    /// The meter.
    pub fn meter(&self) -> &Arc<Meter> {
        &self.door.meter
    }

    /// Returns the underlying model.
    pub fn model(&self) -> &M {
        &self.model
    }
}

impl<M: ChatModel> ChatModel for Metered<M> {
    fn info(&self) -> ModelInfo {
        self.model.info()
    }

    async fn ask(&self, request: &ChatRequest) -> Result<ChatReply, ModelError> {
        let mut request = Cow::Borrowed(request);
        if !self.body.is_empty() {
            request.to_mut().body.clone_from(&self.body);
        }
        if !self.instructions.is_empty() && request.role == Role::Actor {
            let first = request.to_mut().messages.iter_mut().find(|message| message.speaker == Speaker::System);
            first.into_iter().for_each(|message| message.text.insert_str(0, &format!("{}\n\n", self.instructions)));
        }
        logged(self.model.ask_through(&request, &self.door), request.role, &*self.model).await
    }

    fn waits(&self) -> Waits {
        self.door.waits.clone()
    }
}

/// Logs a request and the time of its answer, except for simulated actors, which answer at once.
async fn logged(
    answer: impl Future<Output = Result<ChatReply, ModelError>>,
    role: Role,
    model: &impl ChatModel,
) -> Result<ChatReply, ModelError> {
    let info = tracing::enabled!(tracing::Level::INFO).then(|| model.info());
    let Some(ModelInfo { name: model, .. }) = info.filter(|info| !info.simulated) else { return answer.await };
    tracing::info!(%model, ?role, "asking");
    let began = Instant::now();
    let answer = answer.await;
    let took_ms = began.elapsed().as_millis() as u64;
    match &answer {
        Ok(reply) => tracing::info!(%model, took_ms, tokens = reply.usage.total(), "answered"),
        Err(error) => tracing::info!(%model, took_ms, %error, "not answered"),
    }
    answer
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[derive(Debug)]
    struct Fixed(Usage);

    impl ChatModel for Fixed {
        fn info(&self) -> ModelInfo {
            ModelInfo::real("openai:fixed")
        }
        async fn ask(&self, _: &ChatRequest) -> Result<ChatReply, ModelError> {
            Ok(ChatReply::new("x", self.0))
        }
    }

    fn request(role: Role) -> ChatRequest {
        ChatRequest {
            role,
            messages: Vec::new(),
            answer: None,
            temperature: 0.1,
            max_tokens: 10,
            body: Body::default(),
        }
    }

    const USAGE: Usage = Usage { prompt: 90, completion: 10, cached: 40, reasoning: 3, estimated: 0 };
    const PRICE: Price = Price { input: NanoUsd(2), cached_input: NanoUsd(1), output: NanoUsd(8) };

    async fn asked_until_stopped(caps: Caps) -> (u64, String) {
        let model = Metered::new(Fixed(USAGE), &Meter::new(caps), Some(PRICE)).unwrap();
        for answered in 0..100 {
            if let Err(error) = model.ask(&request(Role::Actor)).await {
                assert!(matches!(error, ModelError::Cap { .. }));
                assert_eq!(model.usage().total().requests, answered);
                return (answered, error.to_string());
            }
        }
        panic!("no cap stopped it");
    }

    #[tokio::test]
    async fn every_cap_stops_the_run_and_says_which() {
        let none = Caps::default();
        assert_eq!(
            asked_until_stopped(Caps { requests: Some(3), ..none }).await,
            (3, "request cap reached: 3 of 3".into())
        );
        assert_eq!(
            asked_until_stopped(Caps { tokens: Some(250), ..none }).await,
            (3, "token cap reached: 300 of 250".into())
        );
        // One exchange costs 50*2 + 40*1 + 10*8 = 220.
        let money = Caps { money: Some(NanoUsd(440)), ..none };
        assert_eq!(asked_until_stopped(money).await.0, 2);
        assert_eq!(asked_until_stopped(Caps { requests: Some(0), ..none }).await.0, 0);
    }

    #[tokio::test]
    async fn usage_keeps_roles_apart_and_the_meter_counts_all_models() {
        let meter = Meter::new(Caps { requests: Some(4), ..Caps::default() });
        let model = Metered::new(Fixed(USAGE), &meter, Some(PRICE)).unwrap();
        model.ask(&request(Role::Actor)).await.unwrap();
        model.ask(&request(Role::Actor)).await.unwrap();
        model.ask(&request(Role::Critic)).await.unwrap();
        let usage = model.usage();
        assert_eq!(usage.of_role(Role::Actor).usage.total(), 200);
        assert_eq!(usage.of_role(Role::Critic).cost, NanoUsd(220));
        assert_eq!(usage.total().usage.reasoning, 9);
        let (again, other) = (model.counted_anew(), Metered::new(Fixed(USAGE), &meter, Some(Price::FREE)).unwrap());
        again.ask(&request(Role::Actor)).await.unwrap();
        assert_eq!(again.usage().total().requests, 1, "it counts its own");
        assert!(other.ask(&request(Role::Actor)).await.is_err(), "the cap holds for all");
    }

    #[tokio::test]
    async fn an_unknown_price_is_said_and_a_money_cap_refuses_it() {
        let caps = Caps { money: Some(NanoUsd(1_000_000_000)), ..Caps::default() };
        let error = Metered::new(Fixed(USAGE), &Meter::new(caps), None).unwrap_err();
        assert_eq!(
            error.to_string(),
            "a money cap of $1.0000 cannot be kept: the price of `openai:fixed` is unknown; add it to the price table \
             (0 for a model of your own) or cap tokens instead"
        );
        let model = Metered::new(Fixed(USAGE), &Meter::new(Caps::default()), None).unwrap();
        model.ask(&request(Role::Actor)).await.unwrap();
        assert_eq!(model.usage().total().known_cost(), None);
        assert_eq!(model.usage().total().unpriced, 1);
    }

    #[tokio::test]
    async fn a_cassette_answers_only_requests_with_the_same_fields() {
        use crate::cassette::{Cassette, Recorder};
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("talk");
        let meter = Meter::new(Caps::default());
        let body = |temperature: f64| Body::from_iter([("temperature".to_owned(), temperature.into())]);
        let recorder = Recorder::open(Fixed(USAGE), &path).unwrap();
        let recorded = Metered::new(recorder, &meter, None).unwrap().with_body(body(0.7)).counted_anew();
        recorded.ask(&request(Role::Actor)).await.unwrap();
        let replayed = |body| Metered::new(Cassette::open(&path).unwrap(), &meter, None).unwrap().with_body(body);
        replayed(body(0.7)).ask(&request(Role::Actor)).await.unwrap();
        for (other, difference) in
            [(body(0.5), "`body.temperature`, character 3: asked \"0.5\", recorded \"0.7\""), (Body::new(), "body")]
        {
            let error = replayed(other).ask(&request(Role::Actor)).await.unwrap_err().to_string();
            assert!(error.contains(difference), "{error}");
        }
    }

    #[tokio::test(start_paused = true)]
    async fn a_wait_for_the_rate_limit_shows_while_it_lasts() {
        let caps = Caps { requests_per_minute: NonZeroU32::new(2), ..Caps::default() };
        let model = Metered::new(Fixed(USAGE), &Meter::new(caps), Some(PRICE)).unwrap();
        let waits = model.waits();
        model.ask(&request(Role::Actor)).await.unwrap();
        assert_eq!(waits.now(), None);
        let question = request(Role::Actor);
        let mut second = std::pin::pin!(model.ask(&question));
        let mut shown = Vec::new();
        while tokio::time::timeout(Duration::from_secs(12), &mut second).await.is_err() {
            shown.extend(waits.now().map(|wait| wait.to_string()));
        }
        assert_eq!(shown, ["rate limit, next request in 18 s", "rate limit, next request in 6 s"]);
        assert_eq!(waits.now(), None);
        // A cancelled request stops waiting.
        assert!(tokio::time::timeout(Duration::from_secs(1), model.ask(&question)).await.is_err());
        assert_eq!(waits.now(), None);
    }

    #[tokio::test(start_paused = true)]
    async fn the_rate_limit_spaces_requests_evenly() {
        let caps = Caps { requests_per_minute: NonZeroU32::new(30), ..Caps::default() };
        let model = Metered::new(Fixed(USAGE), &Meter::new(caps), Some(PRICE)).unwrap();
        let start = tokio::time::Instant::now();
        for _ in 0..4 {
            model.ask(&request(Role::Actor)).await.unwrap();
        }
        let elapsed = start.elapsed().as_secs_f64();
        assert!((6.0..6.1).contains(&elapsed), "four requests at 30 a minute took {elapsed} s");
    }
}
