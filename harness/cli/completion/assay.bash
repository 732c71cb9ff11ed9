# Completes the command line of assay in bash: eval "$(assay completion bash)"
_assay() {
  local word candidate cut=0 joined='' words=()
  # bash divides words at = and : as well. What stands before the last one stays on the line.
  for word in "${COMP_WORDS[@]:1:COMP_CWORD}"; do
    if [[ ${#words[@]} -gt 0 && $word =~ ^[=:]+$ ]]; then
      words[-1]+=$word
      cut=${#words[-1]} joined=yes
    elif [[ $joined ]]; then
      words[-1]+=${word#[\"\']}
      joined=''
    else
      words+=("${word#[\"\']}")
      cut=0
    fi
  done
  COMPREPLY=()
  while IFS=$'\t' read -r candidate _; do
    COMPREPLY+=("${candidate:cut}")
    [[ $candidate != *[/:=] ]] || compopt -o nospace
  done < <("${1/#\~/$HOME}" completion --words -- "${words[@]}" 2>/dev/null)
}
complete -o bashdefault -o default -F _assay assay
