//! Runs work on several threads and takes the results in order.

use std::collections::BTreeMap;
use std::panic::{self, AssertUnwindSafe};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError, mpsc};
use std::thread;

/// The maximum number of items per thread that are under way or finished before the first of them is taken.
const AHEAD: usize = 4;

/// Calls `work` for each item on up to `threads` threads, and `take` with the results, in the items' order, on this
/// thread. After an error of `take`, no further item is begun, and later results are dropped. If `work` is a function
/// of its item, the calls of `take` do not depend on the number of threads. A panic of `work` is passed on.
///
/// # Errors
/// The error of `take`.
pub fn in_order<T: Sync, R: Send, E>(
    threads: usize,
    items: &[T],
    work: impl Fn(&T) -> R + Sync,
    mut take: impl FnMut(&T, R) -> Result<(), E>,
) -> Result<(), E> {
    let threads = threads.clamp(1, items.len().max(1));
    let ahead = threads * AHEAD;
    let stopped = AtomicBool::new(false);
    let (begin, begun) = mpsc::channel::<usize>();
    let begun = Mutex::new(begun);
    let (end, ended) = mpsc::channel();
    let next = || begun.lock().unwrap_or_else(PoisonError::into_inner).recv().ok();
    let worker = |end: mpsc::Sender<_>| {
        while let Some(index) = next().filter(|_| !stopped.load(Ordering::Relaxed)) {
            let result = panic::catch_unwind(AssertUnwindSafe(|| work(&items[index])));
            // Nobody listens after an error.
            let _ = end.send((index, result));
        }
    };
    thread::scope(|scope| {
        let begin = begin;
        for _ in 0..threads {
            let (worker, end) = (&worker, end.clone());
            scope.spawn(move || worker(end));
        }
        (0..items.len().min(ahead)).for_each(|index| {
            let _ = begin.send(index);
        });
        let mut done = BTreeMap::new();
        for (index, item) in items.iter().enumerate() {
            let result = loop {
                match done.remove(&index) {
                    Some(result) => break result,
                    None => done.extend(ended.recv()),
                }
            };
            if index + ahead < items.len() {
                let _ = begin.send(index + ahead);
            }
            let taken = match result {
                Ok(result) => take(item, result),
                Err(panic) => {
                    stopped.store(true, Ordering::Relaxed);
                    panic::resume_unwind(panic)
                }
            };
            if taken.is_err() {
                stopped.store(true, Ordering::Relaxed);
                return taken;
            }
        }
        Ok(())
    })
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    #[test]
    fn results_come_in_order_and_not_too_many_wait() {
        let items: Vec<usize> = (0..200).collect();
        let (begun, taken) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let mut seen = Vec::new();
        let work = |item: &usize| {
            let before = taken.load(Ordering::SeqCst);
            assert!(begun.fetch_add(1, Ordering::SeqCst) <= before + 4 * AHEAD);
            item * item
        };
        let taking = |item: &usize, square: usize| {
            taken.fetch_add(1, Ordering::SeqCst);
            assert_eq!(square, item * item);
            seen.push(*item);
            Ok::<_, ()>(())
        };
        in_order(4, &items, work, taking).unwrap();
        assert_eq!(seen, items);
    }

    #[test]
    fn nothing_is_taken_after_an_error() {
        for threads in [1, 3] {
            let mut seen = Vec::new();
            let result = in_order(
                threads,
                &[0, 1, 2, 3, 4, 5],
                |item| *item,
                |item, _| {
                    seen.push(*item);
                    if *item == 2 { Err("two") } else { Ok(()) }
                },
            );
            assert_eq!((result, seen), (Err("two"), vec![0, 1, 2]));
        }
    }

    #[test]
    #[should_panic(expected = "assertion failed")]
    fn a_panic_is_passed_on() {
        let _ = in_order(2, &[1, 2, 3], |item| assert!(*item != 2), |_, ()| Ok::<_, ()>(()));
    }

    #[test]
    fn no_items_are_no_work() {
        let nothing: [u8; 0] = [];
        assert_eq!(in_order(8, &nothing, |_| (), |_, ()| Err("taken")), Ok(()));
    }
}
