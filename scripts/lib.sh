# Shared by the scripts: what they need, installed where it is missing. Sourced, never run.
# Callers have set `set -euo pipefail` and stand in the repository's root.

# Runs a command as root, by sudo where we are not.
as_root() {
    if [ "$(id -u)" -eq 0 ]; then "$@"; else sudo "$@"; fi
}

# Whether a Chromium is on one of the usual paths.
have_chromium() {
    local candidate
    for candidate in /usr/lib/chromium/chromium /usr/lib/chromium-browser/chromium-browser /opt/google/chrome/chrome; do
        if [ -x "$candidate" ]; then return 0; fi
    done
    command -v chromium >/dev/null || command -v chromium-browser >/dev/null || command -v google-chrome >/dev/null
}

# Installs Chromium by apt when there is none.
need_chromium() {
    if have_chromium; then return 0; fi
    echo "Chromium is missing; installing it with apt" >&2
    as_root apt-get update -qq
    as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq chromium
}

# Cargo, or a sentence that says how to get it.
need_cargo() {
    if command -v cargo >/dev/null; then return 0; fi
    echo "cargo is missing: install Rust 1.91 or newer (https://rustup.rs)" >&2
    exit 1
}

# As root Chromium has no sandbox to start with: say so once, and allow it for this process tree only.
allow_root() {
    if [ "$(id -u)" -eq 0 ] && [ -z "${GANNET_ALLOW_NO_SANDBOX:-}" ]; then
        echo "running as root: Chromium starts without its sandbox" >&2
        export GANNET_ALLOW_NO_SANDBOX=1
    fi
}
