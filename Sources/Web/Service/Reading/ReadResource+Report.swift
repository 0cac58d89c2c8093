import Arguments
package import Tables

extension ReadResource {
  /// Makes the resource of a report; `source` is what it is gathered from.
  package init<Source>(
    _ kind: ReportKind<Source>, source: @escaping @Sendable (ReadContext) throws -> Source
  ) {
    self.init(
      path: kind.path, words: kind.parameterNames, paging: kind.pageSize.map { Paging(usual: $0) }
    ) { question throws(ParameterError) in
      let job = try kind.job(question.words.mapValues { [$0] })
      let limit = kind.pageSize == nil ? nil : question.limit
      return { context in
        let delivery = Delivery(question.format, limit: limit, cursor: question.cursor, pages: context.pages)
        var text = ""
        let outcome = try job(source(context), delivery, context.isLate) {
          text += $0
          return true
        }
        return Answer(text: text, next: outcome.next)
      }
    }
  }
}
