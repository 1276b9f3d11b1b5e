//! The file of a session: a state that it keeps is that of all its lines.

use std::path::Path;

use ltlcrit_guard::letter::Letter;
use ltlcrit_guard::session::{Entry, Session};
use rand::{RngExt as _, SeedableRng};
use rand_pcg::Pcg64Mcg;

/// All that is known of a session.
fn known(path: &Path) -> (String, bool) {
    let session = Session::open(path).unwrap();
    let letters: Vec<&Letter> = session.word().iter().collect();
    let flying: Vec<_> = (0..2_000).filter_map(|id| session.in_flight(&id.to_string())).collect();
    let recent = session.word().within(5);
    let text = format!("{letters:?} {flying:?} {recent:?} {:?} {:?}", session.state.refused, session.state.told);
    (text, session.is_damaged())
}

/// A session of many lines that was opened anew often.
fn written(path: &Path) -> String {
    let mut random = Pcg64Mcg::seed_from_u64(4);
    let mut session = Session::open(path).unwrap();
    session.append(vec![Entry::Root("/p".into())]).unwrap();
    for at in 0..2_000 {
        let letter = |surely| Letter {
            action: "write".into(),
            objects: vec![format!("{}", at % 40)],
            surely,
            ..Letter::default()
        };
        let mut entries = vec![Entry::Now(1_000 + at as u64), Entry::Begins(at.to_string(), vec![letter(false)])];
        // Some calls never end, and some end late.
        let ends = at - random.random_range(0..=at.min(3));
        entries.push(Entry::Ends(ends.to_string(), vec![letter(true)]));
        if random.random_bool(0.1) {
            entries.push(Entry::Refused {
                decision: "ask".into(),
                laws: Vec::new(),
                why: format!("no {at}\n{{\"kept\":["),
            });
            entries.push(Entry::Told(at, vec!["law".into()]));
        }
        session.append(entries).unwrap();
        if at % 100 == 0 {
            drop(session);
            session = Session::open(path).unwrap();
        }
    }
    std::fs::read_to_string(path).unwrap()
}

#[test]
fn a_kept_state_is_that_of_all_lines_and_counts_only_where_it_fits() {
    let folder = tempfile::tempdir().unwrap();
    let (path, other) = (folder.path().join("a.jsonl"), folder.path().join("b.jsonl"));
    let text = written(&path);
    let is_kept = |line: &&str| line.starts_with("{\"kept\":[");
    assert!(text.lines().filter(is_kept).count() > 3);
    let plain: String = text.lines().filter(|line| !is_kept(line)).map(|line| format!("{line}\n")).collect();
    std::fs::write(&other, &plain).unwrap();
    let all = known(&other);
    assert_eq!(known(&path), all);
    let last = text.rfind("{\"kept\":[").unwrap();
    let (line, end) = text[last..].split_once('\n').unwrap();
    for kept in [
        // At another place, torn, with letters that are not there, and with calls that are not there.
        format!(" {line}"),
        line[..line.len() / 2].to_owned(),
        line.replacen("\"word\"", "\"none\"", 1),
        line.replace("\"numbers\":[0,", "\"numbers\":[9999,"),
        line.replacen("\"end\":", "\"end\":9", 1),
        line.replacen("{\"kept\":[", "{\"kept\":[1", 1),
    ] {
        std::fs::write(&other, format!("{}{kept}\n{end}", &text[..last])).unwrap();
        assert_eq!(known(&other).0, all.0, "{}", &kept[..60]);
    }
    // A line of a call that cannot be read is told, before a kept state and after it.
    std::fs::write(&other, format!("{plain}{{\"begins\":\n{line}\n")).unwrap();
    assert!(Session::open(&other).unwrap().is_damaged());
    let mut session = Session::open(&path).unwrap();
    session.append(vec![Entry::Mended(0)]).unwrap();
    assert!(!session.is_damaged());
}
