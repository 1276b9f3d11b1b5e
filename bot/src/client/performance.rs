//! What the client costs: measured figures, how to measure them again, and what they are worth.
//!
//! `cargo bench -p ltlcrit-tests --bench side_by_side` and `--bench ten_bots` print everything below. The figures here
//! were taken with `--profile dev` (this crate unoptimised, its dependencies little) on two cores.
//!
//! # Side by side
//!
//! mineflayer and this client, one after the other, each in a process of its own and at the game's speed, on fresh loopback
//! servers of the compact terrain of one seed, do the same 42 actions, from the first log to the diamond. A primitive's
//! time is from asking for it to its verified effect; mineflayer verifies as its script asks it to. Wall time in
//! milliseconds, all actions of a kind together, one round on an idle machine:
//!
//! | primitive | times | ours | mineflayer | ours / mineflayer |
//! | --- | --- | --- | --- | --- |
//! | join | 1 | 214 | 400 | 0.53 |
//! | mine log | 4 | 14,086 | 18,437 | 0.76 |
//! | mine stone | 11 | 17,840 | 26,236 | 0.68 |
//! | mine coal | 1 | 16,198 | 8,345 | 1.94 |
//! | mine iron ore | 3 | 32,650 | 28,961 | 1.13 |
//! | explore for diamonds, and mine one | 2 | 51,299 | 30,545 | 1.68 |
//! | craft, walking to the table included | 12 | 4,577 | 14,845 | 0.31 |
//! | place | 3 | 135 | 2,888 | 0.05 |
//! | equip | 3 | 2.0 | 0.6 | 3.27 |
//! | smelt | 3 | 30,002 | 29,988 | 1.00 |
//! | in all | 42 | 167,004 | 160,773 | 1.04 |
//!
//! Where it is slower:
//!
//! * *Ores*: ways through rock are dug with the cheapest pickaxe that is carried, to spare the others; mineflayer digs with
//!   the best.
//! * *Equipping* waits for a lock, a fraction of a millisecond.
//! * *Smelting* takes what the server takes, 200 of its ticks, in both.
//!
//! Both saw every loaded block. The client was resident with 30 MB at most, mineflayer with 153 MB; they took 10.7 s and
//! 5.4 s of CPU time.
//!
//! # Ten at once
//!
//! Ten bots in one engine, by the planner's policy, 40 blocks apart on natural terrain, for 120 seconds at the game's
//! speed: 310 actions (13 to 37 a bot), none failed, no deaths, no connection lost; the one that had come no farther for
//! longest had for 7 seconds. 53 MB resident at most and 22.8 s of CPU time for all ten, 19% of a core.
