//! Benchmarks: begins runs in stores of growing size, and writes whole episodes from several threads.
//!
//! `cargo bench -p ltlcrit-store`

#![allow(clippy::unwrap_used)]

#[path = "../tests/it/common.rs"]
mod common;

use common::{manifest, stored_run};
use divan::Bencher;
use ltlcrit_store::Store;

fn main() {
    divan::main();
}

/// Begins one run in a store of `runs` runs.
#[divan::bench(args = [10, 1_000, 10_000], sample_count = 100, sample_size = 1)]
fn begin(bencher: Bencher<'_, '_>, runs: u64) {
    let directory = tempfile::tempdir().unwrap();
    let store = Store::open(directory.path()).unwrap();
    for _ in 0..runs {
        store.begin(&mut manifest()).unwrap();
    }
    bencher.with_inputs(manifest).bench_values(|mut manifest| store.begin(&mut manifest).unwrap());
}

/// Writes one episode of 100 steps; only its end is made durable.
#[divan::bench(threads = [1, 2, 4], sample_count = 40, sample_size = 1)]
fn episode(bencher: Bencher<'_, '_>) {
    let directory = tempfile::tempdir().unwrap();
    let store = Store::open(directory.path()).unwrap();
    bencher.bench(|| stored_run(&store, 100));
}
