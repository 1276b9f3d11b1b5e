//! What the client costs: measured figures, how to measure them again, and what they are worth.
//!
//! `cargo bench -p ltlcrit-tests --bench side_by_side` and `--bench ten_bots` print everything below. The figures here
//! were taken with `--profile dev` (this crate unoptimised, its dependencies little) on two cores that were five times
//! overbooked with other work: waiting for a core is in all of them. Trust memory, and the order of magnitude of the rest.
//!
//! # Side by side
//!
//! mineflayer and this client, one after the other, each in a process of its own and at the game's speed, on fresh loopback
//! servers of the compact terrain of one seed, do the same 42 actions, from the first log to the diamond. A primitive's
//! time is from asking for it to its verified effect; mineflayer verifies as its script asks it to. Wall time in
//! milliseconds, all actions of a kind together, in two rounds:
//!
//! | primitive | times | ours | mineflayer | ours, more load | mineflayer, more load |
//! | --- | --- | --- | --- | --- | --- |
//! | join | 1 | 720 | 2,266 | 6,782 | 1,499 |
//! | mine | 20 | 70,195 | 88,923 | 94,893 | 92,290 |
//! | craft, walking to the table included | 12 | 4,585 | 15,276 | 10,575 | 27,266 |
//! | place | 3 | 101 | 2,964 | 905 | 2,860 |
//! | equip | 3 | 99 | under 2 | 201 | 1.4 |
//! | smelt | 3 | 29,984 | 31,162 | 47,815 | 30,594 |
//! | explore | 1 | 112,003 | 28,314 | 0.4 | 29,053 |
//! | in all | 42 | 217,729 | 169,461 | 161,243 | 184,950 |
//!
//! Where it is slower:
//!
//! * *Equipping* waited for a tick in the first round and does not any more; what is left is the wait for a lock, or for a
//!   core. mineflayer tells the server and takes it as done.
//! * *Exploring* in the first round was for a diamond that shows; mineflayer sees through rock and walks to one. In the
//!   second both saw every loaded block: exploring and mining the diamond took 25,801 here, 36,611 there. In the second
//!   round ways were dug with the best pickaxe; as it is, with the cheapest that is carried, to spare the others.
//! * *Smelting* takes what the server takes, 200 of its ticks. The server of the second round had no core for its ticks
//!   while ours smelted; so had the client for joining.
//!
//! | | ours | mineflayer |
//! | --- | --- | --- |
//! | resident at most | 31 MB | 147 to 165 MB |
//! | CPU time, first round | 20.3 s | 6.4 s |
//! | CPU time, second round | 6.9 s | 6.9 s |
//!
//! # Ten at once
//!
//! Ten bots in one engine, by the planner's policy, 40 blocks apart on natural terrain, for 120 seconds at the game's
//! speed: 310 actions (13 to 37 a bot), none failed, no deaths, no connection lost; the one that had come no farther for
//! longest had for 7 seconds. 53 MB resident at most and 22.8 s of CPU time for all ten, 19% of a core.
