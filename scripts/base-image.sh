#!/bin/sh
# A base image without a registry, made by debootstrap: base-image.sh [SUITE] [boxes|service]
#
# For boxes it is a small Debian with Python; for the service in containers (compose.yaml) it has what both of its
# images stand on: Python with venv, bubblewrap, Caddy, and nginx, which a test puts into the place of Caddy.
# The mirror, and whatever proxy or key goes with it, is the one that this machine's apt uses.
# The images are maze-grader-base:<suite> and maze-grader-service-base:<suite>; one that is there is not made again.
set -eu
. "${0%/*}/patiently.sh"

SUITE=${1:-bookworm}
PURPOSE=${2:-boxes}
OWN_SOCKET=/run/maze-grader/docker.sock

say() { echo "base-image: $*"; }
fail() { echo "base-image: $*" >&2; exit 1; }

case "$PURPOSE" in
    boxes) IMAGE=maze-grader-base:$SUITE PACKAGES=python3-minimal,libpython3-stdlib ;;
    service) IMAGE=maze-grader-service-base:$SUITE PACKAGES=python3,python3-venv,bubblewrap,caddy,nginx-light ;;
    *) fail "expected boxes or service, got $PURPOSE" ;;
esac

docker_() {
    if [ -n "$HOST" ]; then docker -H "$HOST" "$@"; else docker "$@"; fi
}

find_engine() {
    HOST=
    if docker version >/dev/null 2>&1; then return; fi
    HOST=unix://$OWN_SOCKET
    docker_ version >/dev/null 2>&1 || fail "no Docker engine answers: run scripts/docker-engine.sh start first"
}

# The first Debian archive of apt's configuration, in the old format or the new, that has the suite.
find_mirror() {
    apt-get indextargets --format '$(SITE) $(RELEASE) $(COMPONENT)' 'Created-By: Packages' 2>/dev/null |
        awk -v suite="$SUITE" '$2 == suite && $3 == "main" { print $1; exit }'
}

command -v docker >/dev/null || fail "no program docker: run scripts/install-system.sh first"
find_engine
if docker_ image inspect "$IMAGE" >/dev/null 2>&1; then
    say "$IMAGE is there"
    exit 0
fi
[ "$(id -u)" = 0 ] || fail "only root can make a base image; pull one instead: docker pull python:3.11-slim"
command -v debootstrap >/dev/null || fail "no program debootstrap: run scripts/install-system.sh first"

MIRROR=$(find_mirror)
[ -n "$MIRROR" ] || fail "apt has no source for the suite $SUITE: name another, as in: base-image.sh trixie"
WORK=$(mktemp -d)
trap 'rm -rf "$WORK"' EXIT INT TERM
ROOT=$WORK/root

say "making $IMAGE from $MIRROR (a minute or two)"
export DEBIAN_FRONTEND=noninteractive
patiently "$WORK/log" \
    debootstrap --variant=minbase --include="$PACKAGES" "$SUITE" "$ROOT" "$MIRROR" || { tail -5 "$WORK/log" >&2; fail "debootstrap failed"; }
tar -C "$ROOT" --numeric-owner -c \
    --exclude='./var/cache/*' --exclude='./var/lib/apt/*' --exclude='./var/log/*' --exclude='./proc/*' \
    --exclude='./usr/share/doc/*' --exclude='./usr/share/man/*' --exclude='./usr/share/locale/*' \
    --exclude='./usr/share/info/*' --exclude='./dev/*' --exclude='./sys/*' --exclude='./etc/apt/sources.list*' \
    . | docker_ import --change 'ENV PATH=/usr/local/bin:/usr/bin:/bin' - "$IMAGE" >/dev/null
say "$IMAGE is made"
