/// A value that a parameter of a statement takes.
public protocol SQLParameter {
  func bind<Failure>(to statement: borrowing Statement<Failure>, at position: Int32) throws(Failure)
}

extension Int64: SQLParameter {
  public func bind<Failure>(to statement: borrowing Statement<Failure>, at position: Int32) throws(Failure) {
    try statement.bind(self, at: position)
  }
}

extension Double: SQLParameter {
  public func bind<Failure>(to statement: borrowing Statement<Failure>, at position: Int32) throws(Failure) {
    try statement.bind(self, at: position)
  }
}

extension String: SQLParameter {
  public func bind<Failure>(to statement: borrowing Statement<Failure>, at position: Int32) throws(Failure) {
    try statement.bind(self, at: position)
  }
}

extension [UInt8]: SQLParameter {
  public func bind<Failure>(to statement: borrowing Statement<Failure>, at position: Int32) throws(Failure) {
    try statement.bind(self, at: position)
  }
}

extension Int: SQLParameter {
  public func bind<Failure>(to statement: borrowing Statement<Failure>, at position: Int32) throws(Failure) {
    try statement.bind(Int64(self), at: position)
  }
}

/// `nil` is NULL.
extension Optional: SQLParameter where Wrapped: SQLParameter {
  public func bind<Failure>(to statement: borrowing Statement<Failure>, at position: Int32) throws(Failure) {
    if let self { try self.bind(to: statement, at: position) } else { try statement.bindNull(at: position) }
  }
}
