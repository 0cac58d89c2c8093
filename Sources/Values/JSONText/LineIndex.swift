/// The starts of a text's lines, to find the line of many bytes quickly.
public struct LineIndex {
  private let bytes: [UInt8]
  private let starts: [Int]

  public init(_ bytes: [UInt8]) {
    self.bytes = bytes
    starts = [0] + bytes.indices.lazy.filter { bytes[$0] == 0x0A }.map { $0 + 1 }
  }

  public func position(ofByte offset: Int) -> TextPosition {
    let line = max(0, starts.partitioningIndex { $0 > offset } - 1)
    return TextPosition(ofByte: offset, inLine: line + 1, from: starts[line], of: bytes)
  }
}

extension [Int] {
  /// The first index whose element, in this sorted array, passes the test.
  fileprivate func partitioningIndex(where test: (Int) -> Bool) -> Int {
    var low = startIndex
    var high = endIndex
    while low < high {
      let middle = low + (high - low) / 2
      if test(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
