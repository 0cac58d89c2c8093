/// A value of an app document and where it is, for readers that name the place of what is wrong.
struct AppPlace {
  let value: AppJSON
  let path: String

  init(_ value: AppJSON, _ path: String = "") {
    self.value = value
    self.path = path
  }

  func wrong(_ allowed: String, found: String? = nil) -> AppDocumentError {
    AppDocumentError(place: path.isEmpty ? "document" : path, found: found ?? value.found, allowed: allowed)
  }

  /// The members of an object, all of whose names are known.
  func members(_ known: [String]) throws(AppDocumentError) -> [String: AppPlace] {
    guard case .object(let members) = value else { throw wrong("an object") }
    var places: [String: AppPlace] = [:]
    for (name, value) in members {
      guard known.contains(name) else {
        throw wrong(known.joined(separator: ", "), found: "the member \"\(shortened(name))\"")
      }
      places[name] = AppPlace(value, path.isEmpty ? name : "\(path).\(name)")
    }
    return places
  }

  func needed(_ name: String, of members: [String: AppPlace]) throws(AppDocumentError) -> AppPlace {
    guard let member = members[name] else {
      throw wrong("an object with the member \"\(name)\"", found: "no member \"\(name)\"")
    }
    return member
  }

  func list(atMost most: Int) throws(AppDocumentError) -> [AppPlace] {
    guard case .array(let elements) = value else { throw wrong("an array") }
    guard elements.count <= most else {
      throw wrong("at most \(most) elements", found: "\(elements.count) elements")
    }
    return elements.enumerated().map { AppPlace($1, "\(path)[\($0)]") }
  }

  func integer(_ range: ClosedRange<Int64>) throws(AppDocumentError) -> Int64 {
    guard case .integer(let number) = value, range.contains(number) else {
      throw wrong(
        range == Int64.min...Int64.max
          ? "a whole number" : "a whole number from \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }

  func text(atMost most: Int = 4096) throws(AppDocumentError) -> String {
    guard case .string(let text) = value, text.utf8.count <= most else {
      throw wrong("a text of at most \(most) bytes")
    }
    return text
  }

  func truth() throws(AppDocumentError) -> Bool {
    guard case .truth(let truth) = value else { throw wrong("true or false") }
    return truth
  }

  func word<Word: RawRepresentable<String> & CaseIterable>(
    _: Word.Type = Word.self
  ) throws(AppDocumentError) -> Word {
    guard case .string(let text) = value, let word = Word(rawValue: text) else {
      throw wrong(Word.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", "))
    }
    return word
  }

  /// Three capital letters; which of them are listed is the server's to check.
  func currency() throws(AppDocumentError) -> String {
    guard case .string(let text) = value, text.utf8.count == 3,
      text.utf8.allSatisfy({ (0x41...0x5A).contains($0) })
    else { throw wrong("a currency code of three capital letters") }
    return text
  }

  /// 64 lower-case hexadecimal digits.
  func digest() throws(AppDocumentError) -> String {
    guard case .string(let text) = value, text.utf8.count == 64,
      text.utf8.allSatisfy({ (0x30...0x39).contains($0) || (0x61...0x66).contains($0) })
    else { throw wrong("64 lower-case hexadecimal digits") }
    return text
  }

  /// A moment in UTC such as `2026-11-21T12:00:00Z` or `2026-11-21T12:00:00.250Z`, in milliseconds since 1970.
  func moment() throws(AppDocumentError) -> Int64 {
    guard case .string(let text) = value, let moment = milliseconds(Array(text.utf8)) else {
      throw wrong("a moment in UTC such as \"2026-11-21T12:00:00Z\"")
    }
    return moment
  }

  private func milliseconds(_ bytes: [UInt8]) -> Int64? {
    let form = Array("0000-00-00T00:00:00".utf8)
    guard bytes.count == 20 || bytes.count == 24, bytes.last == UInt8(ascii: "Z"),
      bytes.count == 20 || bytes[19] == UInt8(ascii: ".")
    else { return nil }
    let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
    for (byte, wanted) in zip(bytes, form) {
      guard wanted == UInt8(ascii: "0") ? digits.contains(byte) : byte == wanted else { return nil }
    }
    guard bytes.dropFirst(20).dropLast().allSatisfy(digits.contains) else { return nil }
    func number(_ range: Range<Int>) -> Int64 {
      bytes[range].reduce(0) { $0 * 10 + Int64($1 - UInt8(ascii: "0")) }
    }
    let (year, month, day) = (number(0..<4), number(5..<7), number(8..<10))
    let (hour, minute, second) = (number(11..<13), number(14..<16), number(17..<19))
    let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    let lengths: [Int64] = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    guard (1...12).contains(month), (1...lengths[Int(month) - 1]).contains(day), hour < 24, minute < 60,
      second < 60
    else { return nil }
    // Years before this one have a leap day each fourth, but for three of four centuries.
    let before = year - 1
    let leaps = year == 0 ? 0 : before / 4 - before / 100 + before / 400 + 1
    let days = year * 365 + leaps + lengths[..<Int(month - 1)].reduce(0, +) + day - 1
    let fraction = bytes.count == 24 ? number(20..<23) : 0
    return ((days - 719_528) * 86_400 + hour * 3600 + minute * 60 + second) * 1000 + fraction
  }
}
