import Glibc

/// The name of this machine, as the kernel has it; empty where it has none.
public var hostName: String {
  var bytes = [CChar](repeating: 0, count: 256)
  // The last byte stays zero, whatever the length of the name.
  guard unsafe gethostname(&bytes, bytes.count - 1) == 0 else { return "" }
  return String(decoding: bytes.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
}
