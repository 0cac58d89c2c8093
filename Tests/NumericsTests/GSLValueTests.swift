import Foundation
import Numerics
import Testing
import Values

/// A row of `Vectors/gsl.csv`, whose first lines state where its values come from.
private struct GoldenValue: CustomTestStringConvertible {
  let function: String
  let argument: Double
  let parameters: [Double]
  /// What is right: GSL's value, but where GSL is off.
  let value: Double

  var testDescription: String { "\(function) of \(argument) with \(parameters) is \(value)" }

  static let all: [Self] = {
    let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Vectors/gsl.csv")
    guard let text = try? String(contentsOf: file, encoding: .utf8) else { return [] }
    return text.split(separator: "\n").filter { !$0.hasPrefix("#") }.map { line in
      let cells = line.split(separator: ",", omittingEmptySubsequences: false)
      let numbers = cells.dropFirst().compactMap { Double($0) }
      let count = cells.count - 4
      return Self(
        function: String(cells[0]), argument: numbers[0], parameters: Array(numbers[1...count]),
        value: numbers[numbers.count - 1])
    }
  }()
}

@Suite struct GSLValueTests {
  @Test func `Special functions have the values of GSL, and the right ones where GSL is off`() {
    let functions: [String: (GoldenValue) -> Double] = [
      "log-gamma": { logGamma($0.argument) },
      "chi-square-tail": { chiSquareTail($0.argument, freedom: $0.parameters[0]) },
      "normal-quantile": { normalQuantile($0.argument) },
      "student-tail": { studentTail($0.argument, freedom: $0.parameters[0]) },
    ]
    var seen: [String: Int] = [:]
    for golden in GoldenValue.all {
      guard let function = functions[golden.function] else { continue }
      seen[golden.function, default: 0] += 1
      let found = function(golden)
      guard found != golden.value else { continue }
      let error = (found - golden.value).magnitude / max(golden.value.magnitude, 1e-290)
      if !(error <= tolerance(golden)) { Issue.record("\(golden.testDescription), found \(found)") }
    }
    #expect(seen == ["log-gamma": 55, "chi-square-tail": 644, "normal-quantile": 67, "student-tail": 940])
  }

  /// How far a value may be off, as a share of it.
  private func tolerance(_ golden: GoldenValue) -> Double {
    switch golden.function {
    case "log-gamma": 4e-14
    case "normal-quantile": 1e-15
    // Next to its middle the t distribution of freedom 1 is taken for flat.
    case "student-tail": golden.argument.magnitude < 1e-9 ? 1e-10 : 1e-12
    // A tail of e^-600 at a thousand million is the difference of numbers that large.
    default: golden.parameters[0] < 1e6 ? 2e-12 : golden.value > 1e-20 ? 1e-11 : 1e-6
    }
  }

  @Test(arguments: ["normal", "exponential", "gamma", "poisson", "binomial", "hypergeometric"])
  func `Drawn numbers lie below each point as often as GSL's distribution functions have it`(law: String) {
    let draws = 20_000
    let rows = GoldenValue.all.filter { $0.function == law }
    #expect(rows.count > 5)
    var random = SplitMix64(seed: 52)
    for parameters in Set(rows.map(\.parameters)).sorted(by: { $0.lexicographicallyPrecedes($1) }) {
      let drawn = (0..<draws).map { _ in draw(law, parameters, &random) }
      for row in rows where row.parameters == parameters {
        let share = Double(drawn.count { $0 <= row.argument }) / Double(draws)
        let error = (row.value * (1 - row.value) / Double(draws)).squareRoot()
        #expect(
          (share - row.value).magnitude <= 4.5 * error + 1 / Double(draws),
          "\(row.testDescription), found \(share)")
      }
    }
  }

  private func draw(_ law: String, _ parameters: [Double], _ random: inout SplitMix64) -> Double {
    switch law {
    case "normal": random.normal()
    case "exponential": random.exponential()
    case "gamma": random.gamma(shape: parameters[0])
    case "poisson": Double(random.poisson(parameters[0]))
    case "binomial": Double(random.binomial(Int(parameters[0]), parameters[1]))
    default:
      Double(
        random.hypergeometric(
          marked: Int(parameters[0]), plain: Int(parameters[1]), taken: Int(parameters[2])))
    }
  }
}
