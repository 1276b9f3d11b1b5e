//! Minimal subsets by deletion.

/// A minimal subset that still suffices, from a set that does.
///
/// `suffices` returns the part of a subset that is enough, in the same order, or `None` if the subset is not enough. It must
/// be monotone: a set suffices if one of its subsets does. Then no element of the result can be left out.
pub(crate) fn minimal_subset<T: Clone>(mut set: Vec<T>, mut suffices: impl FnMut(&[T]) -> Option<Vec<T>>) -> Vec<T> {
    let mut needed = 0;
    while needed < set.len() {
        let mut rest = set.clone();
        rest.remove(needed);
        match suffices(&rest) {
            Some(smaller) => set = smaller,
            None => needed += 1,
        }
    }
    set
}
