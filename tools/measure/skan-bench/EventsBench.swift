import EventFiles
import System

/// Measures how long an events file takes to become cohorts, on one thread, unpacking included.
struct EventsBench {
  private static let rounds = 3
  let path: String
  /// Megabytes of memory for rows; `nil` for the reader's default.
  let budget: Int?

  func run() throws {
    var reader = PopulationReader()
    reader.mistakes = .skip
    reader.threads = 1
    if let budget { reader.budget = budget << 20 }
    for _ in 0..<Self.rounds {
      let start = wallMicroseconds()
      let startOfWork = processMicroseconds()
      let population = try reader.read(path: path)
      let seconds = (wallMicroseconds() - start) / 1e6
      let work = (processMicroseconds() - startOfWork) / 1e6
      print(
        """
        {"rows":\(population.rows),"users":\(population.users),"skipped":\(population.skipped.count),\
        "on_disk":\(population.isOnDisk),"seconds":\(hundredths(seconds)),"cpu":\(hundredths(work)),\
        "rows_per_second":\(Int(Double(population.rows) / seconds)),"peak_memory":\(hundredths(peakMegabytes()))}
        """)
    }
  }

  /// The most memory that the process ever had in use.
  private func peakMegabytes() -> Double {
    guard let text = try? String(decoding: FileReader.contents(of: "/proc/self/status"), as: UTF8.self),
      let line = text.split(separator: "\n").first(where: { $0.hasPrefix("VmHWM:") }),
      let kilobytes = line.split(separator: " ").dropFirst().first.flatMap({ Double($0) })
    else { return 0 }
    return kilobytes / 1024
  }
}
