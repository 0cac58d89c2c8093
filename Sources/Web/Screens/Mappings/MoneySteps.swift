import Markup
import Pages
import Values

/// Amounts in up to seven steps, each with a shade of a map.
struct MoneySteps {
  /// The amounts at which steps begin, the second step first.
  private let edges: [Amount]

  /// The most edges: a map has eight shades, and one of them is for nothing.
  private static let most = 6
  private static let largest = Int64(1_000_000_000_000)

  /// Makes steps for amounts; edges are round numbers between the smallest and the largest above 0.
  init(_ amounts: [Amount]) {
    let known = amounts.filter { $0 > .zero }
    guard let least = known.min(), let greatest = known.max() else {
      edges = []
      return
    }
    var round: [Amount] = []
    var unit = Int64(10)
    while unit < Self.largest {
      round += [100, 150, 200, 300, 500, 700].map { Amount(micros: $0 * unit) }.filter {
        least < $0 && $0 <= greatest
      }
      unit *= 10
    }
    let count = min(Self.most, round.count)
    edges = (0..<count).map { round[round.count * $0 / count] }
  }

  /// The number of the shade: 0 for nothing, and up to 7.
  func step(of amount: Amount?) -> Int {
    guard let amount, amount > .zero else { return 0 }
    return shade(edges.count { $0 <= amount })
  }

  /// What each shade stands for.
  func key(_ currency: String, _ texts: Texts) -> HTML {
    func shown(_ amount: Amount) -> HTML { "\(Marks.money(amount, in: currency))" }
    let steps = edges.enumerated().map { place, edge -> HTML in
      "<li class=\"h\(shade(place))\">\(texts.mappingsBelow(amount: shown(edge)))</li>"
    }
    let last: HTML =
      edges.last.map {
        "<li class=\"h\(shade(edges.count))\">\(texts.mappingsAtLeast(amount: shown($0)))</li>"
      } ?? ""
    return "<ol class=\"heatkey\"><li class=\"h0\">\(texts.mappingsNoMoney)</li>\(steps.joined())\(last)</ol>"
  }

  /// The shade of a step, so that the last one is the darkest.
  private func shade(_ step: Int) -> Int { edges.isEmpty ? 3 : 1 + step * 6 / edges.count }
}
