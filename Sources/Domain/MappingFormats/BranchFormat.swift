package import JSONText
import Mappings
import Postbacks
import Values

/// Branch's mappings for ad networks.
///
/// Several conditions of one value are alternatives. Source: Branch, "Conversion value mapping partner API spec".
package enum BranchFormat {
  /// The event that stands for the first launch.
  static let install = "MOBILE_APP_INSTALL"

  /// Reads a mapping.
  ///
  /// - Throws: ``ImportDefect`` when the document has another form, is for another app or holds no rule.
  package static func mapping(
    _ node: JSONNode, _ context: ImportContext
  ) throws(ImportDefect) -> ImportedMapping {
    guard let object = node.value.object, let windows = object["mapping"]?.value.object,
      windows["postback-sequence-index-0"] != nil
    else { throw .notThisFormat }
    var log = ImportLog(context)
    try log.require(object.app("app-id"))
    log.ignoreUnknown(
      in: object, of: Sentence("the mapping"), known: ["app-id", "update", "ascending-only", "mapping"])
    if object["update"] != nil {
      log.add(
        .dateIgnored,
        Sentence("the file has the time of its last change, not the time from which devices use it"))
    }
    if let order = object["ascending-only"], order.value.bool == nil {
      log.add(
        .memberIgnored, Sentence("\"ascending-only\" is neither true nor false; values are only raised"))
    }
    var fine: [FineRule] = []
    var coarse: [ConversionWindow: CoarseRules] = [:]
    let names = ["postback-sequence-index-0", "postback-sequence-index-1", "postback-sequence-index-2"]
    log.ignoreUnknown(in: windows, of: Sentence("the windows"), known: names)
    for (window, name) in zip(ConversionWindow.allCases, names) {
      var rules: [CoarseRule] = []
      do throws(RuleFault) {
        for entry in try windows.objects(name) {
          read(entry, window, &log, &fine, &rules)
        }
      } catch { log.drop(Sentence("window \(window.rawValue + 1)"), error) }
      if !rules.isEmpty { coarse[window] = CoarseRules(rules: rules) }
    }
    return try log.imported(
      isRaiseOnly: object["ascending-only"]?.value.bool ?? true, fine: fine, coarse: coarse)
  }

  private static func read(
    _ entry: JSONObject, _ window: ConversionWindow, _ log: inout ImportLog, _ fine: inout [FineRule],
    _ coarse: inout [CoarseRule]
  ) {
    let place = Sentence("a value of window \(window.rawValue + 1)")
    do throws(RuleFault) {
      log.ignoreUnknown(in: entry, of: Sentence("a value"), known: ["conversion-value", "conversion-event"])
      let word = try entry.requiredText("conversion-value")
      let step = CoarseValue(rawValue: word)
      let value = step == nil ? try entry.fineValue("conversion-value") : nil
      if value != nil, window != .first { throw RuleFault(Sentence("only window 1 has fine values")) }
      let alternatives = try entry.objects("conversion-event")
      guard !alternatives.isEmpty else { throw RuleFault(Sentence("value \(name: word) has no condition")) }
      if alternatives.count > 1 {
        log.add(
          .alternatives,
          Sentence("one of the conditions of value \(name: word) is sufficient; each becomes a rule"))
      }
      for alternative in alternatives {
        do throws(RuleFault) {
          log.ignoreUnknown(in: alternative, of: Sentence("a condition"), known: ["values", "locked"])
          guard max(fine.count, coarse.count) < ImportLog.mostRules else {
            throw RuleFault(Sentence("there are more than \(ImportLog.mostRules)"))
          }
          let conditions = try conditions(alternative, &log)
          let lock = try alternative.truth("locked")
          if let value { fine.append(FineRule(value: value, conditions: conditions, lock: lock)) }
          if let step { coarse.append(CoarseRule(value: step, conditions: conditions, lock: lock)) }
        } catch { log.drop(Sentence("a condition of value \(name: word)"), error) }
      }
    } catch { log.drop(place, error) }
  }

  private static func conditions(
    _ alternative: JSONObject, _ log: inout ImportLog
  ) throws(RuleFault) -> Conditions {
    guard let values = try alternative.member("values") else {
      throw RuleFault(Sentence("it names no event"))
    }
    for member in values.members where member.name != "name" && member.name != "event_data.revenue" {
      throw RuleFault(Sentence("it asks for \(name: quoted(member.name))"))
    }
    guard let name = values["name"]?.value.array?.compactMap(\.value.string), name.count == 2,
      name[0] == "eq", !name[1].isEmpty
    else { throw RuleFault(Sentence("its name is not a plain one")) }
    var revenue: RevenueCondition?
    if let limits = values["event_data.revenue"] {
      guard let parts = limits.value.array, parts.count == 3, parts[0].value.string == "between",
        let low = parts[1].value.number.flatMap({ try? Amount(decimal: $0.text) }),
        let high = parts[2].value.number.flatMap({ try? Amount(decimal: $0.text) })
      else { throw RuleFault(Sentence("its revenue does not lie between two amounts")) }
      if let range = try log.range(low, high) {
        revenue = try log.revenue(range, try log.currency(nil), of: name[1])
      }
    }
    guard name[1] != install else {
      guard revenue == nil else { throw RuleFault(Sentence("an install has no revenue")) }
      log.add(
        .installIsLaunch, Sentence("\(code: install) is true from the first launch; its rule has no event"))
      return Conditions()
    }
    return try log.conditions([EventCondition(name: name[1], revenue: revenue)])
  }
}
