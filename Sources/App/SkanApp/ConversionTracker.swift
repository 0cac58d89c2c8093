public import Foundation
public import SkanMapping

/// The conversions of this device for an app with many tasks: counts what the user does, and makes each call in its order.
///
/// ```swift
/// let tracker = try ConversionTracker(mapping: mapping, store: FileStore(folder: folder)) {
///   try await AppleCalls.make($0)
/// }
/// try await tracker.launch()
/// try await tracker.record("purchase", amount: product.price, currency: "EUR")
/// ```
///
/// Calls never overtake each other, whichever tasks cause them, because the last one decides the value. A call that fails is
/// made again at the next ``launch(at:)``, as long as its window lasts; later calls do not wait for it.
public actor ConversionTracker<Store: StateStore> {
  /// Makes a call of Apple's frameworks, and throws where the device did not take it.
  public typealias Call = @Sendable (AppUpdate) async throws -> Void

  private var conversions: AppConversions<Store>
  private let call: Call
  private var latest: Task<Void, any Error>?

  /// Takes up what an earlier launch saved.
  ///
  /// - Parameters:
  ///   - mapping: The version in force: the newest document from the server, or else the one that the app was built with.
  ///   - store: Where the state is.
  ///   - reengagements: How the app's re-engagements are set up in its `Info.plist`.
  ///   - call: Makes a call, such as `AppleCalls.make`.
  /// - Throws: What the store throws.
  public init(
    mapping: AppMapping, store: sending Store, reengagements: ReengagementRules = ReengagementRules(),
    call: @escaping Call
  ) throws {
    conversions = try AppConversions(mapping: mapping, store: store, reengagements: reengagements)
    self.call = call
  }

  /// How the state of an earlier launch was read.
  public var recovery: AppConversions<Store>.Recovery { conversions.recovery }

  /// The version that conversions which begin now follow.
  public var mapping: AppMapping { conversions.mapping }

  /// Hands in a newer version, for conversions that begin from now on.
  public func use(_ mapping: AppMapping) { conversions.use(mapping) }

  /// Lets the app start; the first time, the conversion of the install begins.
  ///
  /// - Throws: What the store or a call throws.
  public func launch(at date: Date = Date()) async throws {
    try await make(conversions.launch(at: date.appMilliseconds))
  }

  /// Counts an event.
  ///
  /// - Throws: What the store or a call throws; where the store does, nothing was counted.
  public func record(_ event: AppEvent) async throws { try await make(conversions.record(event)) }

  /// Counts an event with a price.
  ///
  /// - Parameters:
  ///   - amount: Revenue in units of the currency; negative for a refund.
  ///   - currency: The three capital letters of ISO 4217.
  /// - Throws: ``AppAmountError``, or what the store or a call throws.
  public func record(
    _ name: String, amount: Decimal? = nil, currency: String? = nil, conversionTag: String? = nil,
    at date: Date = Date()
  ) async throws {
    try await record(
      AppEvent(name: name, date: date, amount: amount, currency: currency, conversionTag: conversionTag))
  }

  /// Lets an install of a random share show, in a coarse value of a later window, whether another source attributes it too;
  /// see ``SkanMapping/AppConversions/recordOverlap(isAttributed:share:at:)``.
  ///
  /// - Parameter share: The part of installs that show it, 0 through 1.
  /// - Throws: What the store or a call throws.
  public func recordOverlap(isAttributed: Bool, share: Double, at date: Date = Date()) async throws {
    try await make(
      conversions.recordOverlap(isAttributed: isAttributed, share: share, at: date.appMilliseconds))
  }

  /// Lets an address open the app; one with the parameter `AdAttributionKitReengagementOpen` begins a re-engagement.
  ///
  /// - Returns: Whether it has the parameter.
  /// - Throws: What the store or a call throws.
  @discardableResult
  public func open(_ url: URL, at date: Date = Date()) async throws -> Bool {
    let items = URLComponents(url: url, resolvingAgainstBaseURL: false)?.queryItems ?? []
    guard let item = items.first(where: { $0.name == "AdAttributionKitReengagementOpen" }) else {
      return false
    }
    try await reengage(tag: item.value.flatMap { $0.isEmpty ? nil : $0 }, at: date)
    return true
  }

  /// Lets the user come back through an ad, which begins a conversion of its own under AdAttributionKit.
  ///
  /// - Parameter tag: The tag of the conversion, at most 64 bytes; `nil` where there is none.
  /// - Throws: What the store or a call throws.
  public func reengage(tag: String?, at date: Date = Date()) async throws {
    try await make(conversions.reengage(tag: tag, at: date.appMilliseconds))
  }

  /// Makes calls after all that were caused before.
  private func make(_ updates: [AppUpdate]) async throws {
    guard !updates.isEmpty else { return }
    let earlier = latest
    let task = Task {
      _ = await earlier?.result
      for update in updates {
        try await call(update)
        try conversions.confirm(update)
      }
    }
    latest = task
    try await task.value
  }
}
