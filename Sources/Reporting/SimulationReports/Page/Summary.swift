import Markup
import Postbacks
import Simulation
import Values

/// The result of the simulation, in plain words and a few large numbers.
struct Summary {
  private let study: VariantStudy
  private let population: SimulationReport.Population
  private let language: PageLanguage

  /// Takes the report's first mapping.
  init(_ report: SimulationReport, _ language: PageLanguage) {
    study = report.first
    population = report.population
    self.language = language
  }

  var sentences: [Sentence] {
    let sum = study.total.sum
    let total = study.total
    var sentences = [beginning]
    if let nulls = total.share(total.nulls) {
      sentences.append(
        Sentence(
          "Devices would send \(number: grouped(total.mean(sum.winners).rounded())) postbacks, "
            + "\(number: percent(nulls)) of them without a value."))
    } else {
      sentences.append(Sentence("Devices would send no postback."))
    }
    sentences += money
    if let half = sum.delays.percentile(0.5), let most = sum.delays.percentile(0.99) {
      sentences.append(
        Sentence(
          "Half of the postbacks arrive within \(number: whole(half)) of the install, 99 % within "
            + "\(number: whole(most))."))
    }
    return sentences
  }

  /// Who was simulated with what.
  private var beginning: Sentence {
    let installs = grouped(study.total.mean(study.total.sum.installs))
    return study.runs == 1
      ? Sentence(
        "skan simulated \(population.users, "user") of \(name: population.source) with the mapping "
          + "\(name: study.name) on \(code: study.deviceName), once: \(number: installs) from "
          + "\(study.campaignCount, "campaign"), \(grouped: study.organicUsers) organic.")
      : Sentence(
        "skan simulated \(population.users, "user") of \(name: population.source) with the mapping "
          + "\(name: study.name) on \(code: study.deviceName), \(study.runs) times with other random draws: "
          + "\(number: installs) from \(study.campaignCount, "campaign"), \(grouped: study.organicUsers) organic."
      )
  }

  /// A duration that stays on one line.
  private func whole(_ hours: Int) -> String {
    duration(hours: hours).replacing(" ", with: "\u{A0}")
  }

  private var money: [Sentence] {
    let total = study.total
    let sum = total.sum
    let days = Sentence("\(study.configuration.horizonDays, "day")")
    guard let captured = sum.capturedError, let visible = sum.visibleError else {
      return [
        Sentence(
          "The campaigns' users have no revenue in \(study.currency) within \(days), so there is no error "
            + "to measure.")
      ]
    }
    let revenue = Sentence(
      "Their true revenue is \(number: grouped(total.mean(sum.revenue))) \(study.currency) within \(days); "
        + "their final values give \(number: grouped(total.mean(sum.captured))) "
        + "(\(number: signedPercent(captured))), and a report would show "
        + "\(number: grouped(total.mean(sum.visible))) (\(number: signedPercent(visible))).")
    guard let spread = total.errorSpread else { return [revenue] }
    let (low, high) = (signedPercent(spread.lowerBound), signedPercent(spread.upperBound))
    return [
      revenue,
      Sentence(
        "Over the \(study.runs) runs, the report's error is between \(number: low) and \(number: high) "
          + "(5 % and 95 % points)."),
    ]
  }

  /// The large numbers.
  var figures: HTML {
    let total = study.total
    let sum = total.sum
    let entropy = fixed(total.summary.firstWindow.entropy, 1)
    return Panel.figures([
      figure(
        Sentence("installs"), Sentence("\(number: grouped(total.mean(sum.installs)))"),
        Sentence("of \(study.campaignCount, "campaign")")),
      figure(
        Sentence("postbacks"), Sentence("\(number: grouped(total.mean(sum.winners)))"),
        study.windows.count == 1
          ? Sentence("one for each install")
          : Sentence("\(number: grouped(total.mean(sum[.first].postbacks))) of window 1")),
      figure(
        Sentence("without a value"),
        Sentence("\(number: total.share(total.nulls).map { percent($0) } ?? "–")"),
        Sentence("of all postbacks")),
      figure(
        Sentence("true revenue"), Sentence("\(number: grouped(total.mean(sum.revenue)))"),
        Sentence("\(study.currency)")),
      figure(
        Sentence("visible revenue"), Sentence("\(number: grouped(total.mean(sum.visible)))"),
        sum.visibleError.map { Sentence("\(study.currency), \(number: signedPercent($0))") }
          ?? Sentence("\(study.currency)")),
      figure(
        Sentence("values used"),
        Sentence("\(number: grouped(total.summary.firstWindow.valuesUsed)) of 64"),
        Sentence("\(number: entropy) of 6 bits")),
    ])
  }

  private func figure(_ title: Sentence, _ value: Sentence, _ note: Sentence) -> HTML {
    Panel.figure(language.phrase(title), language.phrase(value), language.phrase(note))
  }
}
