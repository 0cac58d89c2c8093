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
  /// When values are shown; `nil` for what the app's postbacks show, else for the usual model.
  var threshold: String?
  var seed = 1
  /// Whether users of another app are wanted all the same.
  var isAnyApp = false
  /// Whether the users count as all of the app's, however many installs its postbacks show.
  var isWhole = false

  /// The word for no users, where an app's own users would be taken else.
  static let none = "none"

  static let parameters: [Parameter<Self>] = [
    .init("sample", \.sample, "Events file of users."),
    .init("threshold", \.threshold, "Privacy threshold model."),
    .init("seed", \.seed, "Random seed.", in: 0...Int.max),
    .init("any-app", \.isAnyApp, "Whether users of another app are wanted."),
    .init("whole", \.isWhole, "Whether the users count as all of the app's."),
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
    let settings = try reading.sound.flatMap { mapping in
      try sample.map { try basis(of: mapping, $0, context).settings }
    }
    return context.trials.answer(
      reading, of: document, draft: draft, inForce: inForce, on: sample,
      settings ?? TrialSettings())
  }

  /// The chosen users; `nil` for none, and for those of another app that no one asked for.
  func users(for app: AppID, currency: CurrencyCode?, _ context: ScreenContext) throws -> UserSample? {
    guard otherApp(than: app) == nil else { return nil }
    return try sample.flatMap { try context.trials.users(of: $0, currency: currency) }
  }

  /// What a simulation rests on besides mapping and users.
  struct Basis {
    let settings: TrialSettings
    /// The threshold that the app's postbacks show; `nil` where they show none.
    let own: AppEvidence.Threshold?
    /// The share of the app's users that the chosen ones are by its postbacks; `nil` for all of them.
    let share: Double?

    /// Whether the threshold is the one that the app's postbacks show.
    var isOwn: Bool { own?.model == settings.threshold }
  }

  /// - Parameter users: The chosen users; `nil` for none.
  func basis(of mapping: Mapping, _ users: UserSample?, _ context: ScreenContext) throws -> Basis {
    let evidence = AppEvidence(app: mapping.app, context: context)
    let own = try evidence.threshold()
    let share = try users.flatMap { try evidence.share(of: $0, under: mapping) }
    let chosen = threshold.flatMap { try? CrowdModel($0) }
    return Basis(
      settings: TrialSettings(
        threshold: chosen ?? own?.model ?? .usual, share: isWhole ? 1 : share ?? 1, seed: UInt64(max(0, seed))
      ),
      own: own, share: share)
  }

  /// The choice of users as parts of an address.
  var items: [(name: String, value: String)] {
    var items: [(name: String, value: String)] = []
    if let sample { items.append(("sample", sample)) }
    if isAnyApp { items.append(("any-app", "true")) }
    if isWhole { items.append(("whole", "true")) }
    if let threshold { items.append(("threshold", threshold)) }
    return items
  }

  /// Adds the fields of the choice.
  func add(to form: inout FilterForm, _ basis: Basis?, _ context: ScreenContext) {
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
    if let share = basis?.share {
      form.choice(
        "whole", texts.editorCountAs, isWhole ? "true" : "",
        [
          ("", texts.editorCountAsShare(share: "\(Marks.shareText(share))")),
          ("true", texts.editorCountAsAll),
        ])
    }
    let usual: HTML =
      basis?.own.map { texts.editorThresholdOwn(installs: "\(Marks.local(fixed($0.installs, 0)))") }
      ?? texts.editorThresholdUsual
    var models = [(value: "", word: usual)]
    models += CrowdModel.presets.map { ($0.name, words($0.model, texts)) }
    models.append(("none", texts.editorThresholdNone))
    let chosen = threshold ?? ""
    if !models.contains(where: { $0.value == chosen }) { models.append((chosen, "\(chosen)")) }
    form.choice("threshold", texts.editorThreshold, chosen, models)
    form.search("seed", texts.editorSeed, "\(seed)")
  }

  /// A model in words that fit a menu.
  private func words(_ model: CrowdModel, _ texts: Texts) -> HTML {
    switch model {
    case .hard(let rule): texts.editorThresholdHard(installs: "\(rule.installsPerDay)")
    case .logistic(let rule): texts.editorThresholdHalf(installs: "\(Marks.local(fixed(rule.median, 0)))")
    default: texts.say(phrase: model.sentence)
    }
  }
}
