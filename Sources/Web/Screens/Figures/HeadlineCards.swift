import EstimateReports
import Estimates
import Markup
import Pages
import Tables
import Values

/// The five cards that a page about money begins with: spend, estimated revenue, return on it, cost per install, installs.
struct HeadlineCards {
  let headline: Headline
  let context: ScreenContext
  /// By day, for the small lines of the cards; `nil` where amounts are in several currencies or horizons.
  var byDay: MoneyByDay?
  /// What is below the spend.
  var spendNote: HTML = ""
  /// Whether postbacks of some of the days are still to come.
  var isOpen = false

  private var texts: Texts { context.texts }
  private typealias Line = Headline.Line

  var markup: HTML {
    guard !headline.lines.isEmpty else { return "" }
    let cards = [spend, revenue, returns, cost, installs]
    return "\(Panel.figures(cards, label: texts.overviewFigures))\(severalCurrencies)"
  }

  // MARK: Cards

  private var spend: HTML {
    guard headline.hasSpend else {
      return card(texts.columnSpend, note(foreignSpend.text.isEmpty ? Self.noSpend(context) : foreignSpend))
    }
    let lines = headline.lines.compactMap { line -> HTML? in
      guard let amount = line.now.spend else { return nil }
      return "\(value(money(amount, line)))\(note(spendNote))\(note(change(line.spendMove)))"
    }
    return card(
      texts.columnSpend, "\(lines.joined())\(note(foreignSpend))", spark: spark([(byDay?.spend ?? [], "k6")]))
  }

  /// What is left out, because no rate turns it into the currency of the page.
  private var foreignSpend: HTML {
    let amounts = headline.foreignSpend.map { currency, amount -> HTML in
      "\(Marks.money(amount, in: currency.text)) \(currency.text)"
    }
    guard !amounts.isEmpty else { return "" }
    return "\(texts.headlineForeignSpend(amounts: texts.list(amounts)))\(toRates)"
  }

  private var toRates: HTML {
    context.mayEdit ? " <a href=\"\(DataPlace.path(of: "rates"))\">\(texts.overviewToRates)</a>" : ""
  }

  /// That there is no spend, and for editors, who import, where to add it.
  static func noSpend(_ context: ScreenContext) -> HTML {
    let texts = context.texts
    return context.mayEdit
      ? "\(texts.headlineNoSpend) <a href=\"\(DataPlace.path(of: "spend"))\">\(texts.headlineAddSpend)</a>"
      : texts.headlineNoSpend
  }

  private var revenue: HTML {
    let lines = headline.lines.map { line -> HTML in
      guard let amount = line.now.estimatedRevenue else { return note(obstacle(line.now)) }
      let interval: HTML =
        line.now.estimatedRevenueInterval?.ends.map {
          texts.markInterval(range: Marks.range(amountText($0.low, line), amountText($0.high, line)))
        } ?? ""
      return "\(value(money(amount, line)))\(note(interval))\(note(estimateChange(line.revenueMove)))"
    }
    let band = spark(
      [(byDay?.revenue ?? [], "k2")], band: byDay.map { ($0.low, $0.high) })
    return card(texts.columnEstimatedRevenue, lines.joined(), spark: band)
  }

  private var returns: HTML {
    let title = texts.columnReturn
    guard headline.hasSpend else { return card(title, value(Marks.none(texts)), isMain: true) }
    let lines = headline.lines.compactMap { line -> HTML? in
      guard let ratio = line.now.returns?.number else { return nil }
      let interval: HTML =
        line.now.returnsInterval?.ends.map {
          texts.markInterval(
            range: Marks.range(Marks.number($0.low.units, 2), Marks.number($0.high.units, 2)))
        } ?? ""
      let badge = MoneyCells(currency: line.now.currency, texts).verdict(line.now)
      let was: HTML =
        line.before?.returns?.number.map { before in
          guard let move = line.returnMove, !isOpen else { return "" }
          let figure: HTML = "<b>\(Marks.number(before, 2))</b>"
          return move.isSure ? texts.headlineWas(figure: figure) : texts.headlineWasChance(figure: figure)
        } ?? ""
      return """
        \(value("\(Marks.number(ratio, 2)) \(badge)\(horizon(line))"))\(note(interval))\(note(together(line)))\(note(was))
        """
    }
    return card(
      title, lines.isEmpty ? note(texts.headlineNoReturn) : lines.joined(), isMain: true)
  }

  /// The part of spend and revenue that a return is of, where that is not all.
  private func together(_ line: Line) -> HTML {
    guard line.now.flags.contains(.oneSided), let revenue = line.now.comparedRevenue else { return "" }
    return texts.headlineTogether(
      spend: amountText(line.now.comparedSpend, line), revenue: amountText(revenue, line))
  }

