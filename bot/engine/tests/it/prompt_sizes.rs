//! The sizes of prompts in `docs/models.md`, for choosing a local model's context window.

use std::cell::Cell;

use ltlcrit_engine::actor::simulated::{PersonaSource, Simulated};
use ltlcrit_engine::actor::{ActorKind, PromptedActor};
use ltlcrit_engine::agent::{Interrupt, RunFacts, Silent, Start, same_laws};
use ltlcrit_engine::config::{Config, CriticConfig};
use ltlcrit_minecraft::{EmbeddedOptions, EmbeddedWorld};
use ltlcrit_model::{ChatModel, ChatReply, ChatRequest, ModelError, ModelInfo};
use ltlcrit_store::{Durability, Limits, Store};
use strum::VariantArray as _;

use crate::common::{agent, block_on, facts};

const PAGE: &str = include_str!("../../../../docs/models.md");

/// The sizes of the largest question and answer, in bytes.
#[derive(Clone, Copy, Debug, Default)]
struct Sizes {
    /// The size of the messages of the question.
    messages: usize,
    /// The size of the messages and of the form of the answer.
    question: usize,
    /// The size of the answer.
    answer: usize,
}

impl Sizes {
    fn max(self, other: Self) -> Self {
        Self {
            messages: self.messages.max(other.messages),
            question: self.question.max(other.question),
            answer: self.answer.max(other.answer),
        }
    }
}

/// A model that records the largest sizes.
struct Measured<M> {
    model: M,
    largest: Cell<Sizes>,
}

impl<M: ChatModel> ChatModel for Measured<M> {
    fn info(&self) -> ModelInfo {
        self.model.info()
    }

    async fn ask(&self, request: &ChatRequest) -> Result<ChatReply, ModelError> {
        let schema = request.answer.as_ref().map_or(0, |answer| answer.schema.to_string().len());
        let messages = request.messages.iter().map(|message| message.text.len()).sum::<usize>();
        let reply = self.model.ask(request).await?;
        let sizes = Sizes { messages, question: messages + schema, answer: reply.text().len() };
        self.largest.set(self.largest.get().max(sizes));
        Ok(reply)
    }
}

/// Measures the largest sizes of an actor's questions and answers in whole games.
fn largest(kind: ActorKind, recipes: bool) -> Sizes {
    let directory = ltlcrit_store::scratch::directory().unwrap();
    let store = Store::open(directory.path().join("store")).unwrap();
    let mut config = Config::default();
    config.prompt.recipes = recipes;
    let laws = ltlcrit_laws::shipped("minecraft-hard").unwrap().laws_in_force();
    let games = (1..=2).map(|seed| {
        let model = Measured {
            model: Simulated::open(&PersonaSource::of_actor(kind), seed).unwrap(),
            largest: Cell::default(),
        };
        let mut actor = PromptedActor::new(kind, &model, config.prompts());
        let facts = RunFacts {
            seed,
            shielded: actor.shielded(),
            limits: Limits { max_steps: 60, ..Limits::default() },
            ..facts(laws.clone())
        };
        let (mut observer, mut new_laws) = (Silent, same_laws);
        let agent = agent(&mut actor, &mut observer, Interrupt::new(), &mut new_laws);
        let mut world = EmbeddedWorld::new(seed, EmbeddedOptions::default());
        let start = Start::Stored { store: &store, durability: Durability::EachEpisode, facts };
        block_on(agent.run_in(&mut world, start)).unwrap();
        model.largest.get()
    });
    games.fold(Sizes::default(), Sizes::max)
}

/// Reads the number before a word in the line of the page that begins with `line`.
fn number_of(line: &str, unit: &str) -> usize {
    let found =
        PAGE.lines().find(|text| text.starts_with(line)).unwrap_or_else(|| panic!("docs/models.md has no `{line}`"));
    let before = found.split(unit).next().unwrap();
    let number = before.rsplit(' ').find(|word| !word.is_empty()).unwrap().replace(',', "");
    number.parse().unwrap_or_else(|_| panic!("`{number}` in `{found}` is not a number"))
}

#[test]
fn the_page_bounds_the_questions_of_actors() {
    let measured: Vec<_> = ActorKind::VARIANTS.iter().map(|kind| (kind, largest(*kind, true).question)).collect();
    println!("{measured:?}");
    for (kind, largest) in measured {
        let told = number_of(&format!("| the actor `{}`", kind.name()), " bytes");
        assert!(largest <= told, "{}: {largest} bytes, and the page says at most {told}", kind.name());
        assert!(largest * 5 >= told * 3, "{}: {largest} bytes, far less than the page's {told}", kind.name());
        let window = number_of(&format!("| the actor `{}`", kind.name()), " tokens");
        let answer = usize::try_from(Config::default().actor.answer_tokens).unwrap();
        assert!(told.div_ceil(3) + answer <= window, "{}: {told} bytes do not fit", kind.name());
    }
}

/// A token of SmolLM2's tokenizer, one of the smallest, has at least 3.1 bytes of these questions and at least 2 bytes
/// of values.
#[test]
fn the_questions_of_actors_without_a_memory_have_at_most_1_200_tokens() {
    for kind in [ActorKind::Naive, ActorKind::SayCan] {
        let sizes = largest(kind, false);
        println!("{}: {sizes:?}", kind.name());
        assert!(10 * sizes.messages <= 31 * 1_200, "{}: {sizes:?}", kind.name());
        assert!(sizes.answer <= 2 * 200, "{}: {sizes:?}", kind.name());
    }
}

#[test]
fn the_page_bounds_the_questions_of_critics() {
    let config = CriticConfig::default();
    let [bytes, window] = [" bytes", " tokens"].map(|unit| number_of("| a critic", unit));
    assert_eq!(window, usize::try_from(config.context_tokens).unwrap());
    assert_eq!(bytes, usize::try_from(config.context_tokens - config.answer_tokens).unwrap() * 4);
}
