import Ledger
import Markup
import Pages
import Routing
import Tables

extension PageAddress {
  /// A link that compares the network of a row with the largest other one of the table; nothing where there is none.
  func comparison(of row: NamedCells, among table: Table, _ context: ScreenContext) -> HTML {
    // Viewers of some apps or networks have no page of experiments.
    guard context.viewer.limit.isNone, let network = row.text("network"),
      let other = table.named.filter({ $0.text("network").map { $0 != network } ?? false })
        .max(by: { $0.count("postbacks") < $1.count("postbacks") }), let second = other.text("network")
    else { return "" }
    let target = moved(
      to: Self.experimentsPath, keeping: DaySpan.names.union(["app", "environment", "lang"])
    ).with("a", network).with("b", second)
    let name = context.called.shortNetwork(second)
    return "<a class=\"xs\" href=\"\(target.text)\">\(context.texts.experimentCompareWith(name: name))</a>"
  }
}
