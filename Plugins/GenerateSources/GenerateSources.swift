import Foundation
import PackagePlugin

/// Writes sources of a module into the build folder: its files that are no Swift, as constants, and of the pages' texts
/// the typed functions and all languages.
@main struct GenerateSources: BuildToolPlugin {
  func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
    let tools = context.package.directoryURL.appending(path: "tools")
    let output = context.pluginWorkDirectoryURL
    return embedded(target, tools, output) + texts(target, tools, output)
  }

  /// Constants of the compiler's own form for embedded files make it read an integer for each byte; a literal costs nothing.
  private func embedded(_ target: any Target, _ tools: URL, _ output: URL) -> [Command] {
    let files = (target.sourceModule?.sourceFiles.filter { $0.type == .unknown } ?? []).map(\.url)
    guard !files.isEmpty else { return [] }
    let script = tools.appending(path: "embed")
    let source = output.appending(path: "PackageResources.swift")
    return [
      .buildCommand(
        displayName: "Embedding the files of \(target.name)", executable: script,
        arguments: [source.path()] + files.map { $0.path() }.sorted(), inputFiles: [script] + files,
        outputFiles: [source])
    ]
  }

  private func texts(_ target: any Target, _ tools: URL, _ output: URL) -> [Command] {
    let folder = target.directoryURL.appending(path: "Text")
    guard FileManager.default.fileExists(atPath: folder.path()) else { return [] }
    let script = tools.appending(path: "text")
    let parts = ["catalogue", "generate", "messages", "sentences", "swift_literals"].map {
      tools.appending(path: "lib/translation/\($0).py")
    }
    let texts = ["en", "sentences", "de", "es", "ja", "zh-Hans", "ar"].map {
      folder.appending(path: "\($0).json")
    }
    let source = output.appending(path: "Texts+Generated.swift")
    return [
      .buildCommand(
        displayName: "Writing the texts of pages", executable: script, arguments: [source.path()],
        inputFiles: [script] + parts + texts + swift(in: tools.appending(path: "../Sources").standardized),
        outputFiles: [source])
    ]
  }

  /// The files whose sentences pages say.
  private func swift(in folder: URL) -> [URL] {
    let all = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)?.compactMap { $0 as? URL }
    return (all ?? []).filter { $0.pathExtension == "swift" }.sorted { $0.path() < $1.path() }
  }
}
