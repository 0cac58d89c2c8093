import Campaigns
import Estimates
import Markup
import Pages

/// The networks and campaigns that the arms of a comparison can have, by what people call them.
struct ArmChoices {
  private let all: [(value: String, word: HTML)]

  /// - Parameters:
  ///   - rows: Rows of the report by network and campaign, those with the most conversions first.
  ///   - mostCampaigns: Campaigns to choose from.
  init(_ rows: [CampaignPlace], mostCampaigns: Int, _ context: ScreenContext) {
    var networks: [(value: String, word: HTML)] = []
    for row in rows {
      guard let network = row.network, !networks.contains(where: { $0.value == network }) else {
        continue
      }
      networks.append((network, context.texts.experimentNetwork(name: context.called.networkLabel(network))))
    }
    let campaigns = rows.prefix(mostCampaigns).compactMap { row -> (value: String, word: HTML)? in
      guard let network = row.network, let campaign = row.digits else { return nil }
      let name = row.name ?? row.candidates.first
      let called: HTML =
        name.map { "\u{2068}\($0)\u{2069} (\u{2068}\(campaign)\u{2069})" } ?? "\(campaign)"
      return ("\(network)/\(campaign)", "\(called), \(context.called.networkLabel(network))")
    }
    all = networks + campaigns
  }

  /// What people call a part of an arm.
  func name(of part: ExperimentArm.Part) -> HTML {
    "<bdi>\(all.first { $0.value == part.text }?.word ?? "\(part.text)")</bdi>"
  }

  /// Adds the fields of an arm: a menu for one network or campaign, and boxes for several together.
  func add(
    to form: inout FilterForm, _ name: String, _ letter: HTML, _ chosen: [ExperimentArm.Part], _ texts: Texts
  ) {
    let values = chosen.map(\.text)
    let missing = values.filter { value in !all.contains { $0.value == value } }
    let known = all + missing.map { ($0, "\($0)") }
    // Each value is in one of the two fields alone, or the address could have it twice.
    let isSeveral = values.count > 1
    form.choice(
      name, texts.experimentArm(letter: letter), isSeveral ? "" : values.first ?? "",
      [("", isSeveral ? texts.experimentSeveralChosen(count: values.count) : texts.experimentChoose)]
        + known.filter { !isSeveral || !values.contains($0.value) })
    form.boxes(
      name, texts.experimentMore(letter: letter), isSeveral ? Set(values) : Set<String>(),
      known.filter { isSeveral || !values.contains($0.value) })
  }
}
