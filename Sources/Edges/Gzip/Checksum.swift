import CZlib

/// The CRC-32 of bytes, as gzip has it.
///
/// Source: RFC 1952, section 8.
package func checksum(_ bytes: ArraySlice<UInt8>) -> UInt32 {
  unsafe bytes.withUnsafeBytes { bytes in
    UInt32(
      truncatingIfNeeded: unsafe crc32_z(0, bytes.bindMemory(to: UInt8.self).baseAddress, bytes.count))
  }
}
