package import Arguments
package import Markup
package import Routing

package struct NavigationPlace: Equatable, Sendable {
  /// The groups of the navigation, in order.
  package enum Section: Int, Sendable {
    /// What people ask each day.
    case daily
    /// The parts of a figure, and whether it can be trusted; both are behind a button.
    case details, checks
    /// Running the service.
    case operate
  }

  package let section: Section
  package let order: Int

  package init(_ section: Section, _ order: Int) {
    self.section = section
    self.order = order
  }
}

/// A screen as a type: its properties are the parameters of its address, as those of a report are its options.
///
/// ```swift
/// struct SpendScreen: ScreenContent {
///   var most = 100
///   static let path = "/spend-rows"
///   static let parameters: [Parameter<Self>] = [.init("most", \.most, "Rows to count at most.", in: 1...1000)]
///   static func title(_ texts: Texts) -> HTML { texts.dataTitle }
///   func answer(_ context: ScreenContext) throws -> PageAnswer {
///     let count = try context.reader.importedCount(.spend, atMost: most)
///     return .page(Page(Self.title(context.texts), body: "<p>\(count)</p>"))
///   }
/// }
/// ```
package protocol ScreenContent: Query {
  /// The path of its address; a part in braces is for any name, which ``ScreenContext/name`` has.
  static var path: String { get }
  /// What the navigation and the window call it.
  static func title(_ texts: Texts) -> HTML
  /// Where the navigation has it; `nil` for a screen that only other screens link to.
  static var place: NavigationPlace? { get }
  static var role: ViewerRole { get }
  /// Who may send its forms; `nil` where it has none.
  static var formRole: ViewerRole? { get }
  /// Whether a form whose session has ended is shown again, so that nothing that was typed is lost; not where a form
  /// has secrets.
  static var repeatsForms: Bool { get }
  /// Whether it shows the sample data to viewers who look at it; not where it is about this service itself.
  static var showsSample: Bool { get }
  /// Whether its parameter `app` leaves nothing of other apps, so that viewers see it whose token is limited to apps.
  static var isOfApps: Bool { get }
  /// Whether it is made of what the reader of a database has of some networks, and of nothing else: no estimate that rests on
  /// other networks, no conversions without an ad, nothing of the service or of users. Viewers whose token is limited to networks
  /// see it.
  static var isOfNetworks: Bool { get }
  /// Whether the last part of its path is the secret of a link, which opens it without a session. Its
  /// ``ScreenContext/name`` is then the app's number.
  static var opensByLink: Bool { get }
  func answer(_ context: ScreenContext) throws -> PageAnswer
  /// What all estimated money of the page is of, for the head; nothing on other pages.
  func moneyLine(_ context: ScreenContext) throws -> HTML
  /// Answers a form; the session, its token and the origin are checked already.
  func answer(_ form: FormBody, _ context: ScreenContext) throws -> PageAnswer
}

extension ScreenContent {
  package static var place: NavigationPlace? { nil }
  package static var role: ViewerRole { .reader }
  package static var formRole: ViewerRole? { nil }
  package static var repeatsForms: Bool { false }
  package static var showsSample: Bool { true }
  package static var isOfApps: Bool { false }
  package static var isOfNetworks: Bool { false }
  package static var opensByLink: Bool { false }
  package func moneyLine(_ context: ScreenContext) throws -> HTML { "" }
  package func answer(_ form: FormBody, _ context: ScreenContext) throws -> PageAnswer {
    .redirect(context.address)
  }
}

/// A screen in a list, which navigation, routes and tests are made from.
package typealias Screen = any ScreenContent.Type

extension ScreenContent {
  package static var parameterNames: Set<String> { Set(parameters.map(\.name)) }

  /// Reads the parameters of an address; empty values, as a form sends for fields left blank, count as not given.
  ///
  /// - Throws: ``ParameterError`` for the first parameter that is unknown or cannot be used.
  init(_ address: PageAddress) throws(ParameterError) {
    let names = Self.parameterNames
    var texts: [String: [String]] = [:]
    for item in address.items where !item.value.isEmpty && !PageAddress.common.contains(item.name) {
      guard names.contains(item.name) else { throw .unknown(item.name, among: names.sorted()) }
      texts[item.name, default: []].append(item.value)
    }
    try self.init(texts)
  }
}

extension PageAddress {
  /// Parameters that every page has.
  static let common: Set<String> = ["lang"]
}
