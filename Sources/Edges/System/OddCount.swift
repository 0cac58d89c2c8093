import Glibc

/// Whether a byte occurs an odd number of times, by the C library's search, which takes many bytes at a time.
public func occursOddly(_ byte: UInt8, in bytes: Span<UInt8>) -> Bool {
  unsafe bytes.withUnsafeBufferPointer { bytes in
    var isOdd = false
    var rest = UnsafeRawBufferPointer(bytes)
    while let start = rest.baseAddress, let found = unsafe memchr(start, Int32(byte), rest.count) {
      isOdd.toggle()
      unsafe rest = UnsafeRawBufferPointer(
        rebasing: rest[(found - UnsafeMutableRawPointer(mutating: start) + 1)...])
    }
    return isOdd
  }
}
