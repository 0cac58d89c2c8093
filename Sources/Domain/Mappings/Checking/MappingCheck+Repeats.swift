import JSONText
import Postbacks
import Values

// Rules that are the same, and values with two meanings.

extension MappingCheck {
  /// Reports the same rule twice, and one value for two things.
  mutating func checkRepeats() {
    checkRepeatedFine()
    for (window, coarse) in mapping.coarse.ordered(by: { $0.key < $1.key }) {
      var first: [Conditions: CoarseRule] = [:]
      for (rule, place) in zip(coarse.rules, document.coarsePlaces[window] ?? []) {
        guard let earlier = first.updateValue(rule, forKey: rule.conditions) else { continue }
        log.report(
          .repeatedRule, place,
          earlier.value == rule.value
            ? Sentence("window \(window.rawValue + 1) has this rule for \(code: rule.value.rawValue) twice")
            : Sentence(
              "this rule for \(code: rule.value.rawValue) has the same condition as the one for "
                + "\(code: earlier.value.rawValue), which no user gets"),
          hint: Sentence("Delete one of the two rules."),
          repair: MappingRepair(deleting: place.path))
      }
    }
  }

  private mutating func checkRepeatedFine() {
    var byValue: [FineValue: [Int]] = [:]
    for index in mapping.fine.indices { byValue[mapping.fine[index].value, default: []].append(index) }
    for indices in byValue.values.ordered(by: { $0[0] < $1[0] }) where indices.count > 1 {
      var different: [Int] = []
      for index in indices {
        let rule = mapping.fine[index]
        if different.contains(where: { mapping.fine[$0].conditions == rule.conditions }) {
          log.report(
            .repeatedRule, document.finePlaces[index],
            Sentence("the mapping has this rule for value \(rule.value.number) twice"),
            hint: Sentence("Delete one of the two rules."),
            repair: MappingRepair(deleting: document.finePlaces[index].path))
        } else {
          different.append(index)
        }
      }
      let labels = Set(different.map { mapping.fine[$0].label })
      guard different.count > 1, labels.count > 1 || labels.contains(nil) else { continue }
      log.report(
        .severalMeanings, document.finePlaces[different[1]],
        Sentence(
          "\(words(different[1])) has \(different.count) different meanings, and a postback does not "
            + "distinguish them"),
        hint: Sentence("Use one value for each meaning; if the meaning is the same, use the same \"label\"."))
    }
  }
}
