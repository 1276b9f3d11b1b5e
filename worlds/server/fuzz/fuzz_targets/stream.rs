//! Any bytes of a playing client are parsed as packets or refused with a reason, and no byte is read twice.

#![no_main]

use libfuzzer_sys::fuzz_target;
use ltlcrit_server as server;

fuzz_target!(|bytes: &[u8]| {
    match server::understand(bytes) {
        // A frame takes at least two bytes.
        Ok(packets) => assert!(packets <= bytes.len() / 2),
        Err(reason) => assert!(!reason.is_empty()),
    }
});
