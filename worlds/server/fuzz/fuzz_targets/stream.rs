//! Any bytes of a playing client are packets or refused with a reason, and nothing is read twice.

#![no_main]

use libfuzzer_sys::fuzz_target;
use ltlcrit_server as server;

fuzz_target!(|bytes: &[u8]| {
    match server::understand(bytes) {
        // A frame takes two bytes at least.
        Ok(packets) => assert!(packets <= bytes.len() / 2),
        Err(reason) => assert!(!reason.is_empty()),
    }
});
