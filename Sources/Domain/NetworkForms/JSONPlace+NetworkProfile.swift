package import JSONText
import Postbacks
import Values

extension JSONPlace {
  private static let form = JSONForm(
    "a form", optional: ["containers", "base64", "text", "names", "text-values", "signed", "test-member"])

  /// A profile: the name of a built-in one, or the form of a network in members.
  package func networkProfile(named name: String) throws(JSONProblem) -> NetworkProfile {
    if node.value.object == nil {
      let word = try text()
      if let profile = NetworkProfile.builtIn(word) { return profile }
      let known = NetworkProfile.builtIn.map(\.name)
      let meant = NameGuess.meant(by: word, among: known, synonyms: [:])
      throw problem(
        .unknownWord(word, known: known), cure: meant.map { Sentence("Did you mean \(code: quoted($0))?") })
    }
    let members = try members(Self.form)
    var containers: Set<NetworkProfile.Container> = []
    for entry in try members["containers"]?.list() ?? [] { containers.insert(try entry.word()) }
    if let place = members["containers"], containers.isEmpty {
      throw place.mistake("must have \"json\", \"parameters\" or both")
    }
    let content: NetworkProfile.Content
    switch (members["base64"], members["text"]) {
    case (nil, nil): content = .members
    case (let place?, nil): content = .base64(member: try place.text())
    case (nil, let place?): content = .text(member: try place.text())
    case (_?, let place?): throw place.mistake("excludes \"base64\"")
    }
    return NetworkProfile(
      name: name, summary: "The form of the network \(name) in the configuration.",
      containers: containers.isEmpty ? [.json] : containers, content: content,
      names: try members["names"]?.memberNames() ?? [:],
      restoresTypes: try members["text-values"]?.truth() ?? false,
      isSigned: try members["signed"]?.truth() ?? true, testMember: try members["test-member"]?.text())
  }

  private func memberNames() throws(JSONProblem) -> [String: MemberName] {
    var names: [String: MemberName] = [:]
    for (theirs, place) in try members() {
      let word = try place.text()
      let known = MemberName.ofBodies.map(\.rawValue).sorted()
      guard let member = MemberName.ofBodies.first(where: { haveSameBytes($0.rawValue, word) }) else {
        let meant = NameGuess.meant(by: word, among: known, synonyms: [:])
        throw place.problem(
          .unknownWord(word, known: known), cure: meant.map { Sentence("Did you mean \(code: quoted($0))?") })
      }
      names[theirs] = member
    }
    return names
  }
}
