#!/bin/sh
# A Docker engine of the project's own, for machines on which none runs: docker-engine.sh start|stop|status
#
# It listens on /run/maze-grader/docker.sock, where the grader looks when no other engine answers,
# and keeps everything below /var/lib/maze-grader and /run/maze-grader. It has no bridge and touches
# no firewall: boxes have no network. So it also runs inside of containers that are privileged.
set -eu

RUN=/run/maze-grader
SOCKET=$RUN/docker.sock
PIDFILE=$RUN/docker.pid
LOG=$RUN/docker.log
DATA=/var/lib/maze-grader/docker
SECONDS_TO_WAIT=60

say() { echo "docker-engine: $*"; }
fail() { echo "docker-engine: $*" >&2; exit 1; }

own_answers() { [ -S "$SOCKET" ] && timeout 20 docker -H "unix://$SOCKET" version >/dev/null 2>&1; }
other_answers() { timeout 20 docker version >/dev/null 2>&1; }
own_pid() { cat "$PIDFILE" 2>/dev/null || true; }
own_runs() {
    pid=$(own_pid)
    [ -n "$pid" ] && [ "$(cat "/proc/$pid/comm" 2>/dev/null)" = dockerd ]
}

start() {
    command -v docker >/dev/null || fail "no program docker: run scripts/install-system.sh first"
    if other_answers; then say "an engine answers already"; return; fi
    if own_answers; then say "already runs on $SOCKET"; return; fi
    [ "$(id -u)" = 0 ] || fail "only root can start an engine; ask for one, or use --sandbox bubblewrap"
    command -v dockerd >/dev/null || fail "no program dockerd: run scripts/install-system.sh first"
    mkdir -p "$RUN" "$DATA"
    chmod 700 "$DATA"
    if ! own_runs; then
        say "starting an engine (a few seconds)"
        rm -f "$PIDFILE" "$SOCKET"
        launch
    fi
    wait_for_answer
    say "runs on $SOCKET"
}

launch() {
    nohup setsid dockerd \
        --host="unix://$SOCKET" --group=root --pidfile="$PIDFILE" \
        --data-root="$DATA" --exec-root="$RUN/docker" \
        --iptables=false --ip6tables=false --ip-masq=false --bridge=none \
        --exec-opt native.cgroupdriver=cgroupfs --log-level=warn \
        >"$LOG" 2>&1 </dev/null &
    LAUNCHED=$!
}

wait_for_answer() {
    left=$((SECONDS_TO_WAIT * 10))
    until own_answers; do
        left=$((left - 1))
        [ "$left" -gt 0 ] || { tail -5 "$LOG" >&2; fail "no answer within $SECONDS_TO_WAIT seconds; see $LOG"; }
        if [ -n "${LAUNCHED:-}" ] && ! kill -0 "$LAUNCHED" 2>/dev/null && ! own_runs; then
            tail -5 "$LOG" >&2
            fail "the engine ended at once; see $LOG"
        fi
        sleep 0.1
    done
}

stop() {
    own_runs || { say "does not run"; return; }
    kill "$(own_pid)"
    left=300
    while own_runs && [ "$left" -gt 0 ]; do
        left=$((left - 1))
        sleep 0.1
    done
    if own_runs; then fail "process $(own_pid) did not end within 30 seconds"; fi
    rm -f "$SOCKET"
    say "stopped"
}

status() {
    if own_answers; then say "runs on $SOCKET"
    elif other_answers; then say "another engine answers"
    else say "no engine answers"; exit 3
    fi
}

case "${1:-}" in
    start) start ;;
    stop) stop ;;
    status) status ;;
    *) echo "usage: docker-engine.sh start|stop|status" >&2; exit 2 ;;
esac
