import Mappings
import Markup
import Postbacks
import Simulation
import Values

/// The 64 fine values as 8 rows of 8, coloured by users or by money.
struct SimulatedValueMap {
  private static let side = 41.0
  /// Where the colours change, as shares of the whole.
  private static let steps = [0.001, 0.003, 0.01, 0.03, 0.1, 0.3]

  private let study: VariantStudy
  private let window: WindowOutcome
  private let users: Int
  private let money: MoneySum

  /// Takes the values of the first window.
  init(_ study: VariantStudy) {
    self.study = study
    window = study.total.sum[.first]
    users = window.trueFine.reduce(0, +)
    // A refund must not make the others' shares larger than all.
    money = window.revenueByFine.reduce(.zero) { $1.micros > 0 ? $0 + $1 : $0 }
  }

  var section: HTML {
    guard users > 0 else {
      return figure("The 64 values", "No user has a final fine value, so there is nothing to show.", "")
    }
    let byUsers = map("share of users by value") { value in
      Double(window.trueFine[value]) / Double(users)
    }
    let byMoney = map("share of revenue by value") { value in
      money.micros == 0 ? 0 : max(0, Double(window.revenueByFine[value].micros) / Double(money.micros))
    }
    let moneyNote =
      money.micros == 0 ? "No user has revenue." : "Percentage of the users' revenue in window 1."
    return figure(
      "The 64 values",
      "Final values of users in window 1, before Apple withholds any. The list below has their "
        + "meanings.",
      """
      <div class="pair"><div><h3>By users</h3><p>Percentage of the users with a value.</p>\(byUsers)</div>
      <div><h3>By revenue</h3><p>\(moneyNote)</p>\(byMoney)</div></div>
      \(key)<h3>Meanings</h3>
      \(PageTables.values(study))\(PageTables.coarse(study))
      """)
  }

  private func map(_ label: String, _ share: (Int) -> Double) -> HTML {
    var drawing = SVG(width: 8 * Self.side + 2, height: 8 * Self.side + 2)
    for value in 0..<64 {
      let (x, y) = (1 + Double(value % 8) * Self.side, 1 + Double(value / 8) * Self.side)
      let part = share(value)
      let level = Self.level(part)
      drawing.open(title: title(value))
      drawing.rect(
        x: x + 1, y: y + 1, width: Self.side - 2, height: Self.side - 2, style: "q q\(level)", radius: 3)
      drawing.text("\(value)", x: x + 5, y: y + 13, style: "n n\(level)")
      if part > 0 {
        drawing.text(
          Self.short(part), x: x + Self.side / 2, y: y + 30, style: "v n\(level)", anchor: .middle)
      }
      drawing.close()
    }
    return drawing.markup(label: label, style: "map")
  }

  private func title(_ value: Int) -> String {
    let runs = study.runs
    let meaning = FineValue(Int64(value)).map { study.configuration.mapping.decode($0).line } ?? ""
    let shown = study.total.mean(window.visibleFine[value])
    return "\(value): \(meaning)\n"
      + "\(grouped(study.total.mean(window.trueFine[value]))) users, \(grouped(shown)) of them shown"
      + (runs > 1 ? " on average" : "")
      + "\nrevenue \(grouped(study.total.mean(window.revenueByFine[value]))) \(study.currency)"
  }

  private var key: HTML {
    let words = ["none", "below 0.1 %", "0.1 to 0.3 %", "0.3 to 1 %", "1 to 3 %", "3 to 10 %", "10 to 30 %"]
    return legend((words + ["30 % and more"]).enumerated().map { ("q q\($0)", $1) })
  }

  private static func level(_ share: Double) -> Int {
    share <= 0 ? 0 : 1 + steps.count { share >= $0 }
  }

  private static func short(_ share: Double) -> String {
    share < 0.001 ? "<0.1" : fixed(share * 100, share < 0.0995 ? 1 : 0)
  }
}
