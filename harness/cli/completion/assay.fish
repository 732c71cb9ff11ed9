# Completes the command line of assay in fish: assay completion fish | source
function __assay_words
    set -l before (commandline -opc)
    set -l begun (commandline -ct)
    set -l found ($before[1] completion --words -- $before[2..-1] "$begun" 2>/dev/null)
    if test (count $found) -gt 0
        printf '%s\n' $found
    else
        __fish_complete_path "$begun"
    end
end
complete -c assay -f -a '(__assay_words)'
