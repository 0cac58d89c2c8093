import Arguments

/// What a node of a journal is for.
package enum NodeRole: String, CaseIterable, ParameterValue {
  /// It has everything, and can have the jobs that only one node does.
  case full
  /// It answers senders, and keeps of each postback what distinguishes a copy from a conversion and what is counted; of its body only
  /// a digest. It has no pages and none of the jobs.
  case receive
}
