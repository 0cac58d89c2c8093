package import JSONText
package import Ledger
import Mappings
import Postbacks
import Values

extension StoredDraft {
  package var json: JSONOutput {
    [
      "id": .integer(id), "app": .integer(app.number), "name": .string(name), "etag": .string(etag),
      "revision": .integer(revision), "based-on": .optional(baseFrom?.description),
      "base-state": .string(baseState), "created-at": .string("\(createdAt)"),
      "created-by": .string(createdBy), "saved-at": .string("\(savedAt)"), "saved-by": .string(savedBy),
      "document": .string(String(decoding: document, as: UTF8.self)),
    ]
  }
}

extension StoredMapping {
  /// The version for programs.
  package var json: JSONOutput {
    [
      "app": .integer(app.number), "effective-from": .string("\(effectiveFrom)"), "digest": .string(digest),
      "file": .string(source), "loaded-at": .string("\(loadedAt)"),
      "document": .string(String(decoding: document, as: UTF8.self)),
    ]
  }
}

extension MappingPublication {
  /// The publication for programs.
  package var json: JSONOutput {
    [
      "app": .integer(app.number), "effective-from": .string("\(effectiveFrom)"), "digest": .string(digest),
      "file": .string(source), "published-at": .string("\(publishedAt)"),
      "published-by": .string(publishedBy), "note": .string(note), "draft": draft.map { .integer($0) } ?? nil,
      "replaced": .optional(replaced), "rolled-back-to": .optional(restored?.description),
    ]
  }
}

extension MappingPublisher.Outcome {
  package var word: String {
    switch self {
    case .published: "published"
    case .outdated: "outdated"
    case .stale: "stale"
    case .dateTaken: "date-taken"
    case .broken: "broken"
    case .otherApp: "other-app"
    case .notLoaded: "not-loaded"
    case .missing: "missing"
    }
  }

  /// The outcome for programs, with both texts where two collide.
  package var json: JSONOutput {
    var members: [JSONOutput.Member] = [.init("outcome", .string(word))]
    switch self {
    case .published(let publication, let file):
      members += [.init("publication", publication.json), .init("path", .optional(file))]
    case .outdated(let contest):
      members += [
        .init("state", .string(contest.state)), .init("theirs", contest.theirs?.json ?? nil),
        .init("yours", .string(String(decoding: contest.yours, as: UTF8.self))),
        .init("versions", .array(contest.versions.map(\.json))),
      ]
    case .stale(let draft): members.append(.init("theirs", draft.json))
    case .dateTaken(let version): members.append(.init("theirs", version.json))
    case .broken(let findings):
      members.append(.init("errors", .array(findings.map { .string($0.description) })))
    case .otherApp(let app): members.append(.init("app", .integer(app.number)))
    case .notLoaded(let reason, let remedy):
      members += [.init("reason", .string(reason)), .init("cure", .optional(remedy))]
    case .missing: break
    }
    return .object(members)
  }
}
