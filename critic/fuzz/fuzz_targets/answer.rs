//! Any answer of a model is one JSON object or refused with a reason; what is cut keeps its bound.

#![no_main]

use libfuzzer_sys::fuzz_target;
use ltlcrit_model::answer;

fuzz_target!(|text: &str| {
    if let Err(unreadable) = answer::object(text) {
        assert!(!unreadable.to_string().is_empty());
    }
    let _ = ltlcrit_model::ChatReply::new(text, Default::default()).answer(None);
    let _ = answer::cut(text, 40);
    let _ = answer::nearest(text, ["action_mine_log", "action_stop"]);
});
