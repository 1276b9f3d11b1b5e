use ltlcrit_minecraft::activity::{PlayerActivity, describe};
use ltlcrit_minecraft::observation::BlockPos;
use tokio::time::Instant;

use super::*;

/// The line at these widths, each between bars so that its end shows.
fn at_widths(live: &Live) -> String {
    let shown = |width: usize| {
        let line = live.text(width);
        assert!(measure_text_width(&line) <= width, "{width}: {line}");
        format!("{width:>3} |{line}|")
    };
    [40, 60, 80, 120].map(shown).join("\n")
}

fn run() -> Live {
    let next = Some("iron pickaxe".to_owned());
    Live { limit: 200, next, blocked: 3, tokens: 52_406, cost: Some(NanoUsd(12_300_000)), ..Live::default() }
}

/// A player that digs a staircase, a step every 15 seconds.
fn digging() -> Live {
    let mut live = run();
    live.begin(12, "mine iron ore".to_owned());
    for second in 1..=74 {
        let (x, y) = (120 + second / 15, 35 - second / 15);
        let doing = Some(PlayerActivity::DiggingDown);
        let shown = describe(doing, None, Some(BlockPos::new(x, y, -4)));
        live.act(Duration::from_secs(second as u64), shown);
    }
    live
}

#[test]
fn an_action_in_flight() {
    insta::assert_snapshot!(at_widths(&digging()));
}

#[test]
fn an_action_that_has_shown_nothing_yet() {
    let mut live = digging();
    live.begin(13, "craft stone pickaxe".to_owned());
    insta::assert_snapshot!(at_widths(&live));
}

#[test]
fn a_lost_connection() {
    let mut live = digging();
    let doing = Some(PlayerActivity::Reconnecting { attempt: 2, of: 8 });
    live.act(Duration::from_secs(75), describe(doing, None, None));
    insta::assert_snapshot!(at_widths(&live));
}

#[tokio::test(start_paused = true)]
async fn a_model_that_is_waited_for() {
    let mut live = digging();
    live.begin(13, "thinking, attempt 2".to_owned());
    live.think(Duration::from_secs(7), None);
    let thinking = at_widths(&live);
    let until = Instant::now() + Duration::from_secs(20);
    let why =
        "HTTP status 429: \u{1b}[2Jslow down\nplease, as 速度制限 is what this endpoint has for everybody".to_owned();
    tokio::time::advance(Duration::from_millis(7500)).await;
    live.think(Duration::from_secs(15), Some(&Wait::Retry { attempt: 2, of: 5, until, why }));
    let retry = at_widths(&live);
    live.think(Duration::from_secs(15), Some(&Wait::RateLimit { until }));
    let pace = at_widths(&live);
    live.think(Duration::from_secs(28), None);
    assert_eq!(live.doing, None);
    insta::assert_snapshot!([thinking, retry, pace].join("\n\n"));
}

/// Wide characters take two columns.
#[test]
fn names_of_any_script() {
    let mut live = run();
    live.begin(1_000, "採掘する鉄鉱石を採掘する鉄鉱石を採掘する鉄鉱石を".to_owned());
    insta::assert_snapshot!(at_widths(&live));
}

#[test]
fn speed_is_the_way_of_the_last_minute() {
    let at = |second| Duration::from_secs(second);
    let mut speed = Speed::default();
    assert_eq!(speed.blocks_a_minute(), None);
    speed.pass(at(0), [0, 64, 0]);
    speed.pass(at(4), [8, 64, 0]);
    assert_eq!(speed.blocks_a_minute(), None, "too soon");
    speed.pass(at(6), [8, 64, 0]);
    assert_eq!(speed.blocks_a_minute(), Some(80));
    // A step down a staircase is one block.
    (7..=66).for_each(|second| speed.pass(at(second), [8 - second as i32 / 60, 64 - second as i32 / 60, 0]));
    assert_eq!(speed.blocks_a_minute(), Some(1));
}

#[test]
fn times() {
    assert_eq!(
        [0, 14, 75, 3600, 36_061].map(|it| clock(Duration::from_secs(it))),
        ["0:00", "0:14", "1:15", "1:00:00", "10:01:01"]
    );
}
