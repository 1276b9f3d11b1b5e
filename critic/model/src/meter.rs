//! Caps and accounting: what a run may use, and a ledger of what it used, per role.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::num::NonZeroU32;

use serde::{Deserialize, Serialize};
use thiserror::Error;
use tokio::time::Instant;

use super::pace::Pace;
use super::price::{NanoUsd, Price};
use super::{ChatModel, ChatReply, ChatRequest, ModelError, ModelInfo, Role, Usage, Waits};

/// What a run may use; `None` is without limit. A request that crosses a cap is the last one: its answer still counts,
/// the next question is refused with [`ModelError::Cap`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Caps {
    /// Questions asked. Retries of one question count once.
    pub requests: Option<u64>,
    /// Prompt and completion tokens.
    pub tokens: Option<u64>,
    /// Money, from the price table.
    pub money: Option<NanoUsd>,
    /// Questions a minute, evenly spaced: the run waits, it does not stop.
    pub requests_per_minute: Option<NonZeroU32>,
}

/// What one role used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Account {
    /// Questions answered.
    pub requests: u64,
    /// Questions that got no answer.
    pub failed: u64,
    /// Tokens.
    pub usage: Usage,
    /// What the priced requests cost.
    pub cost: NanoUsd,
    /// Requests whose price is unknown; when not 0, `cost` is a lower bound.
    pub unpriced: u64,
}

impl Account {
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

/// Accounts by role.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Ledger {
    accounts: BTreeMap<Role, Account>,
}

impl Ledger {
    /// What one role used, as a run that goes on knows it from its records.
    pub fn of(role: Role, account: Account) -> Self {
        Self { accounts: BTreeMap::from([(role, account)]) }
    }

    /// The roles that asked anything, with what they used.
    pub fn accounts(&self) -> impl Iterator<Item = (Role, &Account)> {
        self.accounts.iter().map(|(role, account)| (*role, account))
    }

    /// What a role used.
    pub fn account(&self, role: Role) -> Account {
        self.accounts.get(&role).copied().unwrap_or_default()
    }

    /// What all roles used together.
    pub fn total(&self) -> Account {
        self.accounts.values().fold(Account::default(), |mut total, account| {
            total.add(account);
            total
        })
    }

    /// Adds what another ledger holds, as when a run is resumed.
    pub fn absorb(&mut self, other: &Self) {
        for (role, account) in &other.accounts {
            self.accounts.entry(*role).or_default().add(account);
        }
    }

    fn answered(&mut self, role: Role, usage: Usage, price: Option<&Price>) {
        let account = self.accounts.entry(role).or_default();
        account.requests += 1;
        account.usage += usage;
        match price {
            Some(price) => account.cost += price.cost(&usage),
            None => account.unpriced += 1,
        }
    }
}

/// A money cap that could not be kept.
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

/// A model with caps, a pace and a ledger.
#[derive(Debug)]
pub struct Metered<M> {
    model: M,
    caps: Caps,
    price: Option<Price>,
    pace: Option<Pace>,
    waits: Waits,
    ledger: RefCell<Ledger>,
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
            pace: caps.requests_per_minute.map(Pace::per_minute),
            ledger: RefCell::new(Ledger::default()),
        })
    }

    /// Continues from what an interrupted run had already used, so that its caps go on counting.
    #[must_use]
    pub fn with_used(self, used: Ledger) -> Self {
        Self { ledger: RefCell::new(used), ..self }
    }

    /// What was used so far.
    pub fn ledger(&self) -> Ledger {
        self.ledger.borrow().clone()
    }

    /// The price by which the ledger counts; `None` when it is unknown.
    pub fn price(&self) -> Option<Price> {
        self.price
    }

    /// The model itself.
    pub fn model(&self) -> &M {
        &self.model
    }

    fn check_caps(&self) -> Result<(), ModelError> {
        let total = self.ledger.borrow().total();
        let reached = |cap: &'static str, used: u64, limit: Option<u64>| match limit {
            Some(limit) if used >= limit => {
                Err(ModelError::Cap { cap, used: used.to_string(), limit: limit.to_string() })
            }
            _ => Ok(()),
        };
        reached("request", total.requests + total.failed, self.caps.requests)?;
        reached("token", total.usage.total(), self.caps.tokens)?;
        match self.caps.money {
            Some(limit) if total.cost >= limit => {
                Err(ModelError::Cap { cap: "money", used: total.cost.to_string(), limit: limit.to_string() })
            }
            _ => Ok(()),
        }
    }
}

impl<M: ChatModel> ChatModel for Metered<M> {
    fn info(&self) -> ModelInfo {
        self.model.info()
    }

    async fn ask(&self, request: &ChatRequest) -> Result<ChatReply, ModelError> {
        self.check_caps()?;
        if let Some(pace) = &self.pace {
            pace.wait(&self.waits).await;
        }
        let reply = logged(self.model.ask(request), request.role, &self.model).await;
        let mut ledger = self.ledger.borrow_mut();
        match &reply {
            Ok(reply) => ledger.answered(request.role, reply.usage, self.price.as_ref()),
            Err(ModelError::Cap { .. }) => {}
            Err(_) => ledger.accounts.entry(request.role).or_default().failed += 1,
        }
        reply
    }

    fn waits(&self) -> Waits {
        self.waits.clone()
    }
}

/// Tells the log of a question and of how long its answer took. What a persona says at once is not worth a line.
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
            Ok(ChatReply { text: "x".into(), usage: self.0 })
        }
    }

    fn request(role: Role) -> ChatRequest {
        ChatRequest { role, messages: Vec::new(), answer: None, temperature: 0.1, max_tokens: 10 }
    }

    const USAGE: Usage = Usage { prompt: 90, completion: 10, cached: 40, reasoning: 3, estimated: 0 };
    const PRICE: Price = Price { input: NanoUsd(2), cached_input: NanoUsd(1), output: NanoUsd(8) };

    async fn asked_until_stopped(caps: Caps) -> (u64, String) {
        let model = Metered::new(Fixed(USAGE), caps, Some(PRICE)).unwrap();
        for answered in 0..100 {
            if let Err(error) = model.ask(&request(Role::Actor)).await {
                assert!(matches!(error, ModelError::Cap { .. }));
                assert_eq!(model.ledger().total().requests, answered);
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
        let ledger = model.ledger();
        assert_eq!(ledger.account(Role::Actor).usage.total(), 200);
        assert_eq!(ledger.account(Role::Critic).cost, NanoUsd(220));
        assert_eq!(ledger.total().usage.reasoning, 9);
        let json = serde_json::to_string(&ledger).unwrap();
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
        assert_eq!(model.ledger().total().known_cost(), None);
        assert_eq!(model.ledger().total().unpriced, 1);
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
