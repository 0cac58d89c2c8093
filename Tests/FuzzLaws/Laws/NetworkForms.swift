import JSONText
import NetworkForms
import Postbacks
import Verification

extension FuzzTarget {
  /// Networks' forms: whatever is valid after a profile has read it is valid for strict reading, and was signed.
  static let networkForm = FuzzTarget(
    "network-form",
    dictionary: jsonWords + [
      "&", "=", "+", "%", "%2B", "%00", "%E2%81%A3", "skan_postback", "skad_app_id", "did_win",
      "transaction_id",
      "test", "true", "false", "null", "\"1\"", "\"0\"", "\"\"", "{transaction-id}", "attribution-signature",
      "sk_payload", "body_app_id", "app_id", "id525463029", "\"2\"", "\"null\"",
    ]
  ) { bytes in
    // Profiles give few different bodies, and a check of a signature is what costs.
    var judgements: [[UInt8]: Judgement] = [:]
    for profile in NetworkProfile.builtIn {
      let form = profile.read(bytes)
      try law(form.received == nil || form.received == bytes, "what came is kept as it came")
      if form.received == nil { try law(form.body == bytes, "what is not restored is left as it came") }
      if case .malformed(.notInForm) = form.reading.outcome {
        try law(form.body == bytes, "what is not in the form is left as it came")
        continue
      }
      try law(
        form.reading == PostbackReading(form.body), "what is stored reads like what was read: \(profile.name)"
      )
      guard judgements[form.body] == nil else { continue }
      let judgement = genuine.keyring.judge(form.body)
      judgements[form.body] = judgement
      if let claim = judgement.claim {
        try law(claim.environment == .claimed, "a claim is in an environment of its own")
        try law(judgement.state == .unverifiable, "what is claimed is not verified")
      }
      guard let verified = judgement.verified else { continue }
      try law(verified.environment != .claimed, "what is verified is no claim")
      let message = form.reading.postback?.signedMessage ?? []
      try law(genuine.facts[message] == verified.attested, "only what was signed is valid: \(profile.name)")
    }
  }
}
