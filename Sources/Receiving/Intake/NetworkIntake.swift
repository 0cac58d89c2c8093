import Ledger
package import NetworkForms
import Postbacks
package import Verification

/// The way in for one network: reads what it sends by its profile, judges and stores it.
package struct NetworkIntake: Sendable {
  private let intake: PostbackIntake
  private let network: String
  private let profile: NetworkProfile

  package init(_ intake: PostbackIntake, network: String, profile: NetworkProfile) {
    self.intake = intake
    self.network = network
    self.profile = profile
  }

  /// A document that was read and judged.
  package struct Item: Sendable {
    package let judgement: Judgement
    fileprivate let form: FormReading

    /// What the sender should correct, though it was read; the first few.
    ///
    /// - Returns: The sender's names of members, each with the code of the remark.
    package var remarks: [(member: String, code: String)] {
      var found: [(String, String)] = []
      for member in form.members {
        guard let remark = member.remark else { continue }
        found.append((member.name, remark.rawValue))
        if found.count == Self.mostRemarks { break }
      }
      return found
    }

    private static let mostRemarks = 8
  }

  /// Cuts a body into documents; parameters are one.
  package func documents(of body: [UInt8]) -> [[UInt8]] {
    if isParameters(body) { return [body] }
    var splitter = DocumentSplitter()
    return splitter.append(body) + splitter.finish()
  }

  package func isParameters(_ body: [UInt8]) -> Bool { profile.readsAsParameters(body) }

  package func judge(_ document: [UInt8]) -> Item { judge(profile.read(document)) }

  /// Reads and judges the parameters of a query, on the calling thread.
  package func judge(parameters: [(name: String, value: String)]) -> Item {
    judge(profile.read(parameters: parameters))
  }

  private func judge(_ form: FormReading) -> Item {
    let judged = intake.keyring.judge(form)
    return Item(judgement: judged.judgement, form: judged.form)
  }

  /// Hands an item to the ledger; the completion is called exactly once, also when the ledger turns it away.
  package func store(_ item: Item, _ completion: @escaping PostbackIntake.Completion) {
    let receipt = Receipt(
      item.judgement, of: item.form, by: profile, receivedAt: intake.now,
      from: Origin(.forwarded, name: network), quotaSource: network)
    intake.submit(receipt, completion)
  }
}
