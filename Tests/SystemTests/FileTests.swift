import Foundation
import System
import TestSupport
import Testing
import Values

@Suite struct `A file` {
  @Test func `A file is read in chunks to its end`() throws {
    let folder = try TemporaryFolder()
    var random = SplitMix64(seed: 9)
    let bytes = random.bytes(600_001)
    let file = try FileReader(folder.write(bytes, to: "a"))
    #expect(file.size == 600_001)
    var whole: [UInt8] = []
    while case let chunk = try file.read(), !chunk.isEmpty {
      #expect(chunk.count <= FileReader.chunkSize)
      whole += chunk
    }
    #expect(whole == bytes)
    #expect(try file.read().isEmpty)
  }

  @Test(arguments: [(2, FileError.Code.tooLarge), (3, nil), (4, nil)])
  func `A file is read whole up to a limit`(limit: Int, code: FileError.Code?) throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("abc", to: "a")
    if let code {
      let error = #expect(throws: FileError.self) { try FileReader.contents(of: path, limit: limit) }
      #expect(error?.code == code)
    } else {
      #expect(try FileReader.contents(of: path, limit: limit) == Array("abc".utf8))
    }
  }

  @Test func `A file that is missing or is a folder is named in the error`() throws {
    let folder = try TemporaryFolder()
    let missing = #expect(throws: FileError.self) { _ = try FileReader(folder.file("none")) }
    #expect(missing?.code == .notFound)
    #expect(missing?.description == "cannot read '\(folder.file("none"))': No such file or directory")
    #expect(missing?.remedy?.isEmpty == false)
    #expect(throws: FileError.self) { _ = try FileReader(folder.path) }
    #expect((#expect(throws: FileError.self) { _ = try FileReader(folder.path) })?.code == .isFolder)
  }

  @Test(.timeLimit(.minutes(1))) func `A pipe is not waited for if the file must not be one`() throws {
    let folder = try TemporaryFolder()
    let pipe = folder.file("pipe")
    #expect(mkfifo(pipe, 0o600) == 0)
    let error = #expect(throws: FileError.self) { _ = try FileReader.contents(of: pipe, mayWait: false) }
    #expect(error?.code == .notRegular)
  }

  @Test(arguments: [0o600, 0o644, 0o640] as [UInt32])
  func `A file is written whole with its mode`(mode: UInt32) throws {
    let folder = try TemporaryFolder()
    try folder.write("old", to: "a")
    try AtomicFile.write(Array("new".utf8), to: folder.file("a"), mode: mode)
    #expect(try folder.read("a") == Array("new".utf8))
    let attributes = try FileManager.default.attributesOfItem(atPath: folder.file("a"))
    #expect((attributes[.posixPermissions] as? NSNumber)?.uint32Value == mode)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["a"])
  }

  @Test func `A file is invisible before it is whole, so that a killed process leaves no part`()
    throws
  {
    let folder = try TemporaryFolder()
    for replacesExisting in [true, false] {
      let file = try AtomicFile(folder.file("a"), replacesExisting: replacesExisting)
      try file.write(Array("half".utf8))
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
      try file.write(Array(" and half".utf8))
      try file.commit()
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["a"])
      #expect(try folder.read("a") == Array("half and half".utf8))
      try FileManager.default.removeItem(atPath: folder.file("a"))
    }
  }

  @Test func `A file is written although a killed process left one of the same temporary name`() throws {
    let folder = try TemporaryFolder()
    try folder.write("left", to: "a.\(getpid()).0")
    try AtomicFile.write(Array("new".utf8), to: folder.file("a"))
    #expect(try folder.read("a") == Array("new".utf8))
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).count == 2)
  }

  @Test func `A file that is abandoned keeps the old one and leaves no trace`() throws {
    let folder = try TemporaryFolder()
    try folder.write("old", to: "a")
    do {
      let file = try AtomicFile(folder.file("a"))
      try file.write(Array("half".utf8))
    }
    #expect(try folder.read("a") == Array("old".utf8))
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["a"])
  }

  @Test func `A file behind a symbolic link is replaced, and the link is kept`() throws {
    let folder = try TemporaryFolder()
    let target = try folder.write("old", to: "target")
    let link = folder.file("link")
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: target)
    try AtomicFile.write(Array("new".utf8), to: link)
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == target)
    #expect(try FileReader.contents(of: target) == Array("new".utf8))
  }

  @Test func `A file that is a pipe is written directly`() throws {
    let folder = try TemporaryFolder()
    let pipe = folder.file("pipe")
    #expect(mkfifo(pipe, 0o600) == 0)
    let reader = try Worker { _ = try? AtomicFile.write(Array("bytes".utf8), to: pipe) }
    #expect(try FileReader.contents(of: pipe) == Array("bytes".utf8))
    reader.join()
    var status = stat()
    #expect(stat(pipe, &status) == 0)
    #expect(status.st_mode & S_IFMT == S_IFIFO)
  }

  @Test func `A file is not replaced unless that is requested`() throws {
    let folder = try TemporaryFolder()
    try AtomicFile.write([1], to: folder.file("a"), replacesExisting: false)
    let error = #expect(throws: FileError.self) {
      try AtomicFile.write([2], to: folder.file("a"), replacesExisting: false)
    }
    #expect(error?.code == .exists)
    #expect(try folder.read("a") == [1])
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["a"])
  }

  @Test func `A file in a missing folder is an error`() throws {
    let folder = try TemporaryFolder()
    let error = #expect(throws: FileError.self) { try AtomicFile.write([1], to: folder.file("no/a")) }
    #expect(error?.code == .notFound)
    #expect(error?.operation == .write)
  }
}

@Suite struct `A host and port` {
  @Test(
    arguments: [
      ("127.0.0.1:8080", "127.0.0.1", 8080), ("[::1]:0", "::1", 0), ("localhost:65535", "localhost", 65535),
      ("*:80", "*", 80),
    ] as [(String, String, UInt16)])
  func `A host and port are written as they are read`(text: String, host: String, port: UInt16) throws {
    let address = try #require(HostPort(text))
    #expect(address == HostPort(host: host, port: port))
    #expect(address.description == text)
  }

  @Test(arguments: [
    "", ":80", "a", "a:", "a:65536", "a:-1", "a:+1", "::1:80", "[a]:80", "[::1]", "a b:80", "a:8a",
  ])
  func `A host and port in any other form are rejected`(text: String) { #expect(HostPort(text) == nil) }
}
