package import Markup

extension PageAddress {
  /// The path of the screen that makes, shows and leaves the sample data.
  package static let samplePath = "/sample"
}

extension ScreenContext {
  /// A button that copies the address; a script shows it.
  package var copyLink: HTML {
    """
    <button class="btn" type="button" data-copy-link data-done="\(texts.actionCopied)" \
    data-failed="\(texts.actionPressCopy)" hidden>\(texts.actionCopyLink)</button>
    """
  }
}
