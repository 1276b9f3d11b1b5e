//! Memory and CPU time of this process on Linux.

use std::fs;

/// The units of CPU time per second in the kernel's report.
const UNITS_A_SECOND: f64 = 100.0;

/// Returns the peak of resident memory, in bytes; `None` if the system does not report it.
pub fn resident_bytes() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some(line.trim().strip_suffix(" kB")?.trim().parse::<u64>().ok()? * 1024)
}

/// Returns the CPU time, user and system, in seconds; `None` if the system does not report it.
pub fn cpu_seconds() -> Option<f64> {
    let stat = fs::read_to_string("/proc/self/stat").ok()?;
    // The name is in parentheses and may contain any character. After it, the times are the 12th and 13th field.
    let (_, rest) = stat.rsplit_once(')')?;
    let mut times = rest.split_whitespace().skip(11).map(|field| field.parse::<f64>().ok());
    Some((times.next()?? + times.next()??) / UNITS_A_SECOND)
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn is_told_on_linux() {
        let before = cpu_seconds().unwrap();
        let mut kept = vec![0u8; 32 << 20];
        let mut sum = 0u64;
        // A few hundredths of a second of work, in memory that is written to.
        while cpu_seconds().unwrap() < before + 0.03 {
            kept.iter_mut().step_by(4096).for_each(|byte| *byte = byte.wrapping_add(1));
            sum += u64::from(kept[4096]);
        }
        assert!(sum > 0 && resident_bytes().unwrap() > 32 << 20);
    }
}
