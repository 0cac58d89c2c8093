package import NetworkForms
package import Verification

extension Keyring {
  /// Judges what was read in a form.
  ///
  /// - Returns: The verdict, and the reading that it is about: with zeros in front of the source identifier where the
  ///   signature shows that a spreadsheet left them out.
  package func judge(_ form: FormReading) -> (form: FormReading, judgement: Judgement) {
    let judgement = judge(form.reading)
    // Nothing is guessed where nothing is signed.
    guard judgement.state != .valid, judgement.claim == nil else { return (form, judgement) }
    for other in form.withZeros {
      let found = judge(other.reading)
      if found.state == .valid { return (other, found) }
    }
    return (form, judgement)
  }
}
