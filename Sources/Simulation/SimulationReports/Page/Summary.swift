import Postbacks
import Simulation
import Values

/// What the simulation says, in plain words and a few large numbers.
struct Summary {
  private let study: VariantStudy
  private let population: SimulationReport.Population

  /// Takes the report's first mapping.
  init(_ report: SimulationReport) {
    study = report.first
    population = report.population
  }

  /// The sentences.
  var paragraph: String {
    let sum = study.total.sum
    let total = study.total
    var sentences = [
      "\(counted(population.users, "user")) of \(population.source) were played through the mapping \(study.name) on "
        + "\(study.deviceName), \(study.runs == 1 ? "once" : "\(study.runs) times with other random draws"): "
        + "\(grouped(total.mean(sum.installs))) came from \(counted(study.rows.count, "campaign")), "
        + "\(grouped(study.organicUsers)) from none."
    ]
    if let nulls = total.share(total.nulls) {
      sentences.append(
        "Phones would send \(grouped(total.mean(sum.winners).rounded())) postbacks, of which \(percent(nulls)) carry "
          + "no value.")
    } else {
      sentences.append("Phones would send no postback.")
    }
    sentences.append(money)
    if let half = sum.delays.percentile(0.5), let most = sum.delays.percentile(0.99) {
      sentences.append(
        "Half of the postbacks arrive within \(whole(half)) of the install, 99 % within \(whole(most)).")
    }
    return sentences.joined(separator: " ")
  }

  /// A duration that stays on one line.
  private func whole(_ hours: Int) -> String {
    duration(hours: hours).replacing(" ", with: "\u{A0}")
  }

  private var money: String {
    let total = study.total
    let sum = total.sum
    let days = counted(study.configuration.horizonDays, "day")
    guard let captured = sum.capturedError, let visible = sum.visibleError else {
      return
        "The campaigns' users brought no \(study.currency) within \(days), so there is nothing to measure an "
        + "error against."
    }
    return
      "Their users really brought \(grouped(total.mean(sum.revenue))) \(study.currency) within \(days); their "
      + "final values stand for \(grouped(total.mean(sum.captured))) (\(signedPercent(captured))), and a report would "
      + "show \(grouped(total.mean(sum.visible))) (\(signedPercent(visible)))."
      + (total.errorSpread.map { spread in
        " Over the \(study.runs) runs the report's error goes from \(signedPercent(spread.lowerBound)) to "
          + "\(signedPercent(spread.upperBound)) (5 % and 95 % points)."
      } ?? "")
  }

  /// The large numbers.
  var cards: HTML {
    let total = study.total
    let sum = total.sum
    let first = sum[.first]
    let cards: [(title: String, value: String, note: String)] = [
      ("installs", grouped(total.mean(sum.installs)), "of \(counted(study.rows.count, "campaign"))"),
      (
        "postbacks", grouped(total.mean(sum.winners)),
        study.windows.count == 1
          ? "one for each install" : "\(grouped(total.mean(first.postbacks))) of the first window"
      ),
      ("without a value", total.share(total.nulls).map { percent($0) } ?? "–", "of all postbacks"),
      ("true revenue", grouped(total.mean(sum.revenue)), study.currency.text),
      (
        "visible revenue", grouped(total.mean(sum.visible)),
        sum.visibleError.map { "\(study.currency), \(signedPercent($0))" } ?? study.currency.text
      ),
      (
        "values used", "\(grouped(total.mean { Double($0[.first].valuesUsed) })) of 64",
        "\(fixed(total.mean { $0[.first].entropy }, 1)) of 6 bits"
      ),
    ]
    let items = cards.map { card -> HTML in
      "<div><span>\(card.title)</span><strong>\(card.value)</strong><small>\(card.note)</small></div>\n"
    }
    return "<div class=\"cards\">\(items.joined())</div>\n"
  }
}
