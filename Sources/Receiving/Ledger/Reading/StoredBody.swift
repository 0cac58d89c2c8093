import OpenSSL
import Postbacks
import SQLite
import Verification

/// A stored body with all that it is compared with.
struct StoredBody: Sendable {
  enum Source: CaseIterable, Sendable {
    case postback, copy, rejected, form, mapping, publication

    /// Rows behind ?1 and ?2, at most ?3: number, kind, body, digest, and what the table has besides.
    var sql: String {
      func of(_ table: String, _ columns: String) -> String {
        "SELECT t.id, 0, \(columns) FROM \(table) t WHERE t.id > ?1 AND ?2 IS NOT NULL ORDER BY t.id LIMIT ?3"
      }
      return switch self {
      case .postback: of("postback", "t.body, t.digest, t.received_at, t.environment, t.fingerprint")
      case .copy:
        """
        SELECT t.id, 0, t.body, t.digest, t.conflict, p.environment, p.fingerprint, p.version, p.app, p.campaign,
          p.outcome, p.interaction, p.value, p.country
        FROM postback_copy t LEFT JOIN postback p ON p.id = t.postback
        WHERE t.id > ?1 AND ?2 IS NOT NULL AND t.body IS NOT NULL ORDER BY t.id LIMIT ?3
        """
      case .rejected: of("rejected", "t.body, t.digest, t.received_at")
      case .form:
        """
        SELECT row, kind, received, digest FROM network_form WHERE (kind, row) > (?2, ?1) ORDER BY kind, row LIMIT ?3
        """
      case .mapping: of("mapping_version", "t.document, t.digest")
      case .publication: of("mapping_publication", "t.document, t.digest")
      }
    }
  }

  /// What is beside the body.
  private enum Beside: Sendable {
    case postback(environment: Int64, fingerprint: Int64)
    case copy(environment: Int64, fingerprint: Int64, first: FactsRow, conflict: String?)
    case nothing
  }

  private enum Digest: Sendable {
    case value(Int64, with: Int64)
    case whole([UInt8])
    case text(String)
  }

  let row: Int64
  let kind: Int64
  private let table: String
  private let body: [UInt8]
  private let digest: Digest
  private let beside: Beside

  init(_ source: Source, _ found: borrowing Row) {
    let (row, kind) = (found.count(0), found.count(1))
    (self.row, self.kind) = (row, kind)
    body = found.bytes(2)
    func value(with number: Int64) -> Digest { .value(found.count(3), with: number) }
    switch source {
    case .postback:
      table = "postback"
      digest = value(with: found.count(4))
      beside = .postback(environment: found.count(5), fingerprint: found.count(6))
    case .copy:
      table = "postback_copy"
      digest = .whole(found.bytes(3))
      beside = .copy(
        environment: found.integer(5) ?? -1, fingerprint: found.count(6),
        first: FactsRow(
          version: found.count(7), app: found.count(8), campaign: found.text(9) ?? "",
          outcome: found.count(10),
          interaction: found.integer(11), value: found.integer(12), country: found.text(13)),
        conflict: found.text(4))
    case .rejected:
      table = "rejected"
      digest = value(with: found.count(4))
      beside = .nothing
    case .form:
      let owner = NetworkFormStore.Table(rawValue: kind)
      table = "network_form of \(owner?.name ?? "\(kind)")"
      digest = owner.map { value(with: StoredDigest.number(of: $0, row: row)) } ?? .whole([])
      beside = .nothing
    case .mapping, .publication:
      table = source == .mapping ? "mapping_version" : "mapping_publication"
      digest = .text(found.text(3) ?? "")
      beside = .nothing
    }
  }

  func examine(by keyring: Keyring, _ findings: inout BodyFindings) {
    var parts: [BodyFault.Part] = []
    if agreesWithDigest { findings.digested += 1 } else { parts.append(.digest) }
    switch beside {
    case .nothing: break
    case .postback(let environment, let fingerprint):
      if BodyDigest.isOne(body) {
        findings.withoutBody += 1
      } else {
        parts += verify(by: keyring, environment, fingerprint, &findings).parts
      }
    case .copy(let environment, let fingerprint, let first, let conflict):
      let (more, postback) = verify(by: keyring, environment, fingerprint, &findings)
      parts += more
      if let postback {
        let contradictions = first.contradictions(in: FactsRow(of: postback)).joined(separator: ",")
        if contradictions != conflict ?? "" { parts.append(.conflict) }
      }
    }
    findings.note(parts, table: table, row: row)
  }

  private var agreesWithDigest: Bool {
    switch digest {
    case .value(let value, let number):
      StoredDigest.value(
        BodyDigest.isOne(body) ? Array(body[1...]) : SHA256Digest(of: body).bytes, with: number)
        == value
    case .whole(let bytes): SHA256Digest(of: body).bytes == bytes
    case .text(let hex): SHA256Digest(of: body).hex == hex
    }
  }

  /// Verifies the signature, and that the body is of the conversion with a fingerprint.
  private func verify(
    by keyring: Keyring, _ code: Int64, _ fingerprint: Int64, _ findings: inout BodyFindings
  ) -> (parts: [BodyFault.Part], postback: VerifiedPostback?) {
    guard let environment = Environment(code: code) else { return ([.environment], nil) }
    let reading = PostbackReading(body)
    let judgement = keyring.judge(reading)
    var parts: [BodyFault.Part] = []
    var postback: VerifiedPostback?
    switch judgement.verdict {
    case .valid(let verified):
      postback = verified
      if verified.environment == environment || environment == .withdrawn {
        findings.verified += 1
      } else {
        parts.append(.environment)
      }
    case .malformed: return ([.unreadable], nil)
    case .invalid, .unverifiable:
      switch environment {
      case .claimed,
        .withdrawn where judgement.claim != nil:
        guard let claim = judgement.claim else { return ([.signature], nil) }
        postback = claim
        findings.withoutSignature += 1
      case .test, .withdrawn:
        // The service may trust a key that was not given here.
        findings.withoutKey += 1
        if environment == .test { postback = VerifiedPostback(checkedBefore: reading, environment: .test) }
      case .production, .development: return ([.signature], nil)
      }
    }
    if let postback, parts.isEmpty,
      ConversionKey(of: postback).fingerprint != UInt64(bitPattern: fingerprint)
    {
      parts.append(.identity)
    }
    return (parts, postback)
  }
}
