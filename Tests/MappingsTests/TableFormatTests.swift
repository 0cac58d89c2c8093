import MappingFormats
import Mappings
import Postbacks
import Testing
import Values

private func context(like mapping: Mapping) -> ImportContext {
  ImportContext(
    name: mapping.name, app: mapping.app, currency: mapping.currency, effectiveFrom: mapping.effectiveFrom,
    device: mapping.device)
}

private func context(_ device: Mapping.Device = .skan4) throws -> ImportContext {
  ImportContext(
    name: "t", app: try #require(AppID(7)), currency: try #require(CurrencyCode("USD")),
    effectiveFrom: Instant(seconds: 1_790_000_000), device: device)
}

private func read(_ table: String, _ device: Mapping.Device = .skan4) throws -> Mapping {
  try ForeignMapping(Array(table.utf8), .table).mapping(context(device)).mapping
}

/// The rules of a file in our format.
private func mapping(_ rules: String) throws -> Mapping {
  let text =
    #"{"name":"t","app":7,"currency":"USD","effective-from":"2026-09-21T14:13:20Z","protocol":"skan4",\#(rules)}"#
  return try #require(MappingDocument.read(Array(text.utf8)).document?.mapping)
}

/// A mapping of which every rule fits into a row.
private func tabular(_ random: inout SplitMix64) throws -> Mapping {
  let plain = try context(Mapping.Device.allCases[random.number(below: 3)])
  let texts = ["a", "a,b", "a;b", "=1+1", "say \"hi\"", "é 中", "two\nlines", "-5", "@x"]
  func text() -> String { texts[random.number(below: texts.count)] }
  func revenue() -> RevenueCondition? {
    let low = Amount(micros: Int64(random.number(below: 1 << 27)) - (1 << 24))
    let high = Amount(micros: low.micros + 2 + Int64(random.number(below: 1 << 27)))
    let lower: [AmountRange.Bound] = [.closed(low), .open(low), .unbounded]
    let upper: [AmountRange.Bound] = [.closed(high), .open(high), .unbounded]
    let range = AmountRange(lower: lower[random.number(below: 3)], upper: upper[random.number(below: 3)])
    guard let range, range != .all else { return nil }
    let currency = random.happens(0.2) ? CurrencyCode("JPY") ?? plain.currency : plain.currency
    return RevenueCondition(
      range, currency, representative: random.happens(0.3) ? Amount(micros: low.micros + 1) : nil)
  }
  func conditions() -> Conditions {
    let from = random.number(below: 40)
    let hours = random.happens(0.4) ? HourRange(from: from, to: from + 1 + random.number(below: 9)) : nil
    let range = random.happens(0.6) ? revenue() : nil
    guard random.happens(0.7) else { return Conditions(revenue: range, activeHours: hours) }
    let count = CountRange(min: random.number(below: 3), max: random.happens(0.3) ? 3 : nil)
    return Conditions(
      events: [EventCondition(name: text(), count: count ?? .atLeastOnce, revenue: range)],
      activeHours: hours)
  }
  var coarse: [ConversionWindow: CoarseRules] = [:]
  for window in ConversionWindow.allCases where random.happens(0.5) {
    coarse[window] = CoarseRules(
      totals: random.happens(0.5) ? .window : .sinceInstall,
      rules: (0...random.number(below: 4)).map { _ in
        CoarseRule(
          value: CoarseValue.allCases[random.number(below: 3)], conditions: conditions(),
          label: random.happens(0.3) ? text() : nil, lock: random.happens(0.2))
      })
  }
  let setsCoarse = coarse[.first] == nil && random.happens(0.5)
  let fine = (0...random.number(below: 12)).compactMap { _ in
    FineValue(Int64(random.number(below: 64))).map { value in
      FineRule(
        value: value, conditions: conditions(), label: random.happens(0.3) ? text() : nil,
        coarse: setsCoarse ? CoarseValue.allCases[random.number(below: 3)] : nil, lock: random.happens(0.2))
    }
  }
  return Mapping(
    name: "t", app: plain.app, currency: plain.currency, effectiveFrom: plain.effectiveFrom,
    device: plain.device, fine: fine, coarse: coarse)
}

