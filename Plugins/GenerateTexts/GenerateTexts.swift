import Foundation
import PackagePlugin

/// Has `tools/text` write the typed functions of the pages' texts, and the texts of each language, into the build folder.
@main struct GenerateTexts: BuildToolPlugin {
  func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
    let tools = context.package.directoryURL.appending(path: "tools")
    let script = tools.appending(path: "text")
    let parts = ["catalogue", "generate", "messages"].map { tools.appending(path: "translation/\($0).py") }
    let texts = ["en", "sentences", "de", "es", "ja", "zh-Hans", "ar"].map {
      target.directoryURL.appending(path: "Text/\($0).json")
    }
    let output = context.pluginWorkDirectoryURL.appending(path: "Texts+Generated.swift")
    return [
      .buildCommand(
        displayName: "Writing the texts of pages", executable: script, arguments: [output.path()],
        inputFiles: [script] + parts + texts, outputFiles: [output])
    ]
  }
}
