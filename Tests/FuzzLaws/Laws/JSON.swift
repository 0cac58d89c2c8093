import JSONText

extension FuzzTarget {
  /// Strict JSON: what is read and written again reads as the same.
  static let json = FuzzTarget("json", dictionary: jsonWords) { bytes in
    let node: JSONNode
    do throws(JSONDefect) { node = try JSONReader.read(bytes) } catch {
      try law((0...bytes.count).contains(error.offset), "a defect lies within the text: \(error.offset)")
      try law(error.description.utf8.count < 2_000, "a message is short, whatever the text")
      try law(
        error.reason == .duplicateMember || (try? JSONReader.read(bytes, allowingDuplicates: true)) == nil,
        "only duplicates are let pass: \(error)")
      return
    }
    try checkAccepted(node, bytes)
  }

  static let jsonWords = [
    "{", "}", "[", "]", ":", ",", "\"", "\\", "null", "true", "false", "\\u0000", "\\ud83d\\ude00", "\\ud83d",
    "\\udc00", "\u{FEFF}", "\"a\":1,\"a\":2", "e\u{301}", "\u{E9}", "1E5", "-", "[[[[[[[[", "]]]]]]]]",
  ]

  private static func checkAccepted(_ node: JSONNode, _ bytes: [UInt8]) throws {
    let compact = JSONOutput(node.value).bytes()
    let pretty = JSONOutput(node.value).bytes(pretty: true)
    try law(compact.count <= 6 * bytes.count, "compact text is at most six times as long")
    // An indentation of two for each level, of which there are 64, in front of each value.
    try law(pretty.count <= 140 * bytes.count + 64, "pretty text is bounded by the depth")
    for text in [compact, pretty] {
      let again = try JSONReader.read(text)
      try law(JSONOutput(again.value).bytes() == compact, "what is written reads as the same")
    }
    try law(try JSONReader.read(bytes, depthLimit: 512) == node, "the limit of depth changes no value")
    try law(
      try JSONReader.read(bytes, allowingDuplicates: true) == node, "letting duplicates pass changes no value"
    )
    let start = JSONReader.skipWhitespace(in: bytes, from: 0)
    try law(node.range.lowerBound == start, "a value starts behind white space")
    try law(
      try JSONReader.read(Array(bytes[node.range])).value.sort == node.value.sort, "a range is a value's own")
    if let elements = node.value.array {
      try law(
        try JSONReader.elementRanges(ofArray: bytes) == elements.map(\.range),
        "elements are found where they are read")
    }
    if let object = node.value.object {
      try law(object.duplicate == nil, "no name is there twice")
      for member in object.members.prefix(20) {
        try law(object[member.name] == member.value, "a member is found by its name")
      }
    }
  }
}