@Suite struct `The table of a mapping` {
  @Test func `The table of a mapping reads back as the same mapping`() throws {
    var random = SplitMix64(seed: 54)
    for round in 0..<400 {
      let mapping = try tabular(&random)
      let file = try MappingFormat.table.export(mapping)
      let again = try ForeignMapping(file.bytes, .table).mapping(context(like: mapping))
      #expect(again.mapping == mapping && again.remarks.isEmpty, "round \(round)")
      #expect(file.mapping == mapping && file.remarks.allSatisfy { !$0.code.changesMapping })
    }
  }

  @Test func `A mapping of any sort is written whole, or rejected with the rules that do not fit`() throws {
    var random = SplitMix64(seed: 55)
    var rejected = 0
    for round in 0..<300 {
      let mapping = randomMapping(&random)
      do throws(ExportDefect) {
        let file = try MappingFormat.table.export(mapping)
        let again = try? ForeignMapping(file.bytes, .table).mapping(context(like: mapping))
        #expect(again?.mapping == mapping, "round \(round)")
      } catch {
        rejected += 1
        #expect([.notInTable, .nothingLeft].contains(error.code) && !error.sentence.english.isEmpty)
      }
    }
    #expect(rejected > 100)
  }

  @Test(
    arguments: [
      (#""fine":[{"value":3,"events":["a","b"]}]"#, "one event, and the rule has 2", "value 3"),
      (#""fine":[{"value":3,"events":["a"],"revenue":{"from":1}}]"#, "revenue of all events", "value 3"),
      (#""fine":[{"value":3,"revenue":{"from":1,"to":9,"low":2}}]"#, "no column for low, high", "value 3"),
      (#""fine":[{"value":3,"revenue":{"representative":2}}]"#, "has no end", "value 3"),
      (#""precedence":"priority","fine":[{"value":3}]"#, "no column for precedence", nil),
      (#""fine":[{"value":3,"priority":4}]"#, "no column for priority", "value 3"),
      (#""fine":[{"value":3,"label":" a"}]"#, "does not come back", "value 3"),
      (#""fine":[{"value":3,"label":"'=a"}]"#, "does not come back", "value 3"),
      (#""fine":[{"value":3}],"coarse":[{"window":2}]"#, "the window has no rule", "window 2"),
      (
        #""fine":[{"value":3}],"coarse":[{"window":2,"low":{"events":["a","b"]}}]"#, "one event",
        "low of window 2"
      ),
      (#""raise-only":true,"measurement-window-hours":24,"fine":[]"#, "raise-only, measurement", nil),
      (#""fine":[]"#, "the mapping has no rule", nil),
    ] as [(String, String, String?)])
  func `What a table has no place for is named with its rule`(
    rules: String, words: String, place: String?
  ) throws {
    let mapping = try mapping(rules)
    let error = #expect(throws: ExportDefect.self) { try MappingFormat.table.export(mapping) }
    #expect(error?.sentence.english.contains(words) == true, "\(String(describing: error))")
    #expect(error?.places.map(\.words.english) == (place.map { [$0] } ?? []))
  }

  @Test(arguments: [
    "value,event,revenue from,revenue to,worth,label\n0,,,,,installed\n1,buy,0.5,1000.5,,\"a \"\"b\"\"\"\n2,buy,1000.5,,2000,\n",
    "\u{FEFF}Value;Event;Revenue From;Revenue To;Worth;Label\r\n\r\n0;;;;;installed\r\n;;;;;\r\n1;buy;0,5;1000,5;;\"a \"\"b\"\"\"\r\n2;buy;1.000,50;;2.000,00;\r\n",
    "sep=;\nvalue;event;revenue_from;revenue_to;worth;label\n0;;;;;installed\n1;buy;0,5;1000,5;;\"a \"\"b\"\"\";;\n2;buy;1000,50;;2000\n",
    "LABEL\tvalue\tEVENT NAME\tmin-revenue\tmax revenue\tWorth\tNotes\ninstalled\t0\t\t\t\t\t\n\"a \"\"b\"\"\"\t 1 \tbuy\t.5e0\t1000.50\t\tmine\n\t2\tbuy\t1000.5\t\t2000\t\n"
      .replacing(".5e0", with: "0.5"),
  ]) func `A table is read as spreadsheets write it`(table: String) throws {
    let wanted = try mapping(
      #"""
      "fine":[{"value":0,"label":"installed"},
      {"value":1,"label":"a \"b\"","events":[{"name":"buy","revenue":{"from":0.5,"to":1000.5}}]},
      {"value":2,"events":[{"name":"buy","revenue":{"from":1000.5,"representative":2000}}]}]
      """#)
    #expect(try read(table).fine == wanted.fine)
  }

  @Test func `Days are hours, a missing end is that of the window, and coarse rows are of their window`()
    throws
  {
    let table = """
      value,coarse,window,event,count from,days from,days to,lock,totals
      5,high,,buy,2,1,,yes,
      ,low,2,,,,,,window
      ,high,2,buy,,3,4,,
      """
    let mapping = try read(table)
    #expect(mapping.fine[0].conditions.activeHours == HourRange(from: 24, to: 48))
    #expect(mapping.fine[0].coarse == .high && mapping.fine[0].lock)
    #expect(mapping.fine[0].conditions.events[0].count == CountRange(min: 2, max: nil))
    let second = try #require(mapping.coarse[.second])
    #expect(second.totals == .window && second.rules.map(\.value) == [.low, .high])
    #expect(second.rules[1].conditions.activeHours == HourRange(from: 72, to: 96))
  }

  @Test(
    arguments: [
      ("event,worth\na,1", "line 1", "the header lacks \"value\""),
      ("", "line 1", "the header lacks \"value\""),
      ("value,price\n1,2", "line 1", "the column \"price\" is unknown; delete it"),
      ("value,cv\n1,2", "line 1", "the column \"value\" is there twice"),
      ("value,event\n1,a,b", "line 2", "more cells than the header"),
      ("value,event\n1,a\n\n64,b", "line 4, column \"value\"", "\"64\" is not a whole number from 0 to 63"),
      ("value,worth\n1,3", "line 2, column \"worth\"", "lacks \"revenue from\""),
      ("value,count to\n1,3", "line 2, column \"count to\"", "lacks \"event\""),
      ("value,revenue from\n1,$5", "line 2, column \"revenue from\"", "\"$5\" is not an amount"),
      ("value;revenue from\n1;1,000", "line 2, column \"revenue from\"", "separators of thousands"),
      ("value;revenue from;worth\n1;1.000;2,5", "line 2, column \"revenue from\"", "\"1.000\" is not"),
      ("value,revenue from,revenue to\n1,5,5", "line 2, column \"revenue to\"", "the range is empty"),
      ("value,revenue from,revenue to,worth\n1,5,9,10", "line 2, column \"worth\"", "outside of the range"),
      ("value,revenue from,currency\n1,5,EURO", "line 2, column \"currency\"", "is not a currency"),
      ("value,coarse\n1,mid", "line 2, column \"coarse\"", "is not one of low, medium, high"),
      ("value,event\n,buy", "line 2, column \"value\"", "neither a conversion value nor"),
      ("value,window\n1,2", "line 2, column \"window\"", "empty it"),
      ("value,hours from,hours to\n1,5,5", "line 2, column \"hours to\"", "the range is empty"),
      ("value,lock\n1,maybe", "line 2, column \"lock\"", "is not one of yes, no"),
      (
        "value,coarse,window,totals\n,low,2,window\n,high,2,since-install", "line 3, column \"totals\"",
        "window 2 has other totals"
      ),
      ("value,coarse\n1,low\n,high", "line 2", "coarse values of window 1 are either"),
      ("value,label\n1,\"a", "line 2", "not CSV: the file ends inside"),
      ("value,event\n", "line 1", "no rule"),
    ])
  func `A cell whose meaning is not certain is an error with its place and the cure`(
    table: String, place: String, words: String
  ) throws {
    let error = #expect(throws: FormatDefect.self) { try read(table) }
    #expect(error?.place == place)
    #expect(error?.sentence.english.contains(words) == true, "\(String(describing: error))")
  }
}
