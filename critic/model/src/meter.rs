//! Caps on the use of a model, and its usage by role.

use std::collections::BTreeMap;
use std::num::NonZeroU32;
use std::sync::Mutex;

use serde::{Deserialize, Serialize};
use thiserror::Error;
use tokio::time::Instant;

use super::price::{NanoUsd, Price};
use super::rate_limit::RateLimit;
use super::{ChatModel, ChatReply, ChatRequest, ModelError, ModelInfo, Role, Usage, Waits, locked};

/// Caps on the use of a model by all runs and threads that share it; `None` sets no limit.
///
/// A request that would exceed the cap on requests is not sent, however many are in flight. The cost of an answer is known
/// only when it is there: a request is sent while the answers so far are below the caps on tokens and money, the answer
/// that crosses a cap and those in flight at that moment are still used, and every later request is refused with
/// [`ModelError::Cap`]. A cap is therefore exceeded by less than these answers' usage: with one thread by less than one
/// answer, with N threads by less than N.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Caps {
    /// Requests. Retries of one request count once. A request that was cancelled after it was sent counts too.
    pub requests: Option<u64>,
    /// Prompt and completion tokens.
    pub tokens: Option<u64>,
    /// Money, from the price table.
    pub money: Option<NanoUsd>,
    /// Requests per minute, evenly spaced. The run waits for this limit and does not stop.
    pub requests_per_minute: Option<NonZeroU32>,
}

impl Caps {
    /// Whether usage reaches one of the caps, so that the next request is refused.
    pub fn reached_by(&self, used: &RoleUsage) -> bool {
        self.requests.is_some_and(|limit| used.requests + used.failed >= limit)
            || self.tokens.is_some_and(|limit| used.usage.total() >= limit)
            || self.money.is_some_and(|limit| used.cost >= limit)
    }
}

/// The usage of one role.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RoleUsage {
    /// Requests that were answered.
    pub requests: u64,
    /// Requests that got no answer.
    pub failed: u64,
    /// Tokens.
    pub usage: Usage,
    /// The cost of the priced requests.
    pub cost: NanoUsd,
    /// Requests whose price is unknown; when not 0, `cost` is a lower bound.
    pub unpriced: u64,
}

impl RoleUsage {
    /// The cost, or `None` when some request's price is unknown.
    pub fn known_cost(&self) -> Option<NanoUsd> {
        (self.unpriced == 0).then_some(self.cost)
    }

    fn add(&mut self, other: &Self) {
        self.requests += other.requests;
        self.failed += other.failed;
        self.usage += other.usage;
        self.cost += other.cost;
        self.unpriced += other.unpriced;
    }
}

/// The usage of a model by role.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct UsageByRole {
    by_role: BTreeMap<Role, RoleUsage>,
}

impl UsageByRole {
    /// The usage of one role, such as that of the stored steps of a resumed run.
    pub fn of(role: Role, usage: RoleUsage) -> Self {
        Self { by_role: BTreeMap::from([(role, usage)]) }
    }

    /// The roles that made requests, with their usage.
    pub fn roles(&self) -> impl Iterator<Item = (Role, &RoleUsage)> {
        self.by_role.iter().map(|(role, usage)| (*role, usage))
    }

    /// The usage of a role.
    pub fn of_role(&self, role: Role) -> RoleUsage {
        self.by_role.get(&role).copied().unwrap_or_default()
    }

    /// The usage of all roles together.
    pub fn total(&self) -> RoleUsage {
        self.by_role.values().fold(RoleUsage::default(), |mut total, usage| {
            total.add(usage);
            total
        })
    }

    /// Adds what was used between two states of another ledger.
    pub fn add_since(&mut self, later: &Self, earlier: &Self) {
        for (role, later) in later.roles() {
            let (earlier, total) = (earlier.of_role(role), self.by_role.entry(role).or_default());
            total.requests += later.requests.saturating_sub(earlier.requests);
            total.failed += later.failed.saturating_sub(earlier.failed);
            total.usage += later.usage.since(&earlier.usage);
            total.cost += NanoUsd(later.cost.0.saturating_sub(earlier.cost.0));
            total.unpriced += later.unpriced.saturating_sub(earlier.unpriced);
        }
    }

