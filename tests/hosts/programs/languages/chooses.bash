while IFS= read -r line; do
    case $line in
    *'"type":"hello"'*) echo '{"type":"ready"}' ;;
    *'"type":"act"'*)
        [[ $line =~ \"ply\":([0-9]+) ]]
        rest=${line##*'"legal":['}
        echo "{\"type\":\"act\",\"ply\":${BASH_REMATCH[1]},\"action\":${rest%%[],]*}}"
        ;;
    esac
done
