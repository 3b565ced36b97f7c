# For the scripts beside it: patiently LOG COMMAND... runs a command whose output goes to a file, and says every
# ten seconds that it goes on.
patiently() {
    output=$1
    shift
    "$@" >"$output" 2>&1 &
    running=$!
    seconds=0
    while kill -0 "$running" 2>/dev/null; do
        sleep 1
        seconds=$((seconds + 1))
        if [ $((seconds % 10)) = 0 ]; then say "... $seconds seconds"; fi
    done
    wait "$running"
}
