/// A throw-away certificate for 127.0.0.1 and its key, in PEM files.
public struct TestCertificate: Sendable {
  /// The certificate's file, which is its own issuer's too.
  public let file: String
  /// The key's file.
  public let keyFile: String

  /// Makes a certificate that is valid from now on, by the `openssl` program.
  ///
  /// - Parameters:
  ///   - name: What the files' names begin with, and the name in the certificate.
  ///   - folder: Where the files go.
  ///   - days: How long it is valid.
  /// - Throws: ``HTTPClientError`` when the program fails.
  public init(_ name: String, in folder: borrowing TemporaryFolder, days: Int = 30) throws {
    file = folder.file("\(name).crt")
    keyFile = folder.file("\(name).key")
    let result = try Subprocess.run(
      "/usr/bin/env",
      [
        "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
        "-subj", "/CN=\(name)", "-addext", "subjectAltName=IP:127.0.0.1", "-days", "\(days)",
        "-keyout", keyFile, "-out", file,
      ])
    guard result.exitCode == 0 else { throw HTTPClientError(description: "openssl: \(result.errors)") }
  }
}
