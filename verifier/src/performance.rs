//! What decisions cost: measured figures, how to measure them again, and where the limits are.
//!
//! `cargo bench -p ltlcrit-verifier --bench steps` and `--bench joint` print everything below; laws, generators and seeds
//! are under `benches/`. The machine was one of two busy cores of a shared virtual server (Intel Xeon), on which the same
//! code ran up to two and a half times slower in one run than in another. Trust the ratios, taken in one run, and the
//! orders of magnitude.
//!
//! # Steps
//!
//! A step reads a letter and computes the allowed actions. *Naive* is [`semantics`](crate::semantics), law by law, for
//! every action, on a word of two letters (`steps`) or nine (`joint`); with 10,000 laws it stops at the first broken one.
//!
//! | laws | step | judgement after it | loading | naive, times the step |
//! | --- | --- | --- | --- | --- |
//! | LTLCrit's 54 | 78 ns | 2.4 ns | 0.19 ms | 530 (two letters), 1,480 (nine) |
//! | Safety Chip's ten, a step seen before | 21 ns | | 0.2 ms | 690 (nine letters) |
//! | 10,000 random `G(phi_s -> X phi_a)`, 2 to 4 literals | 0.27 us | | 89 ms | 3,600 (two letters) |
//! | 10,000 of them, 7 to 9 literals, so that actions are left | 3.1 us | | | |
//!
//! Figures are medians. Steps and judgements do not allocate; `tests/shield.rs` counts. An over-constrained state, where
//! the 54 laws leave no action and a minimal conflict has to be named, takes 1.9 us and allocates the conflict.
//!
//! # Joint decisions
//!
//! Twenty places, laws drawn with seeds 1 to 40, walks of 2,000 steps by uniformly chosen allowed actions from outside all
//! places; when no action is left a new run begins. *New* is a step to a joint state that no cache knows, exploring the
//! laws' automata included; *cached* any other. Without a model (`free`) the walk moves through the same places.
//!
//! | workload | ready | new: median | p99 | cached | unknown actions |
//! | --- | --- | --- | --- | --- | --- |
//! | Safety Chip's ten, random observations | 0.20 ms | 1.0 us | 3.5 us | 0.33 us | 0 |
//! | tied, 10 laws | 0.16 ms | 1.3 us | 39 us | 0.08 us | 0 |
//! | tied, 20 laws | 0.21 ms | 2.3 us | 36 us | 0.08 us | 1 |
//! | tied, 50 laws | 0.42 ms | 2.8 us | 860 us | 0.08 us | 30 |
//! | tied, 100 laws | 0.65 ms | 8.3 us | 9.5 ms | 0.10 us | 0 |
//! | tied, 20 laws, 15% of them goals | 0.23 ms | 2.3 us | 31 us | 0.08 us | 12 |
//! | free, 50 laws | 0.40 ms | 1.2 us | 155 us | 0.36 us | 0 |
//!
//! New joint states of `tied` with 100 laws are so few that their 99th percentile is their maximum. *Cached* includes
//! known joint states met by a new letter, which read every law; the same step again takes the 21 ns above. After 200,000
//! steps automata, tables and caches hold 7 to 10 MiB. They are allocated once and emptied when full.
//!
//! # Limits
//!
//! Whether laws are jointly satisfiable is PSPACE-hard, and every decision stops at
//! [`ShieldOptions::work`](crate::ShieldOptions): what is undecided then is *unknown*, does not run, and is counted. On the
//! workloads above that is 30 actions in 80,000 steps of `tied` with 50 laws and none of `free`, in the rare states where
//! several laws that owe something get in each other's way; these states are also the tail of the times.
//!
//! In `free` one new joint state in sixteen needs the solver, 70 us in the median; the others are settled by a plan or a
//! proof of doom seen before. The worst decision took 3.5 to 5 ms in the quietest runs, and up to 90 ms of clock time while
//! the machine was compiling.
