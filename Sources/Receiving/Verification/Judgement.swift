public import Postbacks
package import Values

/// The verdict on one body, and what is shown of it.
public struct Judgement: Equatable, Sendable {
  /// The framework the body belongs to, as far as it is known.
  public let kind: PostbackKind
  /// The version as text, `aak` for AdAttributionKit; `nil` where none can be read.
  public let version: String?
  /// `transaction-id` or `postback-identifier`, where there is a text.
  public let id: String?
  public let verdict: Verdict
  /// What a body without a signature claims, in ``Environment/claimed``; `nil` for every other body.
  ///
  /// It counts only where the operator takes the sender's word for it.
  public let claim: VerifiedPostback?
  /// Oddities that change nothing of the verdict.
  public let warnings: [PostbackWarning]

  /// Whether a member that Apple does not sign has a text for no value, which was read as a missing member.
  public var hasNullText: Bool { warnings.contains { if case .nullAsText = $0 { true } else { false } } }

  // None of these is inlined: where two are, Swift 6.3.1 stops in CopyPropagation, in release builds only.

  /// The verdict in one word.
  @inline(never)
  public var state: VerdictState {
    switch verdict {
    case .valid: .valid
    case .invalid: .invalid
    case .unverifiable: .unverifiable
    case .malformed: .malformed
    }
  }

  /// Whose key signed it, when it is valid.
  @inline(never)
  public var environment: Environment? { verified?.environment }

  /// The postback, when it is valid.
  @inline(never)
  public var verified: VerifiedPostback? { if case .valid(let postback) = verdict { postback } else { nil } }

  /// The stable code of why it is not valid; `nil` when it is.
  @inline(never)
  public var reasonCode: String? {
    switch verdict {
    case .valid: nil
    case .invalid(let reason): reason.code
    case .unverifiable(let reason): reason.code
    case .malformed(let defect): defect.code
    }
  }

  /// The code and a sentence of why it is not valid; `nil` when it is.
  @inline(never)
  package var reason: Sentence? {
    switch verdict {
    case .valid: nil
    case .invalid(let reason): reason.codedSentence
    case .unverifiable(let reason): reason.codedSentence
    case .malformed(let defect): defect.codedSentence
    }
  }
}

/// What a check of a body came to.
public enum Verdict: Equatable, Sendable {
  /// Signed by a trusted key over the documented fields.
  case valid(VerifiedPostback)
  /// The signature does not hold.
  case invalid(InvalidReason)
  /// It can't be judged: unknown version or key, or no signature.
  case unverifiable(UnverifiableReason)
  case malformed(PostbackDefect)
}

/// A verdict in one word; the raw value is the word.
public enum VerdictState: String, Hashable, Sendable, CaseIterable {
  case valid, invalid, unverifiable, malformed
}
