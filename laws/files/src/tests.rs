//! Foreign files do not block, and outputs replace nothing by mistake.

use std::io::Write as _;

use super::*;

fn names(directory: &Path) -> Vec<String> {
    let name = |entry: io::Result<fs::DirEntry>| entry.unwrap().file_name().into_string().unwrap();
    directory.read_dir().unwrap().map(name).collect()
}

#[test]
fn files_that_are_not_regular_are_refused_unread() {
    let directory = tempfile::tempdir().unwrap();
    let refused = |path: &Path| read(path, 10).unwrap_err().to_string();
    assert_eq!(refused(directory.path()), "it is a directory, not a regular file");
    assert_eq!(refused(&directory.path().join("none")), "there is no such file");
    assert!(append(directory.path()).is_err() && replace(directory.path(), b"").is_err());
    #[cfg(unix)]
    {
        assert_eq!(refused(Path::new("/dev/zero")), "it is a device, not a regular file");
        // An ordinary open would block until there is a writer.
        let pipe = directory.path().join("pipe");
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        assert_eq!(refused(&pipe), "it is a pipe, not a regular file");
        assert_eq!(open_unchecked(&pipe, 10).unwrap_err().to_string(), "it is a pipe, not a regular file");
        assert_eq!(append(&pipe).unwrap_err().to_string(), "it is a pipe, not a regular file");
        let link = directory.path().join("link");
        std::os::unix::fs::symlink(&pipe, &link).unwrap();
        assert_eq!(refused(&link), "it is a pipe, not a regular file");
        let socket = directory.path().join("socket");
        let _listener = std::os::unix::net::UnixListener::bind(&socket).unwrap();
        assert_eq!(refused(&socket), "it is a socket, not a regular file");
    }
}

#[test]
fn a_file_is_read_up_to_its_bound() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("file");
    fs::write(&path, "0123456789").unwrap();
    assert_eq!(read_text(&path, 10).unwrap(), "0123456789");
    assert_eq!(read(&path, 9).unwrap_err().to_string(), "it is longer than 9 bytes");
    fs::write(&path, b"ab\n\xff").unwrap();
    assert_eq!(read_text(&path, 10).unwrap_err().to_string(), "it is not UTF-8 text: byte 3, on line 2");
}

#[cfg(unix)]
#[test]
fn nothing_is_written_through_a_link() {
    let directory = tempfile::tempdir().unwrap();
    let (victim, link) = (directory.path().join("victim"), directory.path().join("link"));
    fs::write(&victim, "precious").unwrap();
    std::os::unix::fs::symlink(&victim, &link).unwrap();
    assert!(matches!(append(&link), Err(FileError::Link)));
    assert!(matches!(Output::create(&link), Err(FileError::Link)));
    assert!(replace(&link, b"").is_err() && copy(&victim, &link, 10).is_err());
    assert_eq!(fs::read_to_string(&victim).unwrap(), "precious");
    // A dangling link does not create a file.
    fs::remove_file(&victim).unwrap();
    assert!(append(&link).is_err() && Output::create(&link).is_err() && !victim.exists());
}

#[test]
fn an_output_is_written_whole_or_not_at_all() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("export.jsonl");
    let begin = |text: &str| {
        let mut file = Output::create(&path).unwrap();
        file.write_all(text.as_bytes()).unwrap();
        file
    };
    // The output is abandoned, as on a full disk.
    drop(begin("half"));
    assert!(names(directory.path()).is_empty());
    begin("whole").finish().unwrap();
    drop(begin("half"));
    assert_eq!((fs::read_to_string(&path).unwrap(), names(directory.path()).len()), ("whole".to_owned(), 1));
    assert!(Output::create(&directory.path().join("none/export.jsonl")).is_err());
}

#[cfg(unix)]
#[test]
fn an_output_never_replaces_an_input_whatever_its_name() {
    let directory = tempfile::tempdir().unwrap();
    let (input, hard) = (directory.path().join("input"), directory.path().join("hard"));
    fs::write(&input, "precious").unwrap();
    fs::hard_link(&input, &hard).unwrap();
    let early = Output::create(&hard).unwrap();
    read(&input, 10).unwrap();
    for name in [&input, &hard, &directory.path().join("../").join(directory.path().file_name().unwrap()).join("input")]
    {
        assert!(matches!(Output::create(name), Err(FileError::Input)), "{}", name.display());
    }
    assert!(early.finish().is_err());
    assert_eq!(fs::read_to_string(&hard).unwrap(), "precious");
    // The program may change its own files, and a new file under the old name is a different file.
    replace(&input, b"new").unwrap();
    Output::create(&input).unwrap().finish().unwrap();
}

#[cfg(unix)]
#[test]
fn a_pipe_is_written_directly_if_somebody_reads_it() {
    let directory = tempfile::tempdir().unwrap();
    let pipe = directory.path().join("pipe");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    // An ordinary open would block until there is a reader.
    assert!(matches!(Output::create(&pipe), Err(FileError::NoReader)));
    let mut reader = OpenOptions::new().read(true).write(true).open(&pipe).unwrap();
    let mut output = Output::create(&pipe).unwrap();
    output.write_all(b"lines").unwrap();
    output.finish().unwrap();
    let mut read = [0; 5];
    reader.read_exact(&mut read).unwrap();
    assert_eq!(&read, b"lines");
}

#[cfg(unix)]
#[test]
fn new_files_have_their_modes_and_old_ones_keep_theirs() {
    use std::os::unix::fs::PermissionsExt as _;
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("export.jsonl");
    let mode = || fs::metadata(&path).unwrap().permissions().mode() & 0o777;
    Output::create(&path).unwrap().finish().unwrap();
    assert_eq!(mode(), 0o600);
    fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
    Output::create(&path).unwrap().finish().unwrap();
    replace(&path, b"").unwrap();
    assert_eq!(mode(), 0o640);
    fs::remove_file(&path).unwrap();
    append(&path).unwrap().write_all(b"kept").unwrap();
    append(&path).unwrap().write_all(b"!").unwrap();
    assert_eq!((mode(), fs::read_to_string(&path).unwrap()), (0o600, "kept!".to_owned()));
}
