//! The usage of models by role: requests, tokens, cost.

use std::collections::BTreeMap;
use std::ops::{Add, AddAssign};

use serde::{Deserialize, Serialize};

use super::price::NanoUsd;
use super::{Role, Usage};

/// The usage of one role.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RoleUsage {
    /// Answered requests.
    pub requests: u64,
    /// Unanswered requests.
    pub failed: u64,
    /// Tokens.
    pub usage: Usage,
    /// The cost of the priced requests.
    pub cost: NanoUsd,
    /// Requests whose price is unknown; when not 0, `cost` is a lower bound.
    pub unpriced: u64,
}

impl RoleUsage {
    /// Returns the usage of one request, with its cost if it is known.
    pub(super) fn of(usage: Usage, cost: Option<NanoUsd>) -> Self {
        Self { usage, cost: cost.unwrap_or_default(), unpriced: u64::from(cost.is_none()), ..Self::default() }
    }

    /// Returns the cost, or `None` if some request's price is unknown.
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
    /// Returns the roles that made requests, with their usage.
    pub fn roles(&self) -> impl Iterator<Item = (Role, &RoleUsage)> {
        self.by_role.iter().map(|(role, usage)| (*role, usage))
    }

    /// Returns the usage of a role.
    pub fn of_role(&self, role: Role) -> RoleUsage {
        self.by_role.get(&role).copied().unwrap_or_default()
    }

    /// Returns the usage of all roles together.
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
