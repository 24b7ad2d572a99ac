#!/bin/sh
# A bot in the shell: it takes the first legal action. It starts no other program, so it answers at once.
# The parts of a line are cut out by pattern: that is enough for `ply` and `legal`, since no notation holds a
# quotation mark.

while IFS= read -r line; do
    case $line in
    *'"type":"act"'*)
        ply=${line#*'"ply":'}
        ply=${ply%%[!0-9]*}
        action=${line##*'"legal":["'}
        action=${action%%'"'*}
        printf '{"type":"act","ply":%s,"action":"%s"}\n' "$ply" "$action"
        ;;
    *'"type":"hello"'*) echo '{"type":"ready"}' ;;
    *'"type":"end"'*) echo "$line" >&2 ;; # standard error is the log
    *'"type":"quit"'*) exit 0 ;;
    esac
done
