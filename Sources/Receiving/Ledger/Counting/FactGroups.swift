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

  private let dimensions: [CampaignDimension]
  private let ofSources: [@Sendable (PostbackFacts.Source) -> Int64]
  private var sourceNumbers: [[Int64]: Int] = [:]
  private var sourceCodes: [[Int64]] = []
  private var sourcePart: Part?
  /// Where the code of the dimension at a place is: among those of sources, or in a part of its own.
  private let places: [(part: Part, ofSource: Int?)]
  private(set) var keys: NumberedKeys

  init(_ dimensions: [CampaignDimension]) {
    self.dimensions = dimensions
    let codes = dimensions.map(\.definition.codes)
    ofSources = codes.compactMap(\.ofSource)
    var filled: [UInt64] = []
    func part(_ bits: UInt64) -> Part {
      let word = filled.firstIndex { $0 + bits <= 64 } ?? filled.count
      if word == filled.count { filled.append(0) }
      defer { filled[word] += bits }
      return Part(word: word, shift: filled[word], bits: bits)
    }
    let sourcePart = ofSources.isEmpty ? nil : part(32)
    var ofSource = 0..<ofSources.count
    places = codes.map { codes in
      if let sourcePart, codes.ofSource != nil { return (sourcePart, ofSource.popFirst()) }
      return (part(codes.bits), nil)
    }
    self.sourcePart = sourcePart
    keys = NumberedKeys(width: filled.count)
  }

  var count: Int { keys.count }
  var width: Int { keys.width }

  /// The number of what a source decides of a group.
  mutating func sourceNumber(of codes: PostbackFacts.Source) -> UInt64 {
    let codes = ofSources.map { $0(codes) }
    if let number = sourceNumbers[codes] { return UInt64(number) }
    sourceNumbers[codes] = sourceCodes.count
    sourceCodes.append(codes)
    return UInt64(sourceCodes.count - 1)
  }

  /// Puts the numbers of sources into keys.
  func pack(sources: [UInt64], into keys: inout [UInt64]) {
    guard let part = sourcePart else { return }
    let width = width
    var keys = keys.mutableSpan
    for index in sources.indices { keys[index * width + part.word] |= sources[index] << part.shift }
  }

  /// Puts the codes of the dimension at a place into keys, one that no source decides; a code counts from 0 on, or is -1 for none.
  func pack(_ place: Int, _ codes: [Int64], into keys: inout [UInt64]) {
    let part = places[place].part
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
    let (part, ofSource) = places[place]
    let bits = keys[group, part.word] >> part.shift
    if let ofSource { return sourceCodes[Int(bits & 0xFFFF_FFFF)][ofSource] }
    return Int64(bitPattern: bits << (64 - part.bits)) >> Int64(64 - part.bits)
  }

  /// The groups in the order of their dimensions.
  ///
  /// - Parameter sort: The places of different codes of a dimension, in the order of rows.
  func sorted(_ sort: (CampaignDimension, [Int64]) -> [Int]) -> [Int] {
    var order = [UInt64](repeating: 0, count: count)
    var largest: UInt64 = 0
    for (place, dimension) in dimensions.enumerated() {
      // Numbers of the codes first, because a number is found in less time than an element of a set or dictionary.
      var codes = NumberedKeys(width: 1)
      var numbers: [UInt32] = []
      codes.find((0..<count).map { UInt64(bitPattern: code($0, place)) }, count: count, &numbers)
      var ranks = [UInt64](repeating: 0, count: codes.count)
      let sorted = sort(dimension, (0..<codes.count).map { Int64(bitPattern: codes[$0, 0]) })
      for (rank, place) in sorted.enumerated() { ranks[place] = UInt64(rank) }
      let (product, overflow) = (largest + 1).multipliedReportingOverflow(by: UInt64(ranks.count))
      if overflow { largest = Self.densify(&order) }
      largest = overflow ? (largest + 1) &* UInt64(ranks.count) : product
      for group in 0..<count {
        order[group] = order[group] * UInt64(ranks.count) + ranks[Int(numbers[group])]
      }
    }
    return (0..<count).map { (order: order[$0], group: $0) }.sorted { $0.order < $1.order }.map(\.group)
  }

  /// Replaces numbers by the smallest in the same order, and returns the largest.
  private static func densify(_ numbers: inout [UInt64]) -> UInt64 {
    let places = Dictionary(
      uniqueKeysWithValues: Set(numbers).sorted().enumerated().map { ($1, UInt64($0)) })
    numbers = numbers.map { places[$0] ?? 0 }
    return UInt64(max(1, places.count) - 1)
  }
}
