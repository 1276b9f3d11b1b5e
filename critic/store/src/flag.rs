//! Flags of records that are left out when they are false.

#[allow(clippy::trivially_copy_pass_by_ref, reason = "the signature that serde asks for")]
pub(crate) fn is_false(value: &bool) -> bool {
    !value
}
