import Glibc
public import Values

/// Reports what time it is; tests hand in their own.
public typealias WallClock = @Sendable () -> Instant

/// The machine's clock, in UTC.
public let systemClock: WallClock = {
  var time = timespec()
  // CLOCK_REALTIME exists on every Linux, so the call cannot fail; see clock_gettime(2).
  unsafe clock_gettime(CLOCK_REALTIME, &time)
  return Instant(milliseconds: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000)
}