  private var cost: HTML {
    let lines = headline.lines.compactMap { line -> HTML? in
      guard let cost = line.now.costPerInstall else { return nil }
      let was: HTML =
        line.before?.costPerInstall.map { before in
          guard let move = line.costMove, !isOpen else { return "" }
          return texts.headlineChangeWas(change: change(move), figure: amountText(before, line))
        } ?? ""
      return "\(value(money(cost, line)))\(note(texts.headlineCostNote))\(note(was))"
    }
    return card(texts.headlineCost, lines.isEmpty ? value(Marks.none(texts)) : lines.joined())
  }

  private var installs: HTML {
    let lines = headline.lines.map { line -> HTML in
      let share: HTML =
        line.now.nullShare?.number.map { texts.headlineWithheld(share: Marks.share($0)) } ?? ""
      let change = isOpen ? texts.headlineOpen : change(line.installsMove)
      return "\(value("\(Marks.expected(line.now.installs))\(horizon(line))"))\(note(share))\(note(change))"
    }
    return card(texts.columnInstalls, lines.joined(), spark: spark([(byDay?.installs ?? [], "k1")]))
  }

  // MARK: Words

  /// Why a line has no estimate.
  private func obstacle(_ row: EstimateReport.Row) -> HTML {
    row.leftOut > 0 ? texts.headlineLeftOut : texts.headlineAllWithheld
  }

  private var severalCurrencies: HTML {
    var codes: [HTML] = []
    for line in headline.lines {
      guard let code = line.now.currency.map({ "\($0.text)" as HTML }) else { continue }
      if !codes.contains(where: { $0.text == code.text }) { codes.append(code) }
    }
    guard codes.count > 1 else { return "" }
    return "<p class=\"note\">\(texts.headlineCurrencies(currencies: texts.list(codes)))\(toRates)</p>"
  }

  private func amountText(_ amount: Amount, _ line: Line) -> HTML {
    Marks.money(amount, in: line.now.currency?.text)
  }

  private func money(_ amount: Amount, _ line: Line) -> HTML {
    "\(amountText(amount, line)) <small>\(line.now.currency?.text ?? "")</small>\(horizon(line))"
  }

  /// Up to when a line counts revenue, where lines differ in it.
  private func horizon(_ line: Line) -> HTML {
    guard headline.lines.contains(where: { $0.now.horizon != line.now.horizon }) else { return "" }
    return " <small>\(Self.word(line.now.horizon, texts))</small>"
  }

  /// A time since the install, for people.
  static func word(_ horizon: EstimateHorizon, _ texts: Texts) -> HTML {
    switch horizon {
    case .hours(let hours): texts.headlineHours(count: hours)
    case .days(let days): texts.headlineDays(count: days)
    case .timer: texts.headlineFirstWindow
    }
  }

  private func change(_ move: Headline.Move?) -> HTML {
    guard let move else { return "" }
    // Less than half a per cent is written as none.
    if move.share.magnitude < 0.005 { return texts.headlineSame }
    return "<b>\(OverviewScreen.change(move.share, texts))</b>"
  }

  /// A change of an estimate, and whether its interval and that of the days before overlap.
  private func estimateChange(_ move: Headline.Move?) -> HTML {
    guard let move else { return "" }
    if isOpen { return texts.headlineOpen }
    return move.isSure ? change(move) : texts.headlineChance(change: change(move))
  }

  // MARK: Parts of a card

  private func card(_ title: HTML, _ content: HTML, isMain: Bool = false, spark: HTML = "") -> HTML {
    "<div class=\"fig\(isMain ? " main-fig" : "")\"><dt>\(title)</dt>\(content)\(spark)</div>"
  }

  private func value(_ value: HTML) -> HTML { "<dd class=\"v\">\(value)</dd>" }

  private func note(_ note: HTML) -> HTML { note.text.isEmpty ? "" : "<dd class=\"s\">\(note)</dd>" }

  /// Small lines without words; the chart and its table have the figures.
  private func spark(
    _ lines: [(values: [Double?], style: String)], band: (low: [Double?], high: [Double?])? = nil
  ) -> HTML {
    let all = lines.flatMap(\.values).compactMap(\.self)
    guard all.count > 1, let most = all.max(), most > 0 else { return "" }
    let count = lines[0].values.count
    func point(_ index: Int, _ value: Double) -> String {
      "\(trimmed(Double(index) * 120 / Double(max(1, count - 1)), 1)) \(trimmed(27 - min(value / most, 1) * 26, 1))"
    }
    func points(_ values: [Double?]) -> [String] {
      values.enumerated().compactMap { index, value in value.map { point(index, $0) } }
    }
    var drawn: HTML = ""
    if let band {
      let outline = points(band.high) + points(band.low).reversed()
      if outline.count > 2 {
        drawn += "<path class=\"band b2\" d=\"M\(outline.joined(separator: "L"))Z\"/>"
      }
    }
    for line in lines {
      drawn += "<path class=\"\(line.style)\" d=\"M\(points(line.values).joined(separator: "L"))\"/>"
    }
    return """
      <dd><svg class="spark" viewBox="0 0 120 28" preserveAspectRatio="none" aria-hidden="true">\(drawn)</svg></dd>
      """
  }
}
