import Glibc

/// Returns how many times as much processor time of this thread one piece of work takes as another.
///
/// Each is done three times, and the least counts. So a test can compare growth with the growth of its input, which a
/// busy machine slows down alike.
public func workRatio(of large: () throws -> Void, to small: () throws -> Void) rethrows -> Double {
  func least(_ work: () throws -> Void) rethrows -> Double {
    var times: [Double] = []
    for _ in 0..<3 {
      let begin = threadSeconds()
      try work()
      times.append(threadSeconds() - begin)
    }
    return times.min() ?? 0
  }
  let base = try least(small)
  return try least(large) / max(base, 1e-6)
}

private func threadSeconds() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}
