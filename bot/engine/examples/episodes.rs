//! Runs episodes on all cores: `episodes [NUMBER [ACTOR [PERSONA]]]`.

use std::error::Error;

use ltlcrit_engine::agent::Silent;
use ltlcrit_engine::config::Config;
use ltlcrit_engine::learn::{EpisodeError, Training};
use ltlcrit_engine::world::{InProcess, WorldName, vocabulary};
use ltlcrit_engine::{model::ModelSpec, setup};
use serde_json::Value;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let number = arguments.first().map_or(Ok(10), |number| number.parse())?;
    let mut config = Config::default();
    config.run.world = WorldName::EMBEDDED;
    if let Some(actor) = arguments.get(1) {
        config.run.actor = serde_json::from_value(Value::from(actor.as_str()))?;
    }
    if let Some(persona) = arguments.get(2) {
        config.run.model = format!("simulated:{persona}").parse::<ModelSpec>()?;
    }
    let books = setup::books(&config.run.books(), &vocabulary(&config)?)?;
    let seeds: Vec<u64> = (0..number).collect();
    let mut training = Training::new(config, &InProcess, &Silent);
    training.sources = books.records.iter().map(|book| book.source.clone()).collect();
    training.play(&seeds, &books.books, |summary, _| {
        println!("seed {}: {} steps, goal {}", summary.seed, summary.metrics.steps, summary.reached_goal());
        Ok::<_, EpisodeError>(())
    })?;
    Ok(())
}
