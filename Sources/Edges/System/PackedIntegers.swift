/// Appends integers that lie in bytes without a gap, little-endian, of one width.
///
/// - Parameters:
///   - width: The bytes of each: 1, 2 or 4; of any other, nothing is appended.
package func appendIntegers(_ bytes: ArraySlice<UInt8>, width: Int, to integers: inout [UInt32]) {
  unsafe bytes.withUnsafeBytes { bytes in
    let count = width > 0 ? bytes.count / width : 0
    integers.append(addingCapacity: count) { integers in
      switch width {
      case 1: for place in 0..<count { integers.append(UInt32(unsafe bytes[place])) }
      case 2:
        for place in 0..<count {
          let integer = unsafe bytes.loadUnaligned(fromByteOffset: 2 * place, as: UInt16.self)
          integers.append(UInt32(UInt16(littleEndian: integer)))
        }
      case 4:
        for place in 0..<count {
          let integer = unsafe bytes.loadUnaligned(fromByteOffset: 4 * place, as: UInt32.self)
          integers.append(UInt32(littleEndian: integer))
        }
      default: break
      }
    }
  }
}
