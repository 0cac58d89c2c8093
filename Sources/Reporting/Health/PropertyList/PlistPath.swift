/// The way to a value of a property list: keys and the numbers of elements.
package struct PlistPath: Hashable, Sendable, CustomStringConvertible {
  package enum Step: Hashable, Sendable {
    case key(String)
    /// The number of an element, from 0.
    case element(Int)
  }

  package let steps: [Step]

  package static let top = PlistPath(steps: [])

  package func key(_ name: String) -> PlistPath { PlistPath(steps: steps + [.key(name)]) }
  package func element(_ number: Int) -> PlistPath { PlistPath(steps: steps + [.element(number)]) }

  /// The path as text, such as `SKAdNetworkItems[3].SKAdNetworkIdentifier`; `top level` for none.
  package var description: String {
    var text = ""
    for step in steps {
      switch step {
      case .key(let name): text += text.isEmpty ? name : ".\(name)"
      case .element(let number): text += "[\(number)]"
      }
    }
    return text.isEmpty ? "top level" : text
  }
}
