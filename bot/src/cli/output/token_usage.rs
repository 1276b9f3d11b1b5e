//! Token usage of models, by role.

use indicatif::HumanCount;
use ltlcrit_model::{ChatModel, Metered, ModelInfo, Role, RoleUsage, UsageByRole};
use serde::Serialize;

use crate::cli::output::style::DIM;
use crate::cli::output::terminal::foreign;
use crate::cli::output::{plural, word};

/// The usage of a model in a role, as `--json` prints it.
#[derive(Clone, Debug, Serialize)]
pub struct Used {
    model: ModelInfo,
    role: Role,
    #[serde(flatten)]
    account: RoleUsage,
}

impl Used {
    /// The usage of a model, role by role.
    pub fn of(model: &ModelInfo, usage: &UsageByRole) -> Vec<Self> {
        usage.roles().map(|(role, account)| Self { model: model.clone(), role, account: *account }).collect()
    }

    /// The usage of a metered model, role by role.
    pub fn by<M: ChatModel>(model: &Metered<M>) -> Vec<Self> {
        Self::of(&model.info(), &model.usage())
    }
}

/// The usage of language models, one line each. Personas cost nothing and are left out.
pub fn lines(used: &[Used]) -> Vec<String> {
    let line = |used: &Used| {
        let Used { model, role, account } = used;
        let role = word(role);
        let failed = match account.failed {
            0 => String::new(),
            failed => format!(" and {failed} without an answer"),
        };
        let estimated = match account.usage.estimated {
            0 => String::new(),
            estimated => format!(" ({} estimated)", HumanCount(estimated)),
        };
        format!(
            "{DIM}{role:<6}{DIM:#}  {}: {}{failed}, {} tokens{estimated}, cost {}",
            foreign(&model.to_string()),
            plural(account.requests, "answer"),
            HumanCount(account.usage.total()),
            account.known_cost().map_or("unknown".to_owned(), |cost| cost.to_string())
        )
    };
    used.iter().filter(|used| !used.model.simulated).map(line).collect()
}
