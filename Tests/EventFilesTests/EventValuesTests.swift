import EventFiles
import FuzzLaws
import Testing
import Values

struct `The columns of a foreign events file` {
  @Test func `The columns of a foreign events file are read under their names`() throws {
    var reader = PopulationReader(columns: try EventColumns("user=install_id,time=ts,revenue=usd value"))
    reader.currency = CurrencyCode("USD")
    let table = try reader.read(Array("x,install_id,ts,event,usd value,user\n1,a,5,e,2,q\n".utf8))
    #expect(try CohortText.users(table).map(\.events) == [["0 e 2 USD"]])
    #expect(table.passedOver == ["x", "user"])
    let lines = try reader.read(
      Array(#"{"install_id":"a","ts":5,"event":"e","usd value":2,"user":[]}"#.utf8))
    #expect(try CohortText.users(lines) == CohortText.users(table))
  }

  @Test(arguments: ["install_id,time,event\n", "user,time,event\n", "install_id,time,event,usd\n"])
  func `The columns of a foreign events file have to be in the header once they are named`(header: String)
    throws
  {
    let reader = PopulationReader(columns: try EventColumns("user=install_id,campaign=network"))
    #expect { try reader.read(Array(header.utf8)) } throws: { error in
      (error as? EventFileError)?.code == "missing-column"
    }
  }

  @Test(
    arguments: [
      ("user", "not-a-pair"), ("", "not-a-pair"), ("user=", "not-a-pair"), ("user=a,", "not-a-pair"),
      ("uid=a", "unknown-column"), ("=a", "unknown-column"), ("user=a,user=b", "renamed-twice"),
      ("user=a,time=a", "name-used-twice"), ("user=time", "name-used-twice"),
    ])
  func `The columns of a foreign events file are rejected with a code if their option is wrong`(
    text: String, code: String
  ) {
    #expect { try EventColumns(text) } throws: { ($0 as? EventColumns.Defect)?.code == code }
  }

  @Test func `The columns of a foreign events file can be swapped`() throws {
    let columns = try EventColumns("user=event,event=user")
    #expect(columns.name(of: .user) == "event")
    #expect(columns.name(of: .campaign) == "campaign")
  }

  @Test func `The columns of a foreign events file are listed if a name is unknown`() {
    #expect(
      EventColumns.Defect.unknownColumn("x").sentence
        == "there is no column 'x'; use user, time, event, revenue, currency, campaign, installed, "
        + "conversion-tag, source_app and country"
    )
  }
}

struct `The values of an events file` {
  /// The amount of a lone row, or the code of the mistake.
  private func amount(_ text: String) throws -> String {
    let reader = PopulationReader(currency: CurrencyCode("USD"))
    do {
      let population = try reader.read(Array("user,time,event,revenue\nu,1,e,\(text)\n".utf8))
      var micros: [Int64] = []
      try population.forEachCohort { micros += $0.events.map(\.micros) }
      return "\(micros)"
    } catch let error as EventFileError { return error.code }
  }

  private func expected(_ text: String) -> String {
    do { return "\([try Amount(decimal: text).micros])" } catch { return error.rawValue }
  }

  @Test(
    arguments: [
      "0", "-0", "00", "01", "-", ".5", "5.", "1.2.3", "+1", "1e", "1e+2", "1E-6", "1e-7", "0.1234567",
      "0.1000000",
      "999999999999.999999", "1000000000000", "9223372036854.775807", "9223372036854.775808",
      "-9223372036854.775808", "-9223372036854.775809", "NaN", "-inf", "0x1", "1 ", "1_000", "٣",
    ])
  func `The values of an events file are amounts exact to the last millionth`(text: String) throws {
    #expect(try amount(text) == expected(text))
  }

  @Test func `The values of an events file are the amounts that every other reader reads`() throws {
    var random = SplitMix64(seed: 7)
    for _ in 0..<3000 {
      let letters = Array("00123456789.-e")
      let text = String(
        (0...random.number(below: 16)).map { _ in letters[random.number(below: letters.count)] })
      #expect(try amount(text) == expected(text), "\(text)")
    }
    for _ in 0..<1000 {
      let text = Amount(micros: Int64(bitPattern: random.next()) >> Int64(random.number(below: 60)))
        .description
      #expect(try amount(text) == expected(text), "\(text)")
    }
  }

  @Test(
    arguments: [
      "0", "-1", "+5", "007", "253402300799", "-253402300799", "253402300800", "9223372036854775808", "1.0",
      "1e3",
      "2026-11-21", "2026-11-21T12:00:00Z", "2026-11-21 12:00:00z", "2026-11-21t12:00:60Z",
      "2026-11-21T12:00:00.5Z", "2026-11-21T12:00:00.123456+05:30", "2026-11-21T12:00:00.Z",
      "2026-11-21T12:00:00",
      "2026-11-21T24:00:00Z", "2026-11-21T12:00:00-24:00", "2026-13-01", "2024-02-29", "2023-02-29", "+", "-",
    ])
  func `The values of an events file are the times that the slow reader reads`(text: String) throws {
    let usd = try #require(CurrencyCode("USD"))
    let bytes = Array("user,time,event\nu,\(text),e\n".utf8)
    var file = EventFile(currency: usd)
    var expected: Instant?
    do { expected = try file.append(bytes).first?.time } catch {}
    var found: Instant?
    do { found = try CohortText.users(PopulationReader().read(bytes), installs: true).first?.installed } catch
    {}
    #expect(found == expected)
  }
}
