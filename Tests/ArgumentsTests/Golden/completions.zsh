#compdef skan
# Completions of skan for zsh. Use: skan completions zsh > a folder of $fpath, as _skan
_skan() {
  local -a commands
  local chosen="${words[2]}" depth=2
  if (( CURRENT == 2 )); then
    commands=(
      'serve:Receive postbacks over HTTP, and store and count them in a database file.'
      'report:Print what the postbacks tell.'
    )
    _describe -V -t receive 'receive' commands
    commands=(
      'mapping:Work with conversion-value mappings.'
      'completions:Print a script that completes commands in a shell.'
    )
    _describe -V -t other 'other' commands
    return
  fi
  case "$chosen" in
    'mapping') commands=('check:Find errors in mapping files, and doubtful places.' 'diff:Show which values kept their meaning from one mapping to the next.') ;;
    'report') commands=('campaigns:Print the campaign table.') ;;
    'help') commands=('receive:Receive postbacks, and count them.' 'other:Work with mappings and shells.' 'environment:Environment variables.') ;;
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
    'serve')
      _arguments \
      '--database=[The database file.]:PATH:_files' \
      '--listen=[Where to listen.]:HOST\:PORT: ' \
      '--threads=[How many threads answer.]:N: ' \
      '--keep-bodies-for=[How long bodies are kept.]:DURATION: ' \
      '--sync[Wait for the disk at each commit.]' \
      '--no-sync[Wait for the disk at each commit.]' \
      '--quiet[Print no notes and no progress.]' \
      '--no-color[Print nothing coloured.]' \
      '--config=[A configuration file.]:PATH:_files' \
      '--help[Print this help.]' ;;
    'report campaigns')
      _arguments \
      '--database=[The database file.]:PATH:_files' \
      '--from=[The first moment that counts.]:TIME: ' \
      '*--app=[Only this app.]:ID: ' \
      '--format=[The form of the rows.]:FORMAT:(table json ndjson csv)' \
      '--quiet[Print no notes and no progress.]' \
      '--no-color[Print nothing coloured.]' \
      '--config=[A configuration file.]:PATH:_files' \
      '--help[Print this help.]' ;;
    'mapping check')
      _arguments \
      '--strict[Let warnings count as errors.]' \
      '--quiet[Print no notes and no progress.]' \
      '--no-color[Print nothing coloured.]' \
      '--config=[A configuration file.]:PATH:_files' \
      '--help[Print this help.]' \
      '*:FILE:_files' ;;
    'mapping diff')
      _arguments \
      '--quiet[Print no notes and no progress.]' \
      '--no-color[Print nothing coloured.]' \
      '--config=[A configuration file.]:PATH:_files' \
      '--help[Print this help.]' \
      ':OLD:_files' \
      ':NEW:_files' ;;
    'completions')
      _arguments \
      '--quiet[Print no notes and no progress.]' \
      '--no-color[Print nothing coloured.]' \
      '--config=[A configuration file.]:PATH:_files' \
      '--help[Print this help.]' \
      ':SHELL:(bash zsh fish)' ;;
  esac
}
# Loaded from $fpath this file is the function's first call; sourced it is not.
if [[ "${funcstack[1]}" == _skan ]]; then _skan "$@"; else compdef _skan skan; fi
