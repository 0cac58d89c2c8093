// Compiled only where Apple's frameworks exist: on iOS and its relatives, not on Linux, where the rest is built and
// tested.
#if canImport(StoreKit)
  import StoreKit
  #if canImport(AdAttributionKit)
    import AdAttributionKit
  #endif

  /// Makes the calls that ``AppConversions`` returns.
  public enum AppleCalls {
    /// Makes one call: by AdAttributionKit for a mapping of that protocol, by SKAdNetwork for others.
    ///
    /// Both frameworks want a fine value where the mapping sets a coarse one alone in window 1; it is 0 then.
    /// SKAdNetwork locks a window only together with a coarse value; without one the window stays open.
    ///
    /// - Parameter update: What ``AppConversions`` returned.
    /// - Throws: What the framework throws; the update is then not confirmed, and returned again at the next launch.
    @available(iOS 16.1, *)
    @available(macOS, unavailable)
    @available(tvOS, unavailable)
    @available(watchOS, unavailable)
    @available(visionOS, unavailable)
    public static func make(_ update: AppUpdate) async throws {
      #if canImport(AdAttributionKit)
        if update.device == .aak, #available(iOS 18.0, *) {
          return try await makeByAdAttributionKit(update)
        }
      #endif
      guard let coarse = update.coarse else {
        return try await SKAdNetwork.updatePostbackConversionValue(update.fine ?? 0)
      }
      try await SKAdNetwork.updatePostbackConversionValue(
        update.fine ?? 0, coarseValue: skAdNetworkValue(coarse), lockWindow: update.lock)
    }

    @available(iOS 16.1, *)
    private static func skAdNetworkValue(_ value: AppCoarseValue) -> SKAdNetwork.CoarseConversionValue {
      switch value {
      case .low: .low
      case .medium: .medium
      case .high: .high
      }
    }

    #if canImport(AdAttributionKit)
      @available(iOS 18.0, *)
      private static func makeByAdAttributionKit(_ update: AppUpdate) async throws {
        let coarse: CoarseConversionValue? = update.coarse.map {
          switch $0 {
          case .low: .low
          case .medium: .medium
          case .high: .high
          }
        }
        if #available(iOS 18.4, *), let tag = update.conversionTag {
          return try await Postback.updateConversionValue(
            PostbackUpdate(
              fineConversionValue: update.fine ?? 0, lockPostback: update.lock, coarseConversionValue: coarse,
              conversionTag: tag))
        }
        try await Postback.updateConversionValue(
          PostbackUpdate(
            fineConversionValue: update.fine ?? 0, lockPostback: update.lock, coarseConversionValue: coarse,
            conversionTypes: [update.conversionType == .install ? .install : .reengagement]))
      }
    #endif
  }
#endif
