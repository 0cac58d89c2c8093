import JSONText
import Postbacks

extension FormReading {
  /// The same with the zeros in front of its source identifier that a program which takes it for a number leaves out: the
  /// fewest first, and none where the body is as it came.
  ///
  /// Which of them is Apple's body, the signature decides.
  package var withZeros: [FormReading] {
    let name = MemberName.sourceIdentifier.rawValue
    guard received != nil, let node = try? JSONReader.read(body), case .object(let object) = node.value,
      let digits = object.members.first(where: { $0.name == name })?.value.value.string,
      (1...3).contains(digits.utf8.count), digits.utf8.allSatisfy({ (0x30...0x39).contains($0) })
    else { return [] }
    return (max(2, digits.utf8.count + 1)...4).map { count in
      let text = String(repeating: "0", count: count - digits.utf8.count) + digits
      let bytes = JSONOutput.object(
        object.members.map { .init($0.name, $0.name == name ? .string(text) : JSONOutput($0.value.value)) }
      ).bytes()
      return FormReading(
        reading: PostbackReading(bytes), body: bytes, received: received, members: members)
    }
  }
}
