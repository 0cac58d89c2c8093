import Values

/// Noon of 2026-11-21, UTC.
let noon = Instant(seconds: 1_795_262_400)
