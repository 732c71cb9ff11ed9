#compdef assay
# Completes the command line of assay in zsh: eval "$(assay completion zsh)"
_assay() {
  local line word
  local -a ends goes_on
  for line in "${(@f)$(${(Q)words[1]} completion --words -- "${(@Q)words[2,CURRENT-1]}" "${(Q)PREFIX}" 2>/dev/null)}"; do
    word=${line%%$'\t'*}
    case $word in
      '') ;;
      *[/:=]) goes_on+=("${word//:/\\:}:${line#*$'\t'}") ;;
      *) ends+=("${word//:/\\:}:${line#*$'\t'}") ;;
    esac
  done
  (( $#ends + $#goes_on )) || { _files; return }
  (( ! $#ends )) || _describe -t words word ends
  (( ! $#goes_on )) || _describe -t words word goes_on -S ''
}
if [[ $funcstack[1] == _assay ]]; then
  _assay "$@"
else
  compdef _assay assay
fi
