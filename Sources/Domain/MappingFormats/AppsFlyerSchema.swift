package import JSONText
import Mappings
import Postbacks
import Values

/// AppsFlyer's schemas for ad networks, of either version.
///
/// Source: AppsFlyer, "SKAN conversion value schema" for networks, versions 1 and 2.
package enum AppsFlyerSchema {
  /// Reads a schema of version 2, which has postbacks, or of version 1, which has none.
  ///
  /// - Throws: ``ImportDefect`` when the document is neither, is for other apps only or holds no rule.
  package static func mapping(
    _ node: JSONNode, _ context: ImportContext
  ) throws(ImportDefect) -> ImportedMapping {
    guard let data = node.value.object?["data"] else { throw .notThisFormat }
    let apps = (data.value.array ?? [data]).compactMap(\.value.object).filter {
      $0["postbacks"]?.value.array != nil || $0["conversion_value_mapping"]?.value.array != nil
    }
    guard !apps.isEmpty else { throw .notThisFormat }
    guard let app = apps.first(where: { $0.app("app_id") == context.app }) else { throw .otherApp }
    var rules = AppsFlyerRules(context)
    if let object = node.value.object {
      rules.log.ignoreUnknown(in: object, of: Sentence("the file"), known: ["data"])
    }
    let others = (data.value.array?.count ?? 1) - 1
    if others > 0 { rules.log.add(.otherApp, Sentence("\(others) more schemas are in the file")) }
    if app["postbacks"] != nil, app["conversion_value_mapping"] != nil {
      rules.log.add(
        .memberIgnored, Sentence("the values of version 1 beside those of version 2 are not imported"))
    }
    rules.log.ignoreUnknown(
      in: app, of: Sentence("the schema"),
      known: ["app_id", "last_config_change", "measurement_window", "postbacks", "conversion_value_mapping"])
    if app["last_config_change"] != nil {
      rules.log.add(
        .dateIgnored,
        Sentence("the file has the time of its last change, not the time from which devices use it"))
    }
    if let postbacks = app["postbacks"]?.value.array {
      for postback in postbacks { read(postback, &rules) }
    } else {
      add(app, "conversion_value_mapping", .first, &rules)
    }
    guard !rules.isEmpty else { throw .noRule }
    rules.finish(opensTop: false)
    var hours: Int?
    do throws(RuleFault) {
      hours = rules.log.measurementWindow(hours: try app.integer("measurement_window"))
    } catch { rules.log.drop(Sentence("the measurement window"), error) }
    return rules.imported(measurementWindowHours: hours)
  }

  private static func read(_ node: JSONNode, _ rules: inout AppsFlyerRules) {
    do throws(RuleFault) {
      guard let postback = node.value.object else { throw RuleFault(Sentence("it is not an object")) }
      rules.log.ignoreUnknown(
        in: postback, of: Sentence("a window"),
        known: [
          "postback_sequence_index", "measurement_window", "lock_window_type", "lock_window_event",
          "conversion_value_mapping",
        ])
      guard let index = try postback.integer("postback_sequence_index"), (0...2).contains(index),
        let window = ConversionWindow(rawValue: Int(index))
      else { throw RuleFault(Sentence("there is no such window")) }
      guard let values = try postback.member("conversion_value_mapping") else {
        throw RuleFault(Sentence("it has no values"))
      }
      rules.log.ignoreUnknown(in: values, of: Sentence("a window's values"), known: ["fine", "coarse"])
      // The devices' windows end with these hours; no other end is possible for coarse values.
      if window != .first, let hours = try postback.integer("measurement_window"),
        hours != Int64(window.endHour)
      {
        rules.log.add(
          .cutoffDropped, Sentence("a measurement of \(hours) hours in window \(index + 1) is dropped"))
      }
      add(values, "fine", window, &rules)
      add(values, "coarse", window, &rules)
      let event = try postback.text("lock_window_event")
      if let type = try postback.text("lock_window_type") {
        rules.lock(window, type: type, event: event)
      } else if let event {
        rules.log.add(
          .lockIgnored,
          Sentence("window \(index + 1) names an event to lock at, \(name: quoted(event)), and no way to"))
      }
    } catch { rules.log.drop(Sentence("a window"), error) }
  }

  private static func add(
    _ values: JSONObject, _ name: String, _ window: ConversionWindow, _ rules: inout AppsFlyerRules
  ) {
    let place = Sentence("\(code: name) of window \(window.rawValue + 1)")
    var entries: [JSONObject] = []
    do throws(RuleFault) { entries = try values.objects(name) } catch { rules.log.drop(place, error) }
    for (index, entry) in entries.enumerated() {
      do throws(RuleFault) {
        rules.log.ignoreUnknown(
          in: entry, of: Sentence("a value"),
          known: ["conversion_value", "events"] + AppsFlyerRules.hourMembers)
        let events = try entry.objects("events")
        for event in events {
          rules.log.ignoreUnknown(in: event, of: Sentence("an event"), known: AppsFlyerRules.eventMembers)
        }
        if name == "coarse" {
          guard let value = CoarseValue(rawValue: try entry.requiredText("conversion_value")) else {
            throw RuleFault(Sentence("its value is not a coarse one"))
          }
          try rules.add(value, of: window, hours: entry, events: events)
        } else {
          guard window == .first else { throw RuleFault(Sentence("only window 1 has fine values")) }
          try rules.add(try entry.fineValue("conversion_value"), hours: entry, events: events)
        }
      } catch { rules.log.drop(Sentence("entry \(index + 1) of \(place)"), error) }
    }
  }
}