    fn answered(&mut self, role: Role, usage: Usage, price: Option<&Price>) {
        let of_role = self.by_role.entry(role).or_default();
        of_role.requests += 1;
        of_role.usage += usage;
        match price {
            Some(price) => of_role.cost += price.cost(&usage),
            None => of_role.unpriced += 1,
        }
    }
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
    /// The cap that was asked for.
    pub cap: NanoUsd,
}

/// A model with caps and a rate limit that counts its usage.
#[derive(Debug)]
pub struct Metered<M> {
    model: M,
    caps: Caps,
    price: Option<Price>,
    rate_limit: Option<RateLimit>,
    waits: Waits,
    ledger: Mutex<Ledger>,
}

#[derive(Debug, Default)]
struct Ledger {
    usage: UsageByRole,
    /// Requests that are reserved and not settled: before or in flight, or cancelled in flight.
    reserved: u64,
}

impl<M: ChatModel> Metered<M> {
    /// Meters a model. `price` is `None` when it is unknown.
    ///
    /// # Errors
    /// A money cap without a price.
    pub fn new(model: M, caps: Caps, price: Option<Price>) -> Result<Self, UnknownPrice> {
        if let (Some(cap), None) = (caps.money, price) {
            return Err(UnknownPrice { model: model.info().name, cap });
        }
        Ok(Self {
            waits: model.waits(),
            model,
            caps,
            price,
            rate_limit: caps.requests_per_minute.map(RateLimit::per_minute),
            ledger: Mutex::default(),
        })
    }

    /// Starts from the usage of an interrupted run, so that its caps continue to count.
    #[must_use]
    pub fn with_used(self, used: UsageByRole) -> Self {
        Self { ledger: Mutex::new(Ledger { usage: used, reserved: 0 }), ..self }
    }

    /// The usage so far.
    pub fn usage(&self) -> UsageByRole {
        locked(&self.ledger).usage.clone()
    }

    /// The price used for costs; `None` if it is unknown.
    pub fn price(&self) -> Option<Price> {
        self.price
    }

    /// The model itself.
    pub fn model(&self) -> &M {
        &self.model
    }

    /// Reserves one request.
    fn reserve(&self) -> Result<Reservation<'_>, ModelError> {
        let mut ledger = locked(&self.ledger);
        let total = ledger.usage.total();
        reached("request", total.requests + total.failed + ledger.reserved, self.caps.requests)?;
        self.check_costs(&total)?;
        ledger.reserved += 1;
        Ok(Reservation { ledger: &self.ledger, sent: false })
    }

    /// Checks the caps on what answers cost.
    fn check_costs(&self, total: &RoleUsage) -> Result<(), ModelError> {
        reached("token", total.usage.total(), self.caps.tokens)?;
        reached("money", total.cost, self.caps.money)
    }
}

fn reached<T: PartialOrd + ToString>(cap: &'static str, used: T, limit: Option<T>) -> Result<(), ModelError> {
    match limit {
        Some(limit) if used >= limit => Err(ModelError::Cap { cap, used: used.to_string(), limit: limit.to_string() }),
        _ => Ok(()),
    }
}

/// One request under the cap on requests. Dropped before it is sent, it is given back.
struct Reservation<'a> {
    ledger: &'a Mutex<Ledger>,
    sent: bool,
}

impl Reservation<'_> {
    /// Enters the answer into the ledger.
    fn settle(self, role: Role, reply: &Result<ChatReply, ModelError>, price: Option<&Price>) {
        let mut ledger = locked(self.ledger);
        ledger.reserved -= 1;
        match reply {
            Ok(reply) => ledger.usage.answered(role, reply.usage, price),
            Err(ModelError::Cap { .. }) => {}
            Err(_) => ledger.usage.by_role.entry(role).or_default().failed += 1,
        }
    }
}

impl Drop for Reservation<'_> {
    fn drop(&mut self) {
        if !self.sent {
            locked(self.ledger).reserved -= 1;
        }
    }
}

impl<M: ChatModel> ChatModel for Metered<M> {
    fn info(&self) -> ModelInfo {
        self.model.info()
    }

