extension Header {
  /// The same with underscores for the hyphens of its name, because column names of data warehouses can have none.
  package var underscored: Self {
    let kind: ColumnKind =
      if case .records(let headers) = kind { .records(headers.map(\.underscored)) } else { kind }
    return with(name: String(name.map { $0 == "-" ? "_" : $0 }), kind: kind)
  }
}
