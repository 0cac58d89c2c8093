public import Ledger
import Mappings
public import Values

/// A mapping document as it is stored; the text has to be a right one.
public func storedMapping(
  _ text: String, source: String = "mapping.json", loadedAt: Instant = Instant(seconds: 0)
) -> StoredMapping {
  let document = Array(text.utf8)
  let mapping = known(MappingDocument.read(document).document?.mapping)
  return StoredMapping(
    source: source, app: mapping.app, effectiveFrom: mapping.effectiveFrom, digest: source,
    loadedAt: loadedAt, document: document)
}
