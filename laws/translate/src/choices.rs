//! Choices of one element from each of several lists.

/// Returns the choices of one element from each list: all of them, or `most`.
pub(crate) fn choices<T: Clone>(lists: impl IntoIterator<Item = Vec<T>>, most: usize) -> Vec<Vec<T>> {
    lists.into_iter().fold(vec![Vec::new()], |all, list| {
        let longer = |before: &Vec<T>| {
            list.iter().map(|one| [before.as_slice(), std::slice::from_ref(one)].concat()).collect::<Vec<_>>()
        };
        all.iter().flat_map(longer).take(most).collect()
    })
}
