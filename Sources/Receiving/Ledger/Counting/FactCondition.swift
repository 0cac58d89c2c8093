/// A condition on what single postbacks have, with the answers that were given.
struct FactCondition {
  let condition: CampaignCondition
  private var answers: [Int64: Bool] = [:]
  private var last: (code: Int64, isAdmitted: Bool)?

  init(_ condition: CampaignCondition) { self.condition = condition }

  mutating func admits(_ code: Int64, _ codes: CampaignCodes) -> Bool {
    if let last, last.code == code { return last.isAdmitted }
    let isAdmitted = answers[code] ?? condition.admits(codes.word(of: condition.dimension, code))
    answers[code] = isAdmitted
    last = (code, isAdmitted)
    return isAdmitted
  }
}
