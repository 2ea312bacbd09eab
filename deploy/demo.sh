#!/usr/bin/env bash
# Shows Tachograph at work: one fleet server and three robots on this machine, for about twenty seconds.
#   deploy/demo.sh          sets up, builds, runs, prints what an engineer would ask, cleans up
#   deploy/demo.sh --keep   leaves everything running and says how to go on
#   deploy/demo.sh --help   prints this
#
# The robots: this machine's own board, and a fixture Orin and a fixture Thor whose tegrastats is replayed.
set -euo pipefail
cd "$(dirname "$0")/.."
root=$PWD
usage() { sed -n '2,/^set /{ /^#/!d; s/^# \{0,1\}//; p; }' deploy/demo.sh; }
case "$*" in
  "" | --keep) keep="${1:-}" ;;
  -h | --help) usage; exit 0 ;;
  *) echo "demo.sh: '$*' is not understood" >&2; usage >&2; exit 2 ;;
esac
readonly seconds=20

deploy/packages.sh
echo "building (a few minutes the first time) ..." >&2
deploy/build.sh release tachod tacho-uplink tacho-server tacho
readonly bin="$root/build/release/bin"

home=$(mktemp -d "${TMPDIR:-/tmp}/tacho-demo.XXXXXX")
pids=()
clean_up() {
  for pid in "${pids[@]}"; do kill "$pid" 2>/dev/null || true; done
  for pid in "${pids[@]}"; do wait "$pid" 2>/dev/null || true; done
  rm -rf "$home"
}
trap clean_up EXIT
trap 'exit 130' INT TERM

start() {  # start NAME PROGRAM ARGUMENTS...
  local name="$1"
  shift
  "$@" >"$home/$name.log" 2>&1 &
  pids+=($!)
}

port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
deploy/make-certs.sh "$home/certs" fleet-server --server 127.0.0.1 localhost >"$home/certs.log" 2>&1
for name in this-machine orin-demo thor-demo engineer; do deploy/make-certs.sh "$home/certs" "$name" >>"$home/certs.log" 2>&1; done

tls() {  # tls NAME: the [tls] table of a config
  printf '[tls]\nauthority = "%s/certs/ca.crt"\ncertificate = "%s/certs/%s.crt"\nkey = "%s/certs/%s.key"\n' "$home" "$home" "$1" "$home" "$1"
}

cat >"$home/budgets.toml" <<BUDGETS
[[budget]]
name = "junction temperature"
metric = "thermal_zone_temperature"
instance = "tj"
statistic = "max"
max = "60 C"
model = "*Orin*"

[[budget]]
name = "board power"
metric = "power_rail"
instance = "VIN"
statistic = "p50"
max = "60 W"
model = "*Thor*"

[[budget]]
name = "GPU and SoC power"
metric = "power_rail"
instance = "VDD_GPU_SOC"
statistic = "p50"
max = "40 W"
model = "*Orin*"

[[budget]]
name = "GPU busy"
metric = "gpu_load"
statistic = "p95"
max = "95 %"

[[budget]]
name = "memory left"
metric = "memory_available"
statistic = "min"
min = "64 MiB"
BUDGETS
{ printf 'listen = "127.0.0.1:%s"\ndata = "%s/server"\nbudgets = "%s/budgets.toml"\n' "$port" "$home" "$home"; tls fleet-server; printf '[people]\nadmins = ["engineer"]\n'; } >"$home/server.toml"
start server "$bin/tacho-server" --config "$home/server.toml"

robot() {  # robot NAME SYSTEM_ROOT [TEGRASTATS_LOG]
  local name="$1" at="$home/$1"
  mkdir -p "$at"
  local system_root=/
  if [ "$2" != / ]; then  # a fixture is a boot of its own
    system_root="$at/board"
    cp -r "$2" "$system_root"
    mkdir -p "$system_root/proc/sys/kernel/random"
    cat /proc/sys/kernel/random/uuid >"$system_root/proc/sys/kernel/random/boot_id"
  fi
  {
    printf 'system_root = "%s"\n' "$system_root"
    if [ -n "${3:-}" ]; then  # two minutes of log, over and over for some hours
      for _ in $(seq 100); do cat "$3"; done >"$at/tegrastats.log"
      printf '[feed.tegrastats]\nfile = "%s/tegrastats.log"\ninterval = "500ms"\nreplay_pace = "500ms"\n' "$at"
    fi
    printf '[spool]\nfolder = "%s/spool"\nmax = "8MiB"\n[flight]\nfile = "%s/flight"\n' "$at" "$at"
    printf '[local]\nsocket = "%s/recorder.sock"\n[wake]\nsocket = "%s/wake.sock"\n' "$at" "$at"
  } >"$at/tachod.toml"
  {
    printf 'robot = "%s"\nserver = "127.0.0.1:%s"\nsystem_root = "%s"\nflush = "2s"\n' "$name" "$port" "$system_root"
    tls "$name"
    printf '[spool]\nfolder = "%s/spool"\n[wake]\nsocket = "%s/wake.sock"\n' "$at" "$at"
  } >"$at/uplink.toml"
  start "$name.recorder" "$bin/tachod" --config "$at/tachod.toml"
  start "$name.uplink" "$bin/tacho-uplink" --config "$at/uplink.toml"
}
robot this-machine /
robot orin-demo "$root/tests/boards/orin-agx" "$root/tests/boards/orin-agx/tegrastats.log"
robot thor-demo "$root/tests/boards/thor-agx" "$root/tests/boards/thor-agx/tegrastats.log"

mkdir -p "$home/cli"
{ printf 'server = "127.0.0.1:%s"\n' "$port"; tls engineer; } >"$home/cli/config.toml"
tacho() { TACHO_CONFIG="$home/cli/config.toml" "$bin/tacho" "$@"; }
local_tacho() { tacho local "${@:2}" --socket "$home/$1/recorder.sock"; }

readonly robots=(this-machine orin-demo thor-demo)
for robot in "${robots[@]}"; do
  for _ in $(seq 50); do [ -S "$home/$robot/recorder.sock" ] && break; sleep 0.1; done
  local_tacho "$robot" run start demo >/dev/null
done
for second in $(seq "$seconds"); do
  printf '\r  recording %2d of %d s ' "$second" "$seconds" >&2
  sleep 1
done
printf '\r                           \r' >&2
for robot in "${robots[@]}"; do local_tacho "$robot" run stop >/dev/null; done
sleep 5  # the last second is sealed after 2 s, and sent within 2 s more

show() { printf '\n$ tacho %s\n' "$*"; tacho "$@" -o table || true; }
export CLICOLOR_FORCE=${CLICOLOR_FORCE-}
show robots
show runs
for robot in "${robots[@]}"; do
  run=$(tacho runs --robot "$robot" --name demo --limit 1 -o json | python3 -c 'import json, sys; print(json.load(sys.stdin)[0]["run"])')
  show check "$run"
done

if [ "$keep" = --keep ]; then
  trap - EXIT
  cat <<NEXT

Still running in $home. To go on:
  export TACHO_CONFIG=$home/cli/config.toml PATH=$bin:\$PATH
  tacho series orin-demo@latest --metric power_rail
  tacho local status --socket $home/orin-demo/recorder.sock
To end it:
  kill ${pids[*]}; rm -rf $home
NEXT
fi
