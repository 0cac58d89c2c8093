package enum Shell: String, CaseIterable, Sendable {
  case bash
  case zsh
  case fish
}

extension Program {
  /// Returns a script that teaches a shell the commands, options and words to choose from.
  package func completions(for shell: Shell) -> String {
    switch shell {
    case .bash: bashCompletions
    case .zsh: zshCompletions
    case .fish: fishCompletions
    }
  }

  /// The first words of the commands of each group, each word once; groups without a word of their own are left out.
  private var firstWords: [(group: CommandGroup, words: [String])] {
    var seen: Set<String> = []
    return groups.map { group in
      (group, group.commands.map { $0.path[0] }.filter { seen.insert($0).inserted })
    }
    .filter { !$0.words.isEmpty }
  }

  /// What `help` takes besides commands.
  private var topics: [(word: String, summary: String)] {
    groups.map { ($0.name, $0.summary) } + [("environment", "Environment variables.")]
  }

  /// What a first word stands for.
  private func summary(of word: String) -> String {
    prefixes[word] ?? commands.first { $0.path[0] == word }?.summary ?? ""
  }

  /// Each path that words can follow, with those words: first words of commands, then commands.
  private var nextWords: [(path: String, words: [String])] {
    let top = firstWords.flatMap(\.words)
    return [
      (name, top + ["help", "--help", "--version"]),
      ("\(name) help", topics.map(\.word) + top),
    ]
      + prefixes.keys.sorted().map { prefix in
        (
          "\(name) \(prefix)",
          commands.filter { $0.path[0] == prefix }.compactMap { $0.path.dropFirst().first } + ["--help"]
        )
      }
      + commands.map { command in ("\(name) \(command.name)", command.options.flatMap(longSpellings)) }
  }

  private func longSpellings(_ option: Option) -> [String] { option.spellings.filter { $0.hasPrefix("--") } }

  private func choices(_ kind: ValueKind) -> [String]? {
    switch kind {
    case .choice(let words), .hostPortOr(let words): words
    default: nil
    }
  }

  /// How zsh completes a value; a blank shows its placeholder alone.
  private func zshAction(_ kind: ValueKind) -> String {
    choices(kind).map { "(\($0.joined(separator: " ")))" } ?? (kind == .path ? "_files" : " ")
  }

  private var bashCompletions: String {
    let paths = nextWords.map { path, words in
      "    '\(path)') words='\(words.joined(separator: " "))' ;;"
    }
    var values: [String] = []
    for command in commands {
      for option in command.options where option.placeholder != nil {
        let words = choices(option.kind)?.joined(separator: " ") ?? ""
        let files = option.kind == .path ? "yes" : "no"
        values.append("    '\(name) \(command.name) \(option.name)') words='\(words)'; files=\(files) ;;")
      }
      if let words = command.positionals.first.flatMap({ choices($0.kind) }) {
        values.append("    '\(name) \(command.name) ') words='\(words.joined(separator: " "))' ;;")
      }
    }
    return """
      # Completions of \(name) for bash. Use: source <(\(name) completions bash)
      _\(name)() {
        local current="${COMP_WORDS[COMP_CWORD]}" previous="${COMP_WORDS[COMP_CWORD-1]}"
        local chosen='\(name)' words='' files='' word
        for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
          case "$chosen $word" in
          \(nextWords.dropFirst().map { "'\($0.path)'" }.joined(separator: "|"))) chosen="$chosen $word" ;;
          esac
        done
        case "$chosen" in
      \(paths.joined(separator: "\n"))
        esac
        [[ "$previous" == -* ]] || previous=''
        [[ -z "$previous" && "$current" == -* ]] || case "$chosen $previous" in
      \(values.joined(separator: "\n"))
        esac
        mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
        if [[ "$files" == yes ]] || [[ -z "$files" && "$current" != -* && ${#COMPREPLY[@]} -eq 0 ]]; then
          mapfile -t COMPREPLY < <(compgen -f -- "$current")
        fi
      }
      complete -o filenames -F _\(name) \(name)

      """
  }

