import Foundation
import PackagePlugin

/// Has `tools/text` write the typed functions of the pages' texts into the build folder.
@main struct GenerateTexts: BuildToolPlugin {
  func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
    let script = context.package.directoryURL.appending(path: "tools/text")
    let texts = target.directoryURL.appending(path: "Text/en.json")
    let output = context.pluginWorkDirectoryURL.appending(path: "Texts+Generated.swift")
    return [
      .buildCommand(
        displayName: "Writing the texts of pages", executable: script, arguments: [output.path()],
        inputFiles: [script, texts], outputFiles: [output])
    ]
  }
}
