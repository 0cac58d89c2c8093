import Glibc

/// How many files and connections this process may have open.
enum DescriptorLimit {
  /// Kept free for files and for connections to elsewhere.
  private static let reserve = 128

  /// Returns how many of the wanted connections fit, after raising the limit as far as needed and allowed.
  ///
  /// Connections beyond that wait in the system's queue. If they were accepted, the process could run out of
  /// descriptors, and the library would try again and again to accept the next one, with all of a processor.
  static func connections(wanted: Int, atLeast least: Int) -> Int {
    var limit = rlimit()
    guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return wanted }
    let needed = rlim_t(wanted + reserve)
    if limit.rlim_cur < needed {
      var raised = rlimit(rlim_cur: min(needed, limit.rlim_max), rlim_max: limit.rlim_max)
      if unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &raised) == 0 { limit = raised }
    }
    let current = Int(clamping: limit.rlim_cur)
    return max(least, min(wanted, current - min(reserve, current / 2)))
  }
}
