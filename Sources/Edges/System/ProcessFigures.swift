import Glibc
import Values

/// What the system reports about this process; nil where it does not.
///
/// Source: proc(5).
public enum ProcessFigures {
  public static var residentBytes: Int? {
    let fields = words("/proc/self/statm")
    return fields.count > 1 ? Int(fields[1]).map { $0 * sysconf(Int32(_SC_PAGESIZE)) } : nil
  }

  /// Open files and sockets, without the one that counts them.
  public static var openFiles: Int? { entries("/proc/self/fd").map { $0 - 1 } }

  private static func entries(_ folder: String) -> Int? {
    guard let stream = unsafe opendir(folder) else { return nil }
    defer { unsafe closedir(stream) }
    var count = 0
    while unsafe readdir(stream) != nil { count += 1 }
    // The folder itself and its parent.
    return count - 2
  }

  /// Seconds since the process began, with a precision of hundredths.
  public static var ageSeconds: Double? {
    // The name of the program is in brackets and may hold spaces; the 22nd field is the 20th behind it.
    let text = words("/proc/self/stat").drop { !$0.hasSuffix(")") }
    guard text.count > 20, let ticks = Double(text[text.startIndex + 20]) else { return nil }
    var now = timespec()
    unsafe clock_gettime(CLOCK_BOOTTIME, &now)
    return Double(now.tv_sec) + Double(now.tv_nsec) / 1e9 - ticks / Double(sysconf(Int32(_SC_CLK_TCK)))
  }

  /// Unix seconds at which the process began, to hundredths.
  ///
  /// Every look has the first one's answer, because what watches the figure takes a change for a restart.
  public static let startSeconds: Double? = ageSeconds.map { age in
    ((Double(systemClock().milliseconds) / 1000 - age) * 100).rounded() / 100
  }

  private static func words(_ path: String) -> [Substring] {
    guard let bytes = try? FileReader.contents(of: path, limit: 1 << 16) else { return [] }
    return String(decoding: bytes, as: UTF8.self).split(separator: " ")
  }
}

/// Bytes of a file, or nil where there is none.
public func fileBytes(_ path: String) -> Int? {
  var status = stat()
  return unsafe stat(path, &status) == 0 ? Int(status.st_size) : nil
}
