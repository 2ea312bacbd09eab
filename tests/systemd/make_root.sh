#!/usr/bin/env bash
# Makes the small Debian that booted.sh boots, once: needs root and the distribution's mirror, takes about two minutes.
#   make_root.sh FOLDER
set -euo pipefail
root="${1:?usage: make_root.sh FOLDER}"
[ -e "$root/made" ] && exit 0
[ "$(id -u)" = 0 ] || { echo "make_root.sh: debootstrap needs root" >&2; exit 1; }
rm -rf "$root"
mkdir -p "$(dirname "$root")"
debootstrap --variant=minbase --include=systemd,systemd-sysv,dbus,libsqlite3-0 bookworm "$root" >"$root.log" 2>&1 \
  || { tail -20 "$root.log" >&2; exit 1; }
rm -rf "$root"/var/cache/apt/archives/*.deb "$root"/var/lib/apt/lists/*
touch "$root/made"
