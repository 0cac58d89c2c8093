import Mappings
import Markup
import Simulation
import Values

/// True, captured and visible revenue of the largest campaigns, and of the others together, as bars.
struct RevenueBars {
  private static let most = 20
  private static let size = 13.0

  /// One campaign's bars, or those of several small ones.
  fileprivate struct Group {
    let name: String
    var revenue = MoneySum.zero
    var captured = MoneySum.zero
    var visible = MoneySum.zero
    var low = MoneySum.zero
    var high = MoneySum.zero
  }

  private let study: VariantStudy
  private let groups: [Group]
  private let folded: Int

  /// Takes the campaigns with most revenue, and the others together.
  init(_ study: VariantStudy) throws {
    self.study = study
    // One campaign alone needs as much room as its sum with others.
    let kept = study.campaignCount <= Self.most + 1 ? study.campaignCount : Self.most
    folded = study.campaignCount - kept
    var first: [(revenue: Int128, group: Group)] = []
    var others = Group(name: "\(folded) others")
    try study.forEachRow { row in
      let revenue = row.figures.sum.revenue.micros
      let place =
        first.firstIndex { ($0.revenue, row.campaign) < (revenue, $0.group.name) } ?? first.endIndex
      first.insert((revenue, Group(row.campaign, row.figures)), at: place)
      if first.count > kept { others.add(first.removeLast().group) }
    }
    groups = first.map(\.group) + (folded > 0 ? [others] : [])
  }

  var section: HTML {
    let heading = "Revenue by campaign"
    let text =
      "True revenue of each campaign within \(counted(study.configuration.horizonDays, "day")), "
      + "revenue of its final values, and revenue visible in reports after Apple has withheld values. "
      + "The thin line is the range from low to high of the shown values."
      + (folded > 0
        ? " The \(Self.most) campaigns with the most revenue; \(folded) others form one group." : "")
    guard groups.contains(where: { $0.all.contains { $0 != .zero } }) else {
      return figure(heading, "No campaign has revenue in \(study.currency), neither true nor visible.", "")
    }
    return figure(
      heading, text,
      """
      \(legend([("true", "true"), ("captured", "captured by the mapping"), ("visible", "visible in reports")]))\
      \(bothWidths(label: "revenue by campaign, \(study.currency)", draw))
      """)
  }

  private func draw(width: Double) -> SVG {
    let isNarrow = width < 500
    // Names are beside the bars where there is room, above them on phones.
    let left = isNarrow ? 2.0 : 190
    let bar = 8.0
    let step = 3 * bar + (isNarrow ? 30 : 14)
    let height = Double(groups.count) * step + 56
    var drawing = SVG(width: width, height: height)
    let values = groups.flatMap(\.all).map(\.units)
    let scale = Scale(
      min(0, values.min() ?? 0)...max(0, values.max() ?? 0), count: Int((width - left) / 90))
    func place(_ units: Double) -> Double { left + scale.place(units) * (width - left - 26) }

    for mark in scale.marks {
      let at = place(mark.value)
      drawing.line(x1: at, y1: 4, x2: at, y2: height - 46, style: "grid")
      drawing.text(
        mark.label, x: at, y: height - 28, style: "tick", anchor: at < 12 ? .start : .middle)
    }
    drawing.text("\(study.currency)", x: width - 2, y: height - 8, style: "axis", anchor: .end)
    for (index, group) in groups.enumerated() {
      var y = 6 + Double(index) * step
      drawing.open(title: group.title(study.currency))
      let room = isNarrow ? width - 10 : left - 10
      drawing.text(
        fitted(printable(group.name), width: room, size: Self.size), x: isNarrow ? left + 5 : left - 8,
        y: isNarrow ? y + 12 : y + 1.5 * bar + 5, style: "name", anchor: isNarrow ? .start : .end)
      if isNarrow { y += 18 }
      for (amount, style) in [
        (group.revenue, "true"), (group.captured, "captured"), (group.visible, "visible"),
      ] {
        let (zero, end) = (place(0), place(amount.units))
        drawing.rect(
          x: min(zero, end), y: y, width: (end - zero).magnitude, height: bar - 1, style: style)
        y += bar
      }
      if group.low != group.high {
        drawing.line(
          x1: place(group.low.units), y1: y - bar / 2 - 0.5, x2: place(group.high.units),
          y2: y - bar / 2 - 0.5, style: "span")
      }
      drawing.close()
    }
    drawing.line(x1: place(0), y1: 4, x2: place(0), y2: height - 46, style: "zero")
    return drawing
  }
}

extension RevenueBars.Group {
  fileprivate init(_ name: String, _ figures: RunFigures) {
    let sum = figures.sum
    self.init(
      name: name, revenue: figures.mean(sum.revenue), captured: figures.mean(sum.captured),
      visible: figures.mean(sum.visible), low: figures.mean(sum.visibleLow),
      high: figures.mean(sum.visibleHigh))
  }

  fileprivate mutating func add(_ other: Self) {
    revenue += other.revenue
    captured += other.captured
    visible += other.visible
    low += other.low
    high += other.high
  }

  fileprivate var all: [MoneySum] { [revenue, captured, visible, low, high] }

  fileprivate func title(_ currency: CurrencyCode) -> String {
    "\(printable(name))\ntrue \(grouped(revenue)) \(currency)\ncaptured \(grouped(captured)) \(currency)\n"
      + "visible \(grouped(visible)) \(currency), from \(grouped(low)) to \(grouped(high))"
  }
}
