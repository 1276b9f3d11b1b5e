//! Keys of the configuration with values, for `--set` and plans.

use serde_json::{Map, Value};

use super::Config;
use crate::user_error::UserError;

/// Keys of the configuration with values, section by section.
pub type Values = Map<String, Value>;

/// Merges `values` into `base`, section by section.
pub fn over(base: &mut Values, values: &Values) {
    for (key, value) in values {
        match (base.get_mut(key), value) {
            (Some(Value::Object(base)), Value::Object(values)) => over(base, values),
            _ => drop(base.insert(key.clone(), value.clone())),
        }
    }
}

/// Parses arguments such as `run.steps=60`; later ones override earlier ones. A value is parsed as TOML, or else taken
/// as text.
///
/// # Errors
/// An argument has no `=`, an unknown key, or a value of another type.
pub fn read_values(arguments: &[String]) -> Result<Values, UserError> {
    let mut values = Values::new();
    for argument in arguments {
        let Some((key, value)) = argument.split_once('=') else {
            let message = format!("`--set {argument}` is no key with a value");
            return Err(UserError::new(message).help("write KEY=VALUE, for example `--set run.steps=60`"));
        };
        let value = value.trim().parse::<toml_edit::Value>().unwrap_or_else(|_| value.into());
        let text = format!("{} = {}", key.trim(), value.to_string().trim());
        let wrong = |error: toml_edit::de::Error| UserError::of_toml("the value", &error, &text, "--set");
        toml_edit::de::from_str::<Config>(&text).map_err(wrong)?;
        over(&mut values, &toml_edit::de::from_str(&text).map_err(wrong)?);
    }
    Ok(values)
}
