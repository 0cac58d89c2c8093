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
