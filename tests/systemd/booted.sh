#!/usr/bin/env bash
# Boots a real systemd in a container without a network, and lets inside.sh try the three units there.
#   booted.sh SOURCE_DIR BUILD_DIR ROOT     exits 77 where that cannot be done here
#
# ROOT (make_root.sh) is only read: everything the container writes lies in a tmpfs of a mount namespace of its own,
# which ends with this script.
set -euo pipefail
source_dir="$1" build="$2" root="$3"
skip() { echo "booted: skipped: $*"; exit 77; }
[ -e "$root/made" ] || skip "$root is not there; tests/systemd/make_root.sh makes it"
[ "$(id -u)" = 0 ] || skip "booting a container needs root"
command -v systemd-nspawn >/dev/null || skip "there is no systemd-nspawn (package systemd-container)"
if [ "${TACHO_BOOTED_INSIDE:-}" != yes ]; then
  TACHO_BOOTED_INSIDE=yes exec unshare --mount --propagation private "$0" "$@"
fi

home=$(mktemp -d "${TMPDIR:-/tmp}/tacho-booted.XXXXXX")
container=
clean_up() {
  [ -z "$container" ] || { kill "$container" 2>/dev/null; wait "$container"; } || true
  umount -R "$home" 2>/dev/null || true
  rmdir "$home" 2>/dev/null || rm -rf "$home"
}
trap clean_up EXIT
mount -t tmpfs -o mode=0755 tacho-booted "$home"
mkdir "$home"/{stage,upper,work,merged,results}

for component in robot server; do
  DESTDIR="$home/stage" cmake --install "$build" --prefix /usr --component "$component" --strip >/dev/null
done
mkdir -p "$home/stage/usr/lib/tacho-test" "$home/stage/etc/systemd/system/multi-user.target.wants"
cp "$source_dir/tests/systemd/inside.sh" "$home/stage/usr/lib/tacho-test/"
cat >"$home/stage/etc/systemd/system/tacho-test.service" <<'UNIT'
[Unit]
Description=What must hold of the units
SuccessAction=poweroff-force
FailureAction=poweroff-force
[Service]
Type=idle
ExecStart=/bin/bash /usr/lib/tacho-test/inside.sh
StandardOutput=truncate:/results/claims
StandardError=truncate:/results/trace
UNIT
ln -s ../tacho-test.service "$home/stage/etc/systemd/system/multi-user.target.wants/"

# Whiteouts of a tmpfs work; the root's own /usr is a folder, so the stage merges into it.
mount -t overlay tacho-booted -o "lowerdir=$home/stage:$root,upperdir=$home/upper,workdir=$home/work" "$home/merged"
timeout --kill-after=10 "${TACHO_BOOTED_PATIENCE:-280}" \
  systemd-nspawn --quiet --directory="$home/merged" --register=no --keep-unit --private-network --boot \
  --link-journal=no --bind="$home/results:/results" >"$home/console" 2>&1 </dev/null &
container=$!
wait "$container" || true
container=
cat "$home/results/claims" 2>/dev/null || true
if grep -qx 'claims: all hold' "$home/results/claims" 2>/dev/null; then exit 0; fi
echo "booted: FAILED; the last of the trace, the journal and the console:"
for file in results/trace results/journal console; do tail -n 40 "$home/$file" 2>/dev/null || true; done
exit 1
