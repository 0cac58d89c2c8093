import Journal

extension FuzzTarget {
  /// Batches of a journal: content within its limit or a stated error, and what is packed again unpacks to the same.
  static let journalBatch = FuzzTarget(
    "journal-batch", dictionary: ["\u{1}\0\0\0\0", "\u{1}\u{1}\0\0\0", "\u{2}"]
  ) { bytes in
    let reading = Result { () throws(BatchError) in try BatchUnpacker().unpack(bytes) }
    switch reading {
    case .failure(let error): try law(!error.description.isEmpty, "an error has words")
    case .success(let content):
      try law(content.count <= BatchEnvelope.longestContent, "a content is not longer than the limit")
      let again = try BatchPacker().pack(content)
      try law(again.count <= content.count + 6, "packing adds only the head")
      try law(try BatchUnpacker().unpack(again) == content, "what is packed again unpacks to the same")
    }
  }
}
