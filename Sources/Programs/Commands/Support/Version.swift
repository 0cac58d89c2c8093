package let skanVersion = "0.1.0"

/// The day of that version, as the manual pages print it.
let skanVersionDay = "2026-11-21"
