//! The usage of models by role: requests, tokens, cost.

use std::collections::BTreeMap;
use std::ops::{Add, AddAssign};

use serde::{Deserialize, Serialize};

use super::price::NanoUsd;
use super::{Role, Usage};

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
    /// The usage of one request, at a cost if that is known.
    pub(super) fn of(usage: Usage, cost: Option<NanoUsd>) -> Self {
        Self { usage, cost: cost.unwrap_or_default(), unpriced: u64::from(cost.is_none()), ..Self::default() }
    }

    /// The cost, or `None` when some request's price is unknown.
    pub fn known_cost(&self) -> Option<NanoUsd> {
        (self.unpriced == 0).then_some(self.cost)
    }
}

impl AddAssign for RoleUsage {
    fn add_assign(&mut self, other: Self) {
        self.requests += other.requests;
        self.failed += other.failed;
        self.usage += other.usage;
        self.cost += other.cost;
        self.unpriced += other.unpriced;
    }
}

impl Add for RoleUsage {
    type Output = Self;
    fn add(mut self, other: Self) -> Self {
        self += other;
        self
    }
}

/// The usage of a model by role.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct UsageByRole {
    by_role: BTreeMap<Role, RoleUsage>,
}

impl UsageByRole {
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
        self.by_role.values().fold(RoleUsage::default(), |total, usage| total + *usage)
    }

    pub(super) fn add(&mut self, role: Role, usage: RoleUsage) {
        *self.by_role.entry(role).or_default() += usage;
    }
}

impl AddAssign<&Self> for UsageByRole {
    fn add_assign(&mut self, other: &Self) {
        other.roles().for_each(|(role, usage)| self.add(role, *usage));
    }
}
