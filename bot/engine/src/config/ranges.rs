//! Ranges of configured values that their types do not express.

use super::Config;
use crate::user_error::UserError;

/// The maximum number of literals of a condition. The search for longer ones takes too long.
const MAX_LITERALS: usize = 5;

/// A key such as `learn.margin` with its value, and whether that is in the range; the range with its unit, such as `a
/// positive number of steps`; a valid value.
type Ranged = (&'static str, String, bool, &'static str, &'static str);

impl Config {
    /// Checks the ranges that types do not express.
    ///
    /// # Errors
    /// Returns the first value out of range, with its key, the range and an example.
    pub fn check(&self) -> Result<(), UserError> {
        if let Some((key, value, _, range, example)) = self.ranged().into_iter().find(|(_, _, in_range, ..)| !in_range)
        {
            let message = format!("`{key}` is {value}; it must be {range}");
            return Err(UserError::new(message).help(format!("for example `{key} = {example}`")));
        }
        if self.server.speed() != 1.0 && self.server.address.is_some() {
            return Err(UserError::new("`server.speed` must be 1 where `server.address` names a server").help(
                "only a loopback server can run faster than the game: leave `server.address` (`--server`) unset",
            ));
        }
        self.critic.options().map_err(|error| {
            UserError::new(error.to_string())
                .help("raise `critic.context_tokens`, or lower `critic.answer_tokens`, for example to 32768 and 8192")
        })?;
        self.check_bodies()
    }

    fn ranged(&self) -> Vec<Ranged> {
        let Self { run, learn, server, .. } = self;
        let number =
            |key, value: &dyn ToString, in_range, range, example| (key, value.to_string(), in_range, range, example);
        let positive = |key, value: u64, range, example| number(key, &value, value > 0, range, example);
        let share = |key, value: f64, example| {
            let range = "a share between 0 and 1, neither of them included";
            number(key, &value, value > 0.0 && value < 1.0, range, example)
        };
        let (objective, view) = (&learn.objective, server.view_distance);
        let literals = objective.literals;
        let is_searched = (1..=MAX_LITERALS).contains(&literals);
        let nats =
            |key, value: f64, example| number(key, &value, (0.0..=1e6).contains(&value), "0 to 1000000 nats", example);
        let (margin, speed, cost) = (learn.margin, server.speed(), self.caps.cost.unwrap_or(0.0));
        vec![
            positive("run.steps", run.steps, "1 step or more", "200"),
            positive("learn.iterations", learn.iterations as u64, "1 iteration or more", "3"),
            positive("learn.episodes", learn.episodes, "1 episode or more", "20"),
            number("learn.critics", &"empty", !learn.critics.is_empty(), "a list of 1 critic or more", "[\"trials\"]"),
            share("learn.significance", learn.significance, "0.05"),
            nats("learn.objective.needed", objective.needed, "12.0"),
            nats("learn.objective.gained", objective.gained, "3.0"),
            nats("learn.objective.untried", objective.untried, "0.02"),
            nats("learn.objective.release", objective.release, "8.0"),
            nats("learn.objective.threshold", objective.threshold, "2.0"),
            nats("learn.objective.positive", objective.positive, "1.5"),
            share("learn.objective.least_share", objective.least_share, "0.05"),
            share("learn.objective.most_share", objective.most_share, "0.25"),
            share("learn.objective.causal", objective.causal, "0.8"),
            positive("learn.objective.repeats", objective.repeats.into(), "1 step or more", "30"),
            positive("learn.objective.least_patience", objective.least_patience as u64, "1 step or more", "12"),
            positive("learn.objective.most_patience", objective.most_patience as u64, "1 step or more", "40"),
            number("learn.objective.literals", &literals, is_searched, "1 to 5 literals", "4"),
            number("learn.margin", &margin, margin.is_finite() && margin >= 0.0, "a number of steps, 0 or more", "0.5"),
            number("server.speed", &speed, (0.1..=20.0).contains(&speed), "0.1 to 20 times the game's speed", "5.0"),
            number("server.view_distance", &view, (3..=32).contains(&view), "3 to 32 chunks", "6"),
            positive("actor.answer_tokens", self.actor.answer_tokens.into(), "1 token or more", "2048"),
            positive("critic.answer_tokens", self.critic.answer_tokens.into(), "1 token or more", "8192"),
            positive("model.timeout", self.model.timeout, "1 second or more", "60"),
            number("caps.cost", &cost, (0.0..=1e9).contains(&cost), "0 to 1000000000 US dollars", "2.5"),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_defaults_are_in_range() {
        Config::default().check().unwrap();
    }

    #[test]
    fn every_value_out_of_range_is_told_with_its_key_and_an_example() {
        let changes: [fn(&mut Config); 27] = [
            |it| it.run.steps = 0,
            |it| it.learn.iterations = 0,
            |it| it.learn.episodes = 0,
            |it| it.learn.critics.clear(),
            |it| it.learn.significance = 0.0,
            |it| it.learn.objective.needed = f64::NAN,
            |it| it.learn.objective.gained = -0.5,
            |it| it.learn.objective.untried = -0.5,
            |it| it.learn.objective.release = f64::INFINITY,
            |it| it.learn.objective.threshold = -0.5,
            |it| it.learn.objective.positive = -0.5,
            |it| it.learn.objective.least_share = 0.0,
            |it| it.learn.objective.most_share = 1.0,
            |it| it.learn.objective.causal = 1.0,
            |it| it.learn.objective.repeats = 0,
            |it| it.learn.objective.least_patience = 0,
            |it| it.learn.objective.most_patience = 0,
            |it| it.learn.objective.literals = 6,
            |it| it.learn.margin = -0.5,
            |it| it.server.speed = Some(100.0),
            |it| it.server.view_distance = 2,
            |it| it.actor.answer_tokens = 0,
            |it| it.critic.answer_tokens = 0,
            |it| it.model.timeout = 0,
            |it| it.caps.cost = Some(-1.0),
            |it| (it.server.speed, it.server.address) = (Some(2.0), Some("localhost:25565".to_owned())),
            |it| it.critic.context_tokens = 8_193,
        ];
        let told = changes.map(|change| {
            let mut config = Config::default();
            change(&mut config);
            let error = config.check().unwrap_err();
            format!("{}\n    {}", error.message, error.help.unwrap())
        });
        assert_eq!(changes.len(), Config::default().ranged().len() + 2, "a case for each range");
        insta::assert_snapshot!(told.join("\n"));
    }
}
