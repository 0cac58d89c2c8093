import Values

/// Makes random events files, sound but awkward.
struct RandomEvents {
  private var random: SplitMix64
  private let rows: [[String]]
  private static let names = [
    "user", "time", "event", "revenue", "currency", "campaign", "installed", "extra",
    "conversion-tag", "source_app", "country",
  ]

  init(seed: UInt64, rows count: Int) {
    var random = SplitMix64(seed: seed)
    func pick(_ texts: [String]) -> String { texts[random.number(below: texts.count)] }
    let users = (0..<max(1, count / 4)).map { number in
      (
        name: pick(["u\(number)", "ü \(number)", "a,b\"\(number)", "line\nbreak\(number)", "\(number)"]),
        install: 1_700_000_000 + random.number(below: 1_000_000), tells: random.happens(0.5)
      )
    }
    var rows: [[String]] = []
    for _ in 0..<count {
      let user = users[random.number(below: users.count)]
      let time = user.install + random.number(below: 400) * random.number(below: 2000)
      let instant = Instant(seconds: Int64(time))
      let money = pick(["", "", "1", "0.99", "-12.5", "1e2", "0", "123456789.123456", "0.000001"])
      rows.append([
        user.name, pick(["\(time)", "\(instant)", "\(instant)".replacing("Z", with: ".250+00:00")]),
        pick(["open", "buy", "level,1", "q\"uote", "é"]), money,
        money.isEmpty ? pick(["", "USD"]) : pick(["", "eur", "USD", "jPy"]), pick(["", "", "12", "win,ter"]),
        user.tells && random.happens(0.5)
          ? pick(["\(user.install)", "\(Instant(seconds: Int64(user.install)))"]) : "",
        pick(["", "x", "1"]), pick(["", "", "t\"1", "täg"]), pick(["", "7", "1234567891"]),
        pick(["", "DE", "US"]),
      ])
    }
    self.rows = rows
    self.random = random
  }

  /// The file as CSV, with quotation marks here and there.
  mutating func table() -> [UInt8] {
    let order = shuffled(Array(Self.names.indices))
    let end = random.happens(0.5) ? "\r\n" : "\n"
    var text = random.happens(0.5) ? "\u{FEFF}" : ""
    text += order.map { Self.names[$0] }.joined(separator: ",") + end
    for row in rows {
      if random.happens(0.1) { text += end }
      let cells = order.map { index in
        let cell = row[index]
        let needsQuotes = cell.contains { "\",\n\r".contains($0) }
        guard needsQuotes || random.happens(0.2) else { return cell }
        return "\"" + cell.replacing("\"", with: "\"\"") + "\""
      }
      text += cells.joined(separator: ",") + end
    }
    if random.happens(0.5) { text.removeLast() }
    return Array(text.utf8)
  }

  /// The file as NDJSON, with escapes, blanks and other members here and there.
  mutating func lines() -> [UInt8] {
    let end = random.happens(0.5) ? "\r\n" : "\n"
    var text = random.happens(0.5) ? "\u{FEFF}" : ""
    for row in rows {
      if random.happens(0.1) { text += " " + end }
      var members: [String] = []
      for index in shuffled(Array(Self.names.indices)) {
        if row[index].isEmpty, random.happens(0.7) { continue }
        members.append(
          "\"\(Self.names[index])\"\(random.happens(0.2) ? " : " : ":")\(value(row[index], index))")
      }
      if random.happens(0.1) { members.append(#""deep":{"user":["x"]}"#) }
      text += "{" + members.joined(separator: random.happens(0.2) ? " , " : ",") + "}" + end
    }
    if random.happens(0.5) { text.removeLast() }
    return Array(text.utf8)
  }

  private mutating func value(_ text: String, _ index: Int) -> String {
    if text.isEmpty { return random.happens(0.5) ? "null" : "\"\"" }
    if index == 3, random.happens(0.5) { return text }
    if index == 1 || index == 6, Int(text) != nil, random.happens(0.5) { return text }
    var escaped = text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing(
      "\n", with: "\\n")
    if random.happens(0.1) { escaped = escaped.replacing("u", with: "\\u0075") }
    return "\"\(escaped)\""
  }

  private mutating func shuffled(_ list: [Int]) -> [Int] {
    var list = list
    for index in list.indices.reversed() { list.swapAt(index, random.number(below: index + 1)) }
    return list
  }
}
