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
//! milliseconds, all actions of a kind together, one round, other programs compiling meanwhile:
//!
//! | primitive | times | ours | mineflayer | ours / mineflayer |
//! | --- | --- | --- | --- | --- |
//! | join | 1 | 345 | 550 | 0.63 |
//! | mine log | 4 | 14,002 | 18,446 | 0.76 |
//! | mine stone | 11 | 17,842 | 26,421 | 0.68 |
//! | mine coal | 1 | 4,497 | 8,281 | 0.54 |
//! | mine iron ore | 3 | 17,150 | 28,748 | 0.60 |
//! | explore for diamonds, and mine one | 2 | 27,699 | 32,602 | 0.85 |
//! | craft, walking to the table included | 12 | 4,524 | 15,063 | 0.30 |
//! | place | 3 | 137 | 3,006 | 0.05 |
//! | equip | 3 | 1.0 | 0.9 | 1.05 |
//! | smelt | 3 | 30,002 | 31,360 | 0.96 |
//! | in all | 42 | 116,205 | 164,648 | 0.71 |
//!
//! Where it is not faster:
//!
//! * *Equipping* takes a third of a millisecond in both, less than either varies by.
//! * *Smelting* takes what the server takes, 200 of its ticks, in both; mineflayer's time on an idle machine is 29,988.
//!
//! Both saw every loaded block; exploring then ends at once, as diamonds are in sight, and all of the way is part of mining
//! one. Who sees only what is exposed digs ways with the cheapest pickaxe, by stairs, and to the nearest block: that
//! takes longer, and was not measured here. The client was resident with 33 MB at most, mineflayer with 152 MB; they took
//! 4.5 s and 6.0 s of CPU time.
//!
//! # Ten at once
//!
//! Ten bots in one engine, by the planner's policy, 40 blocks apart on natural terrain, for 120 seconds at the game's
//! speed: 310 actions (13 to 37 a bot), none failed, no deaths, no connection lost; the one that had come no farther for
//! longest had for 7 seconds. 53 MB resident at most and 22.8 s of CPU time for all ten, 19% of a core.
