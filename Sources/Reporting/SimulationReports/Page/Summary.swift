import Markup
import Postbacks
import Simulation
import Values

/// The result of the simulation, in plain words and a few large numbers.
struct Summary {
  private let study: VariantStudy
  private let population: SimulationReport.Population

  /// Takes the report's first mapping.
  init(_ report: SimulationReport) {
    study = report.first
    population = report.population
  }

  var paragraph: String {
    let sum = study.total.sum
    let total = study.total
    var sentences = [
      "skan simulated \(counted(population.users, "user")) of \(population.source) with the mapping "
        + "\(study.name) on \(study.deviceName), "
        + "\(study.runs == 1 ? "once" : "\(study.runs) times with other random draws"): "
        + "\(grouped(total.mean(sum.installs))) from \(counted(study.campaignCount, "campaign")), "
        + "\(grouped(study.organicUsers)) organic."
    ]
    if let nulls = total.share(total.nulls) {
      sentences.append(
        "Devices would send \(grouped(total.mean(sum.winners).rounded())) postbacks, \(percent(nulls)) "
          + "of them without a value.")
    } else {
      sentences.append("Devices would send no postback.")
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
        "The campaigns' users have no revenue in \(study.currency) within \(days), so there is no error "
        + "to measure."
    }
    return
      "Their true revenue is \(grouped(total.mean(sum.revenue))) \(study.currency) within \(days); "
      + "their final values give \(grouped(total.mean(sum.captured))) (\(signedPercent(captured))), and "
      + "a report would show \(grouped(total.mean(sum.visible))) (\(signedPercent(visible)))."
      + (total.errorSpread.map { spread in
        " Over the \(study.runs) runs, the report's error is between \(signedPercent(spread.lowerBound)) "
          + "and \(signedPercent(spread.upperBound)) (5 % and 95 % points)."
      } ?? "")
  }

  /// The large numbers.
  var figures: HTML {
    let total = study.total
    let sum = total.sum
    let first = sum[.first]
    return Panel.figures([
      Panel.figure(
        "installs", "\(grouped(total.mean(sum.installs)))", "of \(counted(study.campaignCount, "campaign"))"),
      Panel.figure(
        "postbacks", "\(grouped(total.mean(sum.winners)))",
        study.windows.count == 1
          ? "one for each install" : "\(grouped(total.mean(first.postbacks))) of window 1"),
      Panel.figure(
        "without a value", "\(total.share(total.nulls).map { percent($0) } ?? "–")", "of all postbacks"),
      Panel.figure("true revenue", "\(grouped(total.mean(sum.revenue)))", "\(study.currency.text)"),
      Panel.figure(
        "visible revenue", "\(grouped(total.mean(sum.visible)))",
        "\(sum.visibleError.map { "\(study.currency), \(signedPercent($0))" } ?? study.currency.text)"),
      Panel.figure(
        "values used", "\(grouped(total.summary.firstWindow.valuesUsed)) of 64",
        "\(fixed(total.summary.firstWindow.entropy, 1)) of 6 bits"),
    ])
  }
}
