/// Lower-case hexadecimal of some bytes.
public func hexText(_ bytes: some Sequence<UInt8>) -> String {
  var text: [UInt8] = []
  text.reserveCapacity(2 * bytes.underestimatedCount)
  for byte in bytes {
    text.append(hexDigit(byte >> 4))
    text.append(hexDigit(byte & 15))
  }
  return String(decoding: text, as: UTF8.self)
}

private func hexDigit(_ number: UInt8) -> UInt8 {
  number < 10 ? UInt8(ascii: "0") + number : UInt8(ascii: "a") + number - 10
}
