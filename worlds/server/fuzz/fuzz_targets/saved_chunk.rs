//! Any bytes of a region file or of a chunk's NBT are a chunk or refused with a reason.

#![no_main]

use libfuzzer_sys::fuzz_target;
use ltlcrit_server as server;

fuzz_target!(|bytes: &[u8]| {
    for is_region in [false, true] {
        if let Err(reason) = server::read_saved_chunk(bytes, is_region) {
            assert!(!reason.is_empty());
        }
    }
});
