#!/bin/sh
# Installs what the sandboxes and the tests need besides Python, on Debian and Ubuntu, as root.
#
# Quick and silent where everything is there. Elsewhere it says what is missing and what that means,
# and fails (status 3), since the tests could not hold what they promise.
set -eu
. "${0%/*}/patiently.sh"

# a program, the package that has it, and what it is for
NEEDED='
dockerd docker.io no_Docker_sandbox
docker docker.io|docker-cli no_Docker_sandbox
bwrap bubblewrap no_bubblewrap_sandbox
debootstrap debootstrap no_base_image_without_a_registry
chromium|chromium-browser|google-chrome chromium no_tests_that_look_at_the_feedback_page
firefox-esr|firefox firefox-esr|firefox no_tests_of_the_students_pages_in_Firefox
npm npm no_tests_of_the_lab_in_a_browser_tab
'

say() { echo "install-system: $*"; }

there() {
    for program in $(echo "$1" | tr '|' ' '); do
        if command -v "$program" >/dev/null 2>&1 || [ -x "/usr/sbin/$program" ]; then return 0; fi
    done
    return 1
}

# Lines of NEEDED whose program is not there.
missing() {
    echo "$NEEDED" | while read -r program package purpose; do
        if [ -n "$program" ] && ! there "$program"; then echo "$program $package $purpose"; fi
    done
}

has_package() { apt-cache show --no-all-versions "$1" 2>/dev/null | grep -q '^Package:'; }

# The packages that apt knows, of each line those of its alternatives that exist.
packages() {
    missing | while read -r _ package _; do
        for name in $(echo "$package" | tr '|' ' '); do
            if has_package "$name"; then echo "$name"; fi
        done
    done | sort -u
}

install() {
    export DEBIAN_FRONTEND=noninteractive
    log=$(mktemp)
    trap 'rm -f "$log"' EXIT
    say "installing $(missing | cut -d' ' -f1 | tr '\n' ' ')(some minutes)"
    if ! patiently "$log" fetch; then
        tail -5 "$log" >&2
        say "apt-get failed" >&2
    fi
}

fetch() {
    apt-get update -qq && apt-get install -y -qq --no-install-recommends -o Dpkg::Use-Pty=0 \
        $(packages) tini ca-certificates libseccomp2
}

if [ -z "$(missing)" ]; then exit 0; fi
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then install; fi
if [ -z "$(missing)" ]; then
    say "done"
    exit 0
fi
{
    say "MISSING, and cannot be installed from here (it takes root on Debian or Ubuntu):"
    missing | while read -r program package purpose; do
        echo "  $program, of the package $package: without it, $(echo "$purpose" | tr _ ' ')"
    done
} >&2
exit 3
