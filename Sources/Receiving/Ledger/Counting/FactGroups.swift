import Postbacks
import Values
import Verification

/// Numbers for the groups that a question distinguishes: what their postbacks have in each dimension, packed into words.
struct FactGroups {
  private struct Part {
    let word: Int
    let shift: UInt64
    let bits: UInt64
  }

  /// Dimensions that a source decides; groups have one number for all of them.
  static func isOfSource(_ dimension: CampaignDimension) -> Bool {
    switch dimension {
    case .app, .network, .version, .window, .outcome: true
    default: false
    }
  }

  private let dimensions: [CampaignDimension]
  private let ofSources: [CampaignDimension]
  private var sourceNumbers: [[Int64]: Int] = [:]
  private var sourceCodes: [[Int64]] = []
  private var sourcePart: Part?
  private var parts: [CampaignDimension: Part] = [:]
  private(set) var keys: NumberedKeys

  init(_ dimensions: [CampaignDimension]) {
    self.dimensions = dimensions
    ofSources = dimensions.filter { Self.isOfSource($0) }
    var filled: [UInt64] = []
    func part(_ bits: UInt64) -> Part {
      let word = filled.firstIndex { $0 + bits <= 64 } ?? filled.count
      if word == filled.count { filled.append(0) }
      defer { filled[word] += bits }
      return Part(word: word, shift: filled[word], bits: bits)
    }
    if !ofSources.isEmpty { sourcePart = part(32) }
    for dimension in dimensions where !Self.isOfSource(dimension) && parts[dimension] == nil {
      parts[dimension] = part(Self.bits(dimension))
    }
    keys = NumberedKeys(width: filled.count)
  }

  private static func bits(_ dimension: CampaignDimension) -> UInt64 {
    switch dimension {
    case .interaction, .tier: 4
    case .country: 24
    default: 32
    }
  }

  var count: Int { keys.count }
  var width: Int { keys.width }

  /// The number of what a source decides of a group.
  mutating func sourceNumber(of codes: PostbackFacts.Source) -> UInt64 {
    let codes = ofSources.map { Self.code(of: codes, $0) }
    if let number = sourceNumbers[codes] { return UInt64(number) }
    sourceNumbers[codes] = sourceCodes.count
    sourceCodes.append(codes)
    return UInt64(sourceCodes.count - 1)
  }

  static func code(of source: PostbackFacts.Source, _ dimension: CampaignDimension) -> Int64 {
    switch dimension {
    case .app: source.app
    case .network: source.network
    case .version: source.version
    case .window: source.window
    case .outcome: source.outcome
    default: 0
    }
  }

  /// Puts the numbers of sources into keys.
  func pack(sources: [UInt64], into keys: inout [UInt64]) {
    guard let part = sourcePart else { return }
    let width = width
    var keys = keys.mutableSpan
    for index in sources.indices { keys[index * width + part.word] |= sources[index] << part.shift }
  }

  /// Puts the codes of a dimension into keys; a code counts from 0 on, or is -1 for none.
  func pack(_ dimension: CampaignDimension, _ codes: [Int64], into keys: inout [UInt64]) {
    guard let part = parts[dimension] else { return }
    let mask = UInt64.max >> (64 - part.bits)
    let width = width
    var keys = keys.mutableSpan
    for index in codes.indices {
      keys[index * width + part.word] |= (UInt64(bitPattern: codes[index]) & mask) << part.shift
    }
  }

  mutating func find(_ keys: [UInt64], count: Int, _ numbers: inout [UInt32]) {
    self.keys.find(keys, count: count, &numbers)
  }

  /// The numbers here of another count's groups, of the same sources in the same order.
  mutating func numbers(adding other: Self) -> [UInt32] { keys.numbers(adding: other.keys) }

  /// What a group has in the dimension at a place; -1 for none, and a signed number for a day.
  func code(_ group: Int, _ place: Int) -> Int64 {
    let dimension = dimensions[place]
    if Self.isOfSource(dimension) {
      guard let part = sourcePart, let own = ofSources.firstIndex(of: dimension) else { return 0 }
      return sourceCodes[Int(keys[group, part.word] >> part.shift & 0xFFFF_FFFF)][own]
    }
    guard let part = parts[dimension] else { return -1 }
    let bits = keys[group, part.word] >> part.shift
    return Int64(bitPattern: bits << (64 - part.bits)) >> Int64(64 - part.bits)
  }

  /// The groups in the order of their dimensions.
  ///
  /// - Parameter ranks: Numbers in the order of the words, for some codes of the dimension at a place.
  func sorted(_ ranks: (CampaignDimension, Set<Int64>) -> [Int64: Int64]) -> [Int] {
    var order = [UInt64](repeating: 0, count: count)
    var largest: UInt64 = 0
    for (place, dimension) in dimensions.enumerated() {
      // Numbers of the codes first, because a number is found in less time than an element of a set or dictionary.
      var codes = NumberedKeys(width: 1)
      var numbers: [UInt32] = []
      codes.find((0..<count).map { UInt64(bitPattern: code($0, place)) }, count: count, &numbers)
      let distinct = (0..<codes.count).map { Int64(bitPattern: codes[$0, 0]) }
      let dense = Self.dense(ranks(dimension, Set(distinct)))
      let ranks = distinct.map { dense[$0] ?? 0 }
      let (product, overflow) = (largest + 1).multipliedReportingOverflow(by: UInt64(ranks.count))
      if overflow { largest = Self.densify(&order) }
      largest = overflow ? (largest + 1) &* UInt64(ranks.count) : product
      for group in 0..<count {
        order[group] = order[group] * UInt64(ranks.count) + ranks[Int(numbers[group])]
      }
    }
    return (0..<count).map { (order: order[$0], group: $0) }.sorted { $0.order < $1.order }.map(\.group)
  }

  private static func dense(_ ranks: [Int64: Int64]) -> [Int64: UInt64] {
    let sorted = ranks.sorted { $0.value < $1.value }
    return Dictionary(uniqueKeysWithValues: sorted.enumerated().map { ($1.key, UInt64($0)) })
  }

  /// Replaces numbers by the smallest in the same order, and returns the largest.
  private static func densify(_ numbers: inout [UInt64]) -> UInt64 {
    let places = Dictionary(
      uniqueKeysWithValues: Set(numbers).sorted().enumerated().map { ($1, UInt64($0)) })
    numbers = numbers.map { places[$0] ?? 0 }
    return UInt64(max(1, places.count) - 1)
  }
}
