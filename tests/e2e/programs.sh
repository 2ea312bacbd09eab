#!/usr/bin/env bash
# The real programs on loopback with mutual TLS: a robot's verdicts reach the command line, with their exit codes.
#   programs.sh SOURCE_DIR BIN_DIR
set -euo pipefail
source_dir="$1" bin="$2"
home=$(mktemp -d "${TMPDIR:-/tmp}/tacho-e2e.XXXXXX")
pids=()
failed=0
clean_up() {
  for pid in "${pids[@]}"; do kill "$pid" 2>/dev/null || true; done
  for pid in "${pids[@]}"; do wait "$pid" 2>/dev/null || true; done
  [ $failed = 0 ] || tail -n 20 "$home"/*.log >&2
  rm -rf "$home"
}
trap clean_up EXIT

say() { echo "programs: $*"; }
fail() { say "FAILED: $*"; failed=1; }
expect() {  # expect CODE WHAT COMMAND...
  local code="$1" what="$2" got=0
  shift 2
  "$@" >"$home/out" 2>"$home/err" || got=$?
  if [ "$got" = "$code" ]; then say "ok: $what"; else fail "$what: exit $got, not $code: $(cat "$home/out" "$home/err")"; fi
}
within() {  # within SECONDS WHAT COMMAND...: until it succeeds
  local tries=$(( $1 * 5 )) what="$2"
  shift 2
  for _ in $(seq "$tries"); do "$@" >/dev/null 2>&1 && { say "ok: $what"; return; }; sleep 0.2; done
  fail "$what: not within $(( tries / 5 )) s"
}
start() { local name="$1"; shift; "$@" >"$home/$name.log" 2>&1 & pids+=($!); }

port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
"$source_dir/deploy/make-certs.sh" "$home/certs" fleet --server 127.0.0.1 localhost >/dev/null 2>&1
for name in rb12 anna; do "$source_dir/deploy/make-certs.sh" "$home/certs" "$name" >/dev/null 2>&1; done
tls() { printf '[tls]\nauthority = "%s/certs/ca.crt"\ncertificate = "%s/certs/%s.crt"\nkey = "%s/certs/%s.key"\n' "$home" "$home" "$1" "$home" "$1"; }

board="$home/board"
cp -r "$source_dir/tests/boards/orin-agx" "$board"
mkdir -p "$board/proc/sys/kernel/random"
cat /proc/sys/kernel/random/uuid >"$board/proc/sys/kernel/random/boot_id"

cat >"$home/budgets.toml" <<BUDGETS
[[budget]]
name = "cool enough"
metric = "thermal_zone_temperature"
instance = "tboard"
statistic = "max"
max = "150 C"
min_coverage = 0.3
BUDGETS
{ printf 'listen = "127.0.0.1:%s"\ndata = "%s/server"\nbudgets = "%s/budgets.toml"\n' "$port" "$home" "$home"; tls fleet; printf '[people]\nadmins = ["anna"]\n'; } >"$home/server.toml"
{
  printf 'system_root = "%s"\n[feed.tegrastats]\nfile = "%s/tegrastats.log"\ninterval = "260ms"\nreplay_pace = "260ms"\n' "$board" "$board"
  printf '[spool]\nfolder = "%s/spool"\nmax = "8MiB"\n[flight]\nfile = "%s/flight"\n' "$home" "$home"
  printf '[local]\nsocket = "%s/recorder.sock"\n[wake]\nsocket = "%s/wake.sock"\n' "$home" "$home"
} >"$home/tachod.toml"
{
  printf 'robot = "rb12"\nserver = "127.0.0.1:%s"\nsystem_root = "%s"\nflush = "1s"\nretry_at_most = "1s"\n' "$port" "$board"
  tls rb12
  printf '[spool]\nfolder = "%s/spool"\n[wake]\nsocket = "%s/wake.sock"\n' "$home" "$home"
} >"$home/uplink.toml"
{ printf 'server = "127.0.0.1:%s"\n' "$port"; tls anna; } >"$home/cli.toml"
export TACHO_CONFIG="$home/cli.toml" TACHO_SOCKET="$home/recorder.sock"
tacho() { "$bin/tacho" "$@"; }

expect 5 "no server: unreachable" tacho robots
expect 5 "no recorder: unreachable" tacho local status
start recorder "$bin/tachod" --config "$home/tachod.toml"
start uplink "$bin/tacho-uplink" --config "$home/uplink.toml"
within 10 "the recorder answers" tacho local status
expect 127 "a program that is not there ends as in a shell" tacho run exec -- no-such-program
expect 3 "a program ends with its own status" tacho run exec --name exec -- sh -c 'exit 3'
grep -q 'is closed: sh ended with 3' "$home/err" || fail "the end of run exec is not told"
expect 143 "a signal ends a program as in a shell" tacho run exec --name exec -- sh -c 'kill -TERM $$'
tacho --socket "$home/nobody.sock" run exec --anyway -- true 2>"$home/err" || fail "run exec --anyway"
grep -q 'NOT MEASURED' "$home/err" || fail "run exec --anyway says nothing"
expect 5 "nothing is started unmeasured unasked" tacho --socket "$home/nobody.sock" run exec -- touch "$home/unmeasured"
[ ! -e "$home/unmeasured" ] || fail "run exec started a program outside any run"
expect 0 "the recorder's values are followed" tacho local tail --every 100ms --count 3 -o json
[ -s "$home/out" ] || fail "local tail printed nothing"
expect 0 "a run starts" tacho local run start bench
sleep 4
start server "$bin/tacho-server" --config "$home/server.toml"
within 20 "the robot is known once the server is there" sh -c "'$bin/tacho' robots | grep -q '^rb12'"
expect 0 "the run stops" tacho local run stop
within 20 "the run has data and passes" tacho check rb12@latest
expect 3 "an unknown run is not found" tacho check rb12/99/9
expect 2 "nonsense is a usage error" tacho check
expect 2 "an unknown command is a usage error" tacho chekc rb12@latest

sed -i 's/150 C/1 C/' "$home/budgets.toml"
kill -HUP "${pids[2]}"
within 10 "a stricter budget fails the run" sh -c "'$bin/tacho' check rb12@latest; [ \$? = 10 ]"
sed -i 's/metric = .*/metric = "nothing_measures_this"/' "$home/budgets.toml"
kill -HUP "${pids[2]}"
within 10 "a budget without data is no pass" sh -c "'$bin/tacho' check rb12@latest; [ \$? = 11 ]"

"$bin/tacho" series rb12@latest --metric power_rail -o json >"$home/series.json" || fail "series"
if python3 - "$home/series.json" "$board/tegrastats.log" <<'PYTHON'
import json, re, sys
answer, log = json.load(open(sys.argv[1])), open(sys.argv[2]).read()
series = answer if isinstance(answer, list) else answer["series"]
assert len(series) >= 2, series
for one in series:
    printed = [int(mw) / 1000 for mw in re.findall(rf"\b{one['instance']} (-?\d+)mW", log)]
    stored = [point[2] for point in one["points"]]
    assert len(stored) >= 10, one
    assert any(printed[i:i + len(stored)] == stored for i in range(len(printed))), (one["instance"], stored)
PYTHON
then say "ok: the stored rails are a stretch of the log"; else fail "the stored rails are not those of the log"; fi
expect 0 "past runs are judged by a file of budgets" tacho budget try "$home/budgets.toml" --since 1h
expect 2 "a file with mistakes is refused" tacho budget try "$home/server.toml"
expect 0 "an empty answer is []" sh -c "'$bin/tacho' runs --robot nobody -o json | tr -d ' \n' | grep -qx '\[\]'"
[ $failed = 0 ] && say "all well"
exit $failed
