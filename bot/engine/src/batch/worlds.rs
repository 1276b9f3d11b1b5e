//! The worlds of a plan: their folders, and what tables call them.

use std::collections::BTreeMap;
use std::path::Path;

use crate::world::WorldName;

/// Takes relative folders of worlds from the folder of the plan, so that they mean the same in every directory.
pub(super) fn resolve(worlds: &mut [WorldName], plan: &Path) {
    let folder = std::path::absolute(plan).ok();
    let Some(folder) = folder.as_deref().and_then(Path::parent) else { return };
    for world in worlds {
        *world = world.within(folder);
    }
}

/// What tables call each world: its name, without the folders above a task's own where that is unambiguous.
pub(super) fn labels(worlds: &[WorldName]) -> Vec<String> {
    let short = |world: &WorldName| {
        let last = Path::new(world.argument()?).file_name()?.to_str()?;
        Some(format!("{}:{last}", world.spec().name))
    };
    let mut uses = BTreeMap::<String, usize>::new();
    for label in worlds.iter().filter_map(short) {
        *uses.entry(label).or_default() += 1;
    }
    let label = |world: &WorldName| short(world).filter(|label| uses.get(label) == Some(&1));
    worlds.iter().map(|world| label(world).unwrap_or_else(|| world.to_string())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_are_those_of_the_plan_and_labels_are_short_where_they_can_be() {
        let mut worlds: Vec<WorldName> =
            ["embedded", "pddl:tasks/a", "pddl:b", "pddl:/x/b"].map(|name| name.parse().unwrap()).to_vec();
        resolve(&mut worlds, Path::new("/plans/p.toml"));
        let names: Vec<String> = worlds.iter().map(ToString::to_string).collect();
        assert_eq!(names, ["embedded", "pddl:/plans/tasks/a", "pddl:/plans/b", "pddl:/x/b"]);
        assert_eq!(labels(&worlds), ["embedded", "pddl:a", "pddl:/plans/b", "pddl:/x/b"]);
    }
}