    async fn ask(&self, request: &ChatRequest) -> Result<ChatReply, ModelError> {
        let mut reservation = self.reserve()?;
        if let Some(rate_limit) = &self.rate_limit {
            rate_limit.wait(self.waits.of_request(request)).await;
            // Answers of other threads may have crossed a cap in the meantime.
            self.check_costs(&locked(&self.ledger).usage.total())?;
        }
        reservation.sent = true;
        let reply = logged(self.model.ask(request), request.role, &self.model).await;
        reservation.settle(request.role, &reply, self.price.as_ref());
        reply
    }

    fn waits(&self) -> Waits {
        self.waits.clone()
    }
}

/// Logs a request and the time of its answer, except for personas, which answer at once.
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
        ChatRequest { episode: None, role, messages: Vec::new(), answer: None, temperature: 0.1, max_tokens: 10 }
    }

    const USAGE: Usage = Usage { prompt: 90, completion: 10, cached: 40, reasoning: 3, estimated: 0 };
    const PRICE: Price = Price { input: NanoUsd(2), cached_input: NanoUsd(1), output: NanoUsd(8) };

    async fn asked_until_stopped(caps: Caps) -> (u64, String) {
        let model = Metered::new(Fixed(USAGE), caps, Some(PRICE)).unwrap();
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
    async fn the_ledger_keeps_roles_apart_and_survives_a_resume() {
        let model = Metered::new(Fixed(USAGE), Caps::default(), Some(PRICE)).unwrap();
        model.ask(&request(Role::Actor)).await.unwrap();
        model.ask(&request(Role::Actor)).await.unwrap();
        model.ask(&request(Role::Critic)).await.unwrap();
        let usage = model.usage();
        assert_eq!(usage.of_role(Role::Actor).usage.total(), 200);
        assert_eq!(usage.of_role(Role::Critic).cost, NanoUsd(220));
        assert_eq!(usage.total().usage.reasoning, 9);
        let json = serde_json::to_string(&usage).unwrap();
        let caps = Caps { requests: Some(4), ..Caps::default() };
        let resumed =
            Metered::new(Fixed(USAGE), caps, Some(PRICE)).unwrap().with_used(serde_json::from_str(&json).unwrap());
        resumed.ask(&request(Role::Actor)).await.unwrap();
        assert!(resumed.ask(&request(Role::Actor)).await.is_err());
    }

    #[tokio::test]
    async fn an_unknown_price_is_said_and_a_money_cap_refuses_it() {
        let caps = Caps { money: Some(NanoUsd(1_000_000_000)), ..Caps::default() };
        let error = Metered::new(Fixed(USAGE), caps, None).unwrap_err();
        assert_eq!(
            error.to_string(),
            "a money cap of $1.0000 cannot be kept: the price of `openai:fixed` is unknown; add it to the price table \
             (0 for a model of your own) or cap tokens instead"
        );
        let model = Metered::new(Fixed(USAGE), Caps::default(), None).unwrap();
        model.ask(&request(Role::Actor)).await.unwrap();
        assert_eq!(model.usage().total().known_cost(), None);
        assert_eq!(model.usage().total().unpriced, 1);
    }

    #[tokio::test(start_paused = true)]
    async fn a_wait_for_the_rate_limit_shows_while_it_lasts() {
        let caps = Caps { requests_per_minute: NonZeroU32::new(2), ..Caps::default() };
        let model = Metered::new(Fixed(USAGE), caps, Some(PRICE)).unwrap();
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
        // One who gives up waits no longer.
        assert!(tokio::time::timeout(Duration::from_secs(1), model.ask(&question)).await.is_err());
        assert_eq!(waits.now(), None);
    }

    #[tokio::test(start_paused = true)]
    async fn the_rate_limit_spaces_requests_evenly() {
        let caps = Caps { requests_per_minute: NonZeroU32::new(30), ..Caps::default() };
        let model = Metered::new(Fixed(USAGE), caps, Some(PRICE)).unwrap();
        let start = tokio::time::Instant::now();
        for _ in 0..4 {
            model.ask(&request(Role::Actor)).await.unwrap();
        }
        let elapsed = start.elapsed().as_secs_f64();
        assert!((6.0..6.1).contains(&elapsed), "four requests at 30 a minute took {elapsed} s");
    }
}
