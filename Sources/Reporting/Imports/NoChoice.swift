package import Arguments

/// An import that needs only the file.
package struct NoChoice: Query {
  package static let parameters: [Parameter<Self>] = []

  package init() {}
}
