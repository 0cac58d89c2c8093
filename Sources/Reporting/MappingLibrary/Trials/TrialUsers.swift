import EventFiles
package import Mappings

/// The users of a stored sample, one by one.
package struct TrialUsers: Sendable {
  private let sample: UserSample

  init(_ sample: UserSample) { self.sample = sample }

  /// What distinguishes them from those of other samples, and of the same file when it was another.
  package var key: String { "\(sample.identity)" }
  /// How many there are, organic ones too.
  package var count: Int { sample.users }
  /// How many users the file has, of which these are a part chosen by chance where it has more.
  package var countOfFile: Int { sample.usersOfFile }
  package var histories: some Sequence<[UserEvent]> { sample.histories }
}
