import JSONText
import NetworkForms
import Postbacks
import Signing
import Verification

/// Postbacks signed by throw-away keys, and the keyring that trusts them.
struct SignedPostbacks {
  let keyring: Keyring
  private let keys: SigningKeys

  init() throws {
    keys = try SigningKeys.generate()
    keyring = try Keyring(trusting: keys.keys)
  }

  /// Apple's members of a signed postback of a version, in Apple's order.
  func members(_ version: ProtocolVersion, seed: UInt64 = 1) throws -> [JSONOutput.Member] {
    var generator = PostbackGenerator(seed: seed)
    let node = try JSONReader.read(try keys.sign(generator.next(version)))
    guard case .object(let members) = JSONOutput(node.value) else { return [] }
    return members
  }

  /// The facts that a signed postback has by strict reading.
  func facts(_ members: [JSONOutput.Member]) -> AttestedFacts? {
    keyring.judge(JSONOutput.object(members).bytes()).verified?.attested
  }

  func judge(_ form: FormReading) -> Judgement { keyring.judge(form.reading) }
}

extension [JSONOutput.Member] {
  /// The same as a JSON object.
  var json: [UInt8] { JSONOutput.object(self).bytes() }

  /// All values as text.
  var asTexts: [JSONOutput.Member] { map { .init($0.name, .string($0.value.plainText)) } }

  /// Other names.
  func named(_ name: (String) -> String) -> [JSONOutput.Member] { map { .init(name($0.name), $0.value) } }

  /// The members as percent-encoded parameters.
  var query: String {
    map { "\(percentEncoded($0.name))=\(percentEncoded($0.value.plainText))" }.joined(separator: "&")
  }

  func without(_ names: String...) -> [JSONOutput.Member] { filter { !names.contains($0.name) } }
}

extension JSONOutput {
  /// A text as it is, and everything else as JSON writes it.
  var plainText: String { if case .string(let text) = self { text } else { text() } }
}

/// A text in which only letters and digits stay.
func percentEncoded(_ text: String) -> String {
  text.utf8.map { byte in
    let letter = Unicode.Scalar(byte)
    return letter.properties.isAlphabetic || (0x30...0x39).contains(byte)
      ? String(letter) : "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
  }.joined()
}
