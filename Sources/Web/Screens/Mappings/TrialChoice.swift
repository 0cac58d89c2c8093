import Arguments
import MappingLibrary
import Mappings
import Markup
import Pages
import Simulation

/// The users and the privacy threshold that mappings are tried with, as parameters of an address.
struct TrialChoice: Query {
  var sample: String?
  var threshold = "default"
  var seed = 1

  static let parameters: [Parameter<Self>] = [
    .init("sample", \.sample, "Events file of users."),
    .init("threshold", \.threshold, "Privacy threshold model."),
    .init("seed", \.seed, "Random seed.", in: 0...Int.max),
  ]

  /// Reads, checks and tries the text of a mapping; a threshold that is none counts as the usual one.
  ///
  /// - Parameters:
  ///   - draft: What the text is a state of: a newer one ends the answer to an older one.
  /// - Returns: The answer; `nil` where a newer state of the draft came meanwhile.
  func answer(
    to document: [UInt8], of draft: String? = nil, inForce: Mapping?, _ context: ScreenContext
  ) throws -> EditorAnswer? {
    let reading = MappingDocument.check(document, at: context.now)
    let currency = inForce?.currency ?? reading.document?.mapping.currency
    let users = try sample.flatMap { try context.trials.users(of: $0, currency: currency) }
    let settings = TrialSettings(
      threshold: (try? CrowdModel(threshold)) ?? .usual, seed: UInt64(max(0, seed)))
    return context.trials.answer(
      reading, of: document, draft: draft, inForce: inForce, on: users, settings)
  }

  /// Adds the fields of the choice.
  func add(to form: inout FilterForm, _ context: ScreenContext) {
    let texts = context.texts
    form.choice(
      "sample", texts.editorSample, sample ?? "",
      [("", texts.editorNoUsers)] + context.trials.sampleNames.map { ($0, "\($0)") })
    let presets =
      CrowdModel.presets.map { ($0.name, $0.model.sentence) } + [("none", CrowdModel.none.sentence)]
    var models = presets.map { name, sentence in (value: name, word: "\(name): \(sentence)" as HTML) }
    if !models.contains(where: { $0.value == threshold }) { models.append((threshold, "\(threshold)")) }
    form.choice("threshold", texts.editorThreshold, threshold, models)
    form.search("seed", texts.editorSeed, "\(seed)")
  }
}
