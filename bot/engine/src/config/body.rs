//! The fields that `[model.body]` and `[critic.body]` may add to requests.

use ltlcrit_model::Body;
use ltlcrit_model::openai::holds_key;
use serde_json::Value;

use super::Config;
use crate::user_error::UserError;

/// The fields that the program writes, each with advice on the setting for it.
const OWN: [(&str, &str); 10] = [
    ("model", "name the model with `run.model` (`--model`)"),
    ("messages", "the questions are the program's"),
    ("prompt", "the questions are the program's"),
    ("input", "the questions are the program's"),
    ("stream", "answers are read whole; leave it out"),
    ("stream_options", "answers are read whole; leave it out"),
    ("response_format", "the program asks for the form of answers that it can read; leave it out"),
    ("max_tokens", "set `actor.answer_tokens`, or `critic.answer_tokens`"),
    ("max_completion_tokens", "set `actor.answer_tokens`, or `critic.answer_tokens`"),
    ("n", "one answer is read; leave it out"),
];

/// Names of fields, in lower case and without `-` and `_`, that hold secrets.
const SECRETS: [&str; 8] = ["apikey", "key", "authorization", "password", "secret", "token", "accesstoken", "bearer"];

impl Config {
    /// Checks the further fields of requests. They are stored with every run, so they must not hold secrets.
    pub(super) fn check_bodies(&self) -> Result<(), UserError> {
        let key_env = self.critic.key_env.as_ref().unwrap_or(&self.model.key_env);
        check("model.body", &self.model.body, &[&self.model.key_env, key_env])?;
        let instructions = Body::from_iter([("text".to_owned(), self.prompt.instructions.clone().into())]);
        check("prompt.instructions", &instructions, &[&self.model.key_env, key_env])?;
        self.critic.body.as_ref().map_or(Ok(()), |body| check("critic.body", body, &[&self.model.key_env, key_env]))
    }
}

fn check(table: &str, body: &Body, variables: &[&String]) -> Result<(), UserError> {
    if let Some((name, instead)) = OWN.iter().find(|(name, _)| body.contains_key(*name)) {
        return Err(UserError::new(format!("`{table}.{name}` cannot be set: the program writes it")).help(*instead));
    }
    let secret = |why: String| {
        let help = "put the key into the environment variable that `key_env` names; it is sent in a header";
        Err(UserError::new(format!("{why}, and `[{table}]` is kept with every run")).help(help))
    };
    if let Some(name) = secret_name(body) {
        return secret(format!("`{name}` in `[{table}]` is the name of a secret"));
    }
    let text = Value::Object(body.clone()).to_string();
    match variables.iter().find(|variable| holds_key(&text, variable)) {
        Some(variable) => secret(format!("`[{table}]` holds the key in {variable}")),
        None => Ok(()),
    }
}

/// Returns the first name of a secret among the fields.
fn secret_name(body: &Body) -> Option<&str> {
    let plain = |name: &str| name.to_lowercase().replace(['-', '_'], "");
    body.iter().find_map(|(name, value)| match value {
        _ if SECRETS.contains(&plain(name).as_str()) => Some(name.as_str()),
        Value::Object(inner) => secret_name(inner),
        Value::Array(items) => items.iter().filter_map(Value::as_object).find_map(secret_name),
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn checked(text: &str) -> Result<Config, String> {
        let config: Config = toml_edit::de::from_str(text).map_err(|error| error.to_string())?;
        let explained = |error: UserError| format!("{}; {}", error.message, error.help.unwrap_or_default());
        config.check().map_err(explained).map(|()| config)
    }

    #[test]
    fn fields_of_the_program_and_secrets_are_refused() {
        for (name, _) in OWN {
            for table in ["model.body", "critic.body"] {
                let error = checked(&format!("[{table}]\n{name} = 1\n")).unwrap_err();
                assert!(error.contains(&format!("`{table}.{name}` cannot be set")), "{error}");
            }
        }
        for secret in ["api_key = \"x\"", "a = { Authorization = \"x\" }", "a = [{ access-token = \"x\" }]"] {
            let error = checked(&format!("[model.body]\n{secret}\n")).unwrap_err();
            assert!(error.contains("is the name of a secret") && error.contains("key_env"), "{error}");
        }
        // This variable is always set, and its value is long enough.
        let (variable, value) = std::env::vars().find(|(_, value)| value.len() >= 8 && value.is_ascii()).unwrap();
        let body: Body = [("user".to_owned(), format!("me {value}").into())].into_iter().collect();
        let mut config = Config::default();
        config.model.key_env.clone_from(&variable);
        config.model.body = body;
        assert!(config.check().unwrap_err().message.contains(&format!("holds the key in {variable}")));
    }

    #[test]
    fn any_other_field_is_taken_and_critics_may_have_their_own() {
        let text =
            "[model.body]\ntemperature = 0\nstop_token_ids = [1]\nchat_template_kwargs.enable_thinking = false\n";
        let config = checked(text).unwrap();
        assert_eq!(config.model.body["chat_template_kwargs"]["enable_thinking"], false);
        assert_eq!(config.for_critic().model.body, config.model.body);
        let config = checked(&format!("{text}[critic.body]\nreasoning_effort = \"high\"\n")).unwrap();
        assert_eq!(Value::Object(config.for_critic().model.body), serde_json::json!({"reasoning_effort": "high"}));
        assert_eq!(
            serde_json::from_value::<Config>(serde_json::to_value(&config).unwrap()).unwrap().critic,
            config.critic
        );
    }
}
