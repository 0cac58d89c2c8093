import Estimates
import Foundation

/// The reference figures of `Vectors/golden.json`.
struct Golden: Decodable {
  struct EmpiricalBayes: Decodable {
    struct Tree: Decodable {
      let h: Int
      let q: [Double]
      let A: Double
      let al: Double
      let ah: Double
    }
    let N: [[Double]]
    let nulls: [Double]
    let rep: [Double]
    let within_sd: [Double]
    let pi: [Double]
    let dm_alpha: Double
    let dm_loglik: [String: Double]
    let dm_est: [Double]
    let tree: Tree
    let tree_theta: [[Double]]
    let tree_est: [Double]
  }
  struct Days: Decodable {
    let y_sum: Double
    let lam: [Double]
  }
  let eb: EmpiricalBayes
  let rl: Days

  static func read() throws -> Self {
    let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Vectors/golden.json")
    return try JSONDecoder().decode(Self.self, from: Data(contentsOf: file))
  }
}

extension Golden.EmpiricalBayes {
  func set() throws -> CampaignSet {
    try CampaignSet(
      campaigns: zip(N, nulls).enumerated().map {
        RevealedCounts(name: "campaign \($0)", revealed: $1.0, nulls: $1.1)
      },
      worth: CodeWorth(
        buckets: zip(rep, within_sd).map {
          BucketWorth(mean: $0, spread: $1, low: $0 / 2, high: $0 * 2, users: 100)
        }))
  }
}

/// Whether two lists are the same up to a relative error.
func agree(_ got: [Double], _ expected: [Double], within error: Double) -> Bool {
  got.count == expected.count
    && zip(got, expected).allSatisfy { abs($0 - $1) <= error * max(1, abs($1)) }
}
