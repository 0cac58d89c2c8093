/// A value that a parameter of a statement takes.
public protocol SQLParameter {
  func bind(to statement: borrowing Statement, at position: Int32) throws(SQLiteError)
}

extension Int64: SQLParameter {
  public func bind(to statement: borrowing Statement, at position: Int32) throws(SQLiteError) {
    try statement.bind(self, at: position)
  }
}

extension Double: SQLParameter {
  public func bind(to statement: borrowing Statement, at position: Int32) throws(SQLiteError) {
    try statement.bind(self, at: position)
  }
}

extension String: SQLParameter {
  public func bind(to statement: borrowing Statement, at position: Int32) throws(SQLiteError) {
    try statement.bind(self, at: position)
  }
}

extension [UInt8]: SQLParameter {
  public func bind(to statement: borrowing Statement, at position: Int32) throws(SQLiteError) {
    try statement.bind(self, at: position)
  }
}
