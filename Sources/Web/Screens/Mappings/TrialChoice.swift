import Arguments
import EventFiles
import MappingEditing
import Mappings
import Markup
import Pages
import Postbacks
import Simulation
import Values

/// The users and the privacy threshold that mappings are tried with, as parameters of an address.
struct TrialChoice: Query {
  var sample: String?
  var threshold = "default"
  var seed = 1
  /// Whether users of another app are wanted all the same.
  var isAnyApp = false

  /// The word for no users, where an app's own users would be taken else.
  static let none = "none"

  static let parameters: [Parameter<Self>] = [
    .init("sample", \.sample, "Events file of users."),
    .init("threshold", \.threshold, "Privacy threshold model."),
    .init("seed", \.seed, "Random seed.", in: 0...Int.max),
    .init("any-app", \.isAnyApp, "Whether users of another app are wanted."),
  ]

  /// The same with an app's own users, where they were imported and no others are chosen.
  func of(_ app: AppID, _ context: ScreenContext) -> TrialChoice {
    var choice = self
    if sample == nil { choice.sample = ImportedUsers.sample(of: app, among: context.trials.sampleNames) }
    if sample == Self.none { choice.sample = nil }
    return choice
  }

  /// The app of the chosen users, where it is another one and no one asked for that.
  func otherApp(than app: AppID) -> Int64? {
    guard !isAnyApp, let other = sample.flatMap({ ImportedUsers.app(of: $0) }) else { return nil }
    return other == app.number ? nil : other
  }

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
    let sample = try reading.sound.flatMap { mapping in
      try users(for: mapping.app, currency: currency, context)
    }
    let settings = TrialSettings(
      threshold: (try? CrowdModel(threshold)) ?? .usual, seed: UInt64(max(0, seed)))
    return context.trials.answer(
      reading, of: document, draft: draft, inForce: inForce, on: sample, settings)
  }

  /// The chosen users; `nil` for none, and for those of another app that no one asked for.
  func users(for app: AppID, currency: CurrencyCode?, _ context: ScreenContext) throws -> UserSample? {
    guard otherApp(than: app) == nil else { return nil }
    return try sample.flatMap { try context.trials.users(of: $0, currency: currency) }
  }

  /// The choice of users as parts of an address.
  var items: [(name: String, value: String)] {
    (sample.map { [("sample", $0)] } ?? []) + (isAnyApp ? [("any-app", "true")] : [])
  }

  /// Adds the fields of the choice.
  func add(to form: inout FilterForm, _ context: ScreenContext) {
    let texts = context.texts
    form.choice(
      "sample", texts.editorSample, sample ?? Self.none,
      [(Self.none, texts.editorNoUsers)]
        + context.trials.sampleNames.map { name in
          (
            name,
            ImportedUsers.app(of: name).map {
              texts.editorImported(app: context.called.appLabel("\($0)"))
            } ?? "\(name)"
          )
        })
    let presets =
      CrowdModel.presets.map { ($0.name, $0.model.sentence) } + [("none", CrowdModel.none.sentence)]
    var models = presets.map { name, sentence in
      (value: name, word: "\(name): \(context.texts.say(phrase: sentence))" as HTML)
    }
    if !models.contains(where: { $0.value == threshold }) { models.append((threshold, "\(threshold)")) }
    form.choice("threshold", texts.editorThreshold, threshold, models)
    form.search("seed", texts.editorSeed, "\(seed)")
  }
}
