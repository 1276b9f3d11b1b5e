//! Trajectory constraints of PDDL3: conditions on the states of a plan.

use strum::VariantNames as _;

use crate::error::SyntaxError;
use crate::formula::Formula;
use crate::instantiate::{Instantiation, TooLarge};
use crate::list::list;
use crate::model::{Constraint, Trajectory, Typed};
use crate::read_condition::{both, only, unsupported};
use crate::scope::Scope;
use crate::task::Task;
use crate::tree::Node;
use crate::write::Writer;

/// Maximum number of ground constraints of a task.
const MAX_CONSTRAINTS: usize = 1_000;

/// A constraint with objects for its variables.
#[derive(Clone, Debug)]
pub(crate) struct GroundConstraint {
    pub trajectory: Trajectory,
    pub condition: Formula,
    /// The second condition of constraints with two.
    pub other: Formula,
    pub text: String,
}

impl GroundConstraint {
    /// Returns the constraint with other conditions.
    pub fn map(self, mut change: impl FnMut(&Formula) -> Formula) -> Self {
        Self { condition: change(&self.condition), other: change(&self.other), ..self }
    }
}

/// Parses the contents of `:constraints`.
pub(crate) fn read(nodes: &[Node<'_>], scope: &mut Scope<'_>) -> Result<Vec<Constraint>, SyntaxError> {
    let mut constraints = Vec::new();
    nodes.iter().try_for_each(|node| read_one(node, scope, &mut Vec::new(), &mut constraints))?;
    Ok(constraints)
}

fn read_one(
    node: &Node<'_>,
    scope: &mut Scope<'_>,
    variables: &mut Vec<Typed>,
    into: &mut Vec<Constraint>,
) -> Result<(), SyntaxError> {
    let Some((head, rest)) = node.headed() else {
        return Err(node.error(format!("found {}", node.shown()), "write a constraint such as `(always (p))`"));
    };
    if head == "and" {
        return rest.iter().try_for_each(|node| read_one(node, scope, variables, into));
    }
    if head == "forall" {
        let (own, body) = scope.quantified(node, rest)?;
        let before = variables.len();
        variables.extend_from_slice(&own);
        let read = scope.with(&own, node, |scope| read_one(body, scope, variables, into));
        variables.truncate(before);
        return read;
    }
    let Ok(trajectory) = head.parse::<Trajectory>() else {
        return Err(match head.as_str() {
            "preference" => unsupported(node, "A preference may be broken; write what must hold as a constraint"),
            "within" | "hold-during" | "hold-after" | "always-within" => {
                unsupported(node, "A plan has no clock; write `sometime`, `sometime-before` or `sometime-after`")
            }
            "at" => unsupported(node, "Write what holds at the end into `:goal`"),
            _ => {
                let names = Trajectory::VARIANTS.join(", ");
                node.error(format!("there is no constraint {}", node.shown()), format!("write one of {names}"))
            }
        });
    };
    let (condition, other) = match trajectory {
        Trajectory::SometimeAfter | Trajectory::SometimeBefore => {
            let (condition, other) = both(node, rest)?;
            (scope.condition(condition)?, Some(scope.condition(other)?))
        }
        _ => (scope.condition(only(node, rest)?)?, None),
    };
    into.push(Constraint { variables: variables.clone(), trajectory, condition, other });
    Ok(())
}

/// Returns the constraints of a task for all objects.
pub(crate) fn ground(made: &mut Instantiation<'_>, task: &Task) -> Result<Vec<GroundConstraint>, TooLarge> {
    let problem = task.basic.clone();
    let mut all = Vec::new();
    for Constraint { variables, trajectory, condition, other } in problem.constraints() {
        made.each(variables, &mut Vec::new(), &mut |made, binding| {
            let names: Vec<&str> = binding.iter().map(|object| &*problem.objects[object.0 as usize].name).collect();
            let conditions = std::iter::once(condition).chain(other);
            let texts = conditions.map(|condition| Writer::of(&problem).condition(condition, &names));
            if all.len() == MAX_CONSTRAINTS {
                let found = MAX_CONSTRAINTS + 1;
                return Err(TooLarge { found, what: "constraints", most: MAX_CONSTRAINTS });
            }
            all.push(GroundConstraint {
                trajectory: *trajectory,
                condition: made.condition(condition, true, binding)?,
                other: other.as_ref().map_or(Ok(Formula::TRUE), |other| made.condition(other, true, binding))?,
                text: list(trajectory.into(), texts),
            });
            Ok(())
        })?;
    }
    Ok(all)
}