  private var zshCompletions: String {
    let functions = commands.map { command in
      let options = command.options.flatMap { option in
        longSpellings(option).map { spelling in
          let value = option.placeholder.map { placeholder in
            ":\(zshText(placeholder)):\(zshAction(option.kind))"
          }
          let many = option.isRepeatable ? "*" : ""
          return
            "      '\(many)\(spelling)\(value == nil ? "" : "=")[\(zshText(option.summary))]\(value ?? "")'"
        }
      }
      let words = command.positionals.map { positional in
        let many = positional.isRepeatable ? "*" : ""
        return "      '\(many):\(zshText(positional.placeholder)):\(zshAction(positional.kind))'"
      }
      return "    '\(command.name)')\n      _arguments \\\n"
        + (options + words).joined(separator: " \\\n") + " ;;"
    }
    let described = firstWords.map { group, words in
      let lines = words.map { "      '\($0):\(zshText(summary(of: $0)))'\n" }.joined()
      return "    commands=(\n\(lines)    )\n"
        + "    _describe -V -t \(group.name) '\(group.name)' commands"
    }
    let below = prefixes.keys.sorted().map { prefix in
      let words = commands.filter { $0.path[0] == prefix && $0.path.count > 1 }
        .map { "'\($0.path[1]):\(zshText($0.summary))'" }
      return "    '\(prefix)') commands=(\(words.joined(separator: " "))) ;;"
    }
    let help = topics.map { "'\($0.word):\(zshText($0.summary))'" }.joined(separator: " ")
    return """
      #compdef \(name)
      # Completions of \(name) for zsh. Use: \(name) completions zsh > a folder of $fpath, as _\(name)
      _\(name)() {
        local -a commands
        local chosen="${words[2]}" depth=2
        if (( CURRENT == 2 )); then
      \(described.joined(separator: "\n"))
          return
        fi
        case "$chosen" in
      \(below.joined(separator: "\n"))
          'help') commands=(\(help)) ;;
        esac
        if (( ${#commands} )); then
          if (( CURRENT == 3 )); then
            _describe command commands
            return
          fi
          chosen="$chosen ${words[3]}"
          depth=3
        fi
        shift $((depth - 1)) words
        (( CURRENT -= depth - 1 ))
        case "$chosen" in
      \(functions.joined(separator: "\n"))
        esac
      }
      # Loaded from $fpath this file is the function's first call; sourced it is not.
      if [[ "${funcstack[1]}" == _\(name) ]]; then _\(name) "$@"; else compdef _\(name) \(name); fi

      """
  }

  private var fishCompletions: String {
    var lines = [
      "# Completions of \(name) for fish. Use: \(name) completions fish | source", "complete -c \(name) -f",
    ]
    for (group, words) in firstWords {
      lines.append("# \(group.name): \(group.summary)")
      lines += words.map {
        "complete -c \(name) -n __fish_use_subcommand -a \($0) -d '\(fishText(summary(of: $0)))'"
      }
    }
    lines.append("complete -c \(name) -n __fish_use_subcommand -a help -d 'Print help.'")
    lines += topics.map {
      "complete -c \(name) -n '__fish_seen_subcommand_from help' -a \($0.word) -d '\(fishText($0.summary))'"
    }
    for command in commands {
      var condition = "__fish_seen_subcommand_from \(command.path[0])"
      if command.path.count > 1 {
        let known = commands.filter { $0.path[0] == command.path[0] && $0.path.count > 1 }.map { $0.path[1] }
        lines.append(
          "complete -c \(name) -n '\(condition); and not __fish_seen_subcommand_from \(known.joined(separator: " "))'"
            + " -a \(command.path[1]) -d '\(fishText(command.summary))'")
        condition += "; and __fish_seen_subcommand_from \(command.path[1])"
      }
      for option in command.options {
        for spelling in longSpellings(option) {
          var line = "complete -c \(name) -n '\(condition)' -l \(spelling.dropFirst(2))"
          if let short = option.short, spelling == option.name { line += " -s \(short)" }
          if option.placeholder != nil {
            line +=
              choices(option.kind).map { " -x -a '\($0.joined(separator: " "))'" }
              ?? (option.kind == .path ? " -r -F" : " -x")
          }
          lines.append(line + " -d '\(fishText(option.summary))'")
        }
      }
      if let positional = command.positionals.first {
        let action = choices(positional.kind).map { "-a '\($0.joined(separator: " "))'" } ?? "-F"
        lines.append("complete -c \(name) -n '\(condition)' \(action)")
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }
}

/// Makes text safe between single quotes in a specification of zsh's `_arguments` or `_describe`.
private func zshText(_ text: String) -> String {
  text.map { letter in
    switch letter {
    case "'": "'\\''"
    case "[", "]", ":", "\\": "\\\(letter)"
    default: String(letter)
    }
  }.joined()
}

/// Makes text safe between single quotes in fish.
private func fishText(_ text: String) -> String {
  text.map { $0 == "'" || $0 == "\\" ? "\\\($0)" : String($0) }.joined()
}
