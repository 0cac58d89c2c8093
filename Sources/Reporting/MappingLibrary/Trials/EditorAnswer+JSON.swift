package import JSONText
import Mappings
import Postbacks
import Simulation
import Values

extension EditorAnswer {
  /// The answer for a script.
  ///
  /// - Parameter etag: The state of the draft that was saved with it; `nil` where none was.
  /// - Returns: An object with kebab-case members.
  package func json(etag: String? = nil) -> JSONOutput {
    [
      "etag": .optional(etag), "errors": .integer(Int64(errors)), "warnings": .integer(Int64(warnings)),
      "findings": .array(findings.map(\.json)), "cells": .array(cells.map(\.json)),
      "schedule": .array(schedule.map(\.json)), "result": result?.json ?? nil,
    ]
  }
}

extension EditorAnswer {
  /// The bytes of ``json(etag:)``.
  package func body(etag: String? = nil) -> [UInt8] { json(etag: etag).bytes() }
}

extension DraftFinding {
  fileprivate var json: JSONOutput {
    [
      "severity": .string(finding.severity.rawValue), "code": .string(finding.code.text),
      "path": .string(finding.path.description), "line": .integer(Int64(finding.position.line)),
      "column": .integer(Int64(finding.position.column)), "cell": slot.map { .string($0.key) } ?? nil,
      "sentence": .string(finding.sentence), "cure": .optional(finding.hint), "repair": repair?.json ?? nil,
    ]
  }
}

extension DraftFinding.Repair {
  fileprivate var json: JSONOutput {
    [
      "title": .string(title), "start": .integer(Int64(range.lowerBound)),
      "end": .integer(Int64(range.upperBound)), "text": .string(text),
    ]
  }
}

extension WindowValue {
  /// The value in one word: `12`, or `2-high` for a coarse value of window 2.
  package var key: String {
    switch self {
    case .fine(let value): "\(value.number)"
    case .coarse(let window, let value): "\(window.rawValue + 1)-\(value.rawValue)"
    }
  }
}

extension DraftCell {
  fileprivate var json: JSONOutput {
    [
      "cell": .string(slot.key), "window": .integer(Int64(slot.window.rawValue + 1)),
      "state": .string(state.rawValue), "meanings": .array(meanings.map(\.json)),
      "paths": .array(paths.map { .string($0.description) }), "users": users.map(\.json) ?? nil,
    ]
  }
}

extension DraftCell.Users {
  fileprivate var json: JSONOutput {
    [
      "count": .integer(Int64(count)), "share": .decimal(share), "revenue": revenue.amount.json,
      "shown": .integer(Int64(shown)),
    ]
  }
}

extension MeaningText {
  fileprivate var json: JSONOutput {
    [
      "label": .string(label), "condition": .string(condition), "revenue-low": .string(low),
      "revenue-mid": .string(mid), "revenue-high": .string(high), "active-hours": .string(activeHours),
    ]
  }
}

extension WindowSchedule {
  fileprivate var json: JSONOutput {
    [
      "window": .integer(Int64(window.rawValue + 1)), "used": .bool(isUsed),
      "from-hour": .decimal(hours.lowerBound), "to-hour": .decimal(hours.upperBound),
      "fine-end-hour": .decimal(fineEnd),
      "locks": .array(
        locks.map { lock in
          [
            "value": .string(lock.value), "from-hour": .decimal(lock.from), "to-hour": .decimal(lock.to),
          ]
        }), "gap-from-hour": .decimal(gap?.lowerBound), "gap-to-hour": .decimal(gap?.upperBound),
      "arrives-from-hour": .decimal(arrives?.lowerBound), "arrives-to-hour": .decimal(arrives?.upperBound),
    ]
  }
}

extension TrialResult {
  fileprivate var json: JSONOutput {
    [
      "sample": .string(sample), "users": .integer(Int64(users)),
      "users-of-file": .integer(Int64(usersOfFile)), "events": .integer(Int64(events)),
      "seed": .integer(Int64(clamping: settings.seed)), "threshold": .string(settings.threshold.description),
      "threshold-sentence": .string(settings.threshold.sentence),
      "horizon-days": .integer(Int64(settings.horizonDays)), "verdict": .string(verdict.rawValue),
      "gain": .decimal(comparison?.gain), "gain-low": .decimal(comparison?.interval?.lowerBound),
      "gain-high": .decimal(comparison?.interval?.upperBound),
      "campaigns": .integer(Int64(comparison?.rows.count ?? 0)), "draft": draft.json,
      "in-force": inForce?.json ?? nil,
    ]
  }
}

extension TrialFigures {
  fileprivate var json: JSONOutput {
    [
      "name": .string(name), "currency": .string(currency.text), "installs": .integer(Int64(installs)),
      "organic-users": .integer(Int64(organicUsers)), "revenue": total.revenue.amount.json,
      "captured": total.captured.amount.json, "captured-share": .decimal(capturedShare),
      "visible-low": total.visibleLow.amount.json, "visible-mid": total.visible.amount.json,
      "visible-high": total.visibleHigh.amount.json, "visible-share": .decimal(visibleShare),
      "postbacks": .integer(Int64(postbacks)), "withheld": .integer(Int64(withheld)),
      "withheld-share": .decimal(withheldShare), "campaign-error": .decimal(error),
      "values-reached": .integer(Int64(valuesReached)), "values-mapped": .integer(Int64(valuesMapped)),
      "first-numbers-hours": firstHours.map { .integer(Int64($0)) } ?? nil,
      "last-numbers-hours": lastHours.map { .integer(Int64($0)) } ?? nil,
      "sizes": .array(sizes.map(\.json)),
    ]
  }
}

extension TrialFigures.SizeRow {
  fileprivate var json: JSONOutput {
    [
      "installs-from": .integer(Int64(from)), "installs-to": to.map { .integer(Int64($0)) } ?? nil,
      "campaigns": .integer(Int64(campaigns)), "error-low": .decimal(low), "error-median": .decimal(median),
      "error-high": .decimal(high),
    ]
  }
}

extension MappingProposal {
  /// The proposal for a script.
  package var json: JSONOutput {
    [
      "document": .string(String(decoding: document, as: UTF8.self)), "method": .string(method),
      "window-hours": .integer(Int64(windowHours)), "cautions": .array(cautions.map { .string($0) }),
    ]
  }
}
