/// An OpenSSL object that is freed together with this value.
@safe struct Owned: ~Copyable {
  /// The object itself; borrow it only while this value lives.
  let pointer: OpaquePointer
  private let free: (OpaquePointer?) -> Void

  /// Takes over what an OpenSSL function made; `nil` when it made nothing.
  init?(_ pointer: OpaquePointer?, free: @escaping (OpaquePointer?) -> Void) {
    guard let pointer = unsafe pointer else { return nil }
    unsafe self.pointer = pointer
    unsafe self.free = free
  }

  deinit { unsafe free(pointer) }
}
