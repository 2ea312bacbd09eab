#!/bin/bash
# Runs as a service of the booted container: tries the three units, one claim a line.
set -u
exec 9>&1
failed=0
trap 'journalctl -q -b -o short-monotonic -u tachod -u tacho-uplink -u tacho-server >/results/journal' EXIT
claim() {  # claim WHAT COMMAND...
  local what="$1"
  shift
  if "$@" >&2; then echo "ok: $what" >&9; else echo "FAILED: $what" >&9; failed=1; fi
}
within() {  # within SECONDS COMMAND...: succeeds as soon as the command does
  local tries=$(( $1 * 10 ))
  shift
  for _ in $(seq "$tries"); do "$@" >/dev/null 2>&1 && return 0; sleep 0.1; done
  return 1
}
not() { ! "$@"; }
property() { systemctl show -P "$2" "$1"; }             # property UNIT NAME
is() { [ "$(property "$1" "$2")" = "$3" ]; }            # is UNIT NAME VALUE
has() { property "$1" "$2" | grep -q -- "$3"; }         # has UNIT NAME PATTERN
pid() { property "$1" MainPID; }
said() { journalctl -q -b -u "$1" -o cat | grep -q -- "$2"; }  # said UNIT PATTERN
noted() { journalctl -q -b -o cat UNIT="$1.service" | grep -q -- "$2"; }  # of systemd itself
status_has() { tacho local status -o json | tr -d ' \n' | grep -q -- "$1"; }
robot() { tacho robots --robot rb12 -o json | tr -d ' \n'; }
robot_has() { robot | grep -q -- "$1"; }
records() { robot | grep -o '"stored_records":[0-9]*' | cut -d: -f2; }
restarted() { [ "$(property "$1" NRestarts)" -gt "$2" ] && is "$1" ActiveState active; }
adjust() {  # adjust UNIT LINES: a drop-in for this test
  mkdir -p "/run/systemd/system/$1.d"
  printf '[Service]\n%s\n' "$2" >"/run/systemd/system/$1.d/test.conf"
  systemctl daemon-reload
}
units=(tachod tacho-uplink tacho-server)

# --- installing: users and folders
systemd-sysusers && systemd-tmpfiles --create
claim "systemd finds no fault with the units" systemd-analyze verify --man=no tachod.service tacho-uplink.service tacho-server.service
claim "an uplink without a configuration is skipped, not failed" sh -c 'systemctl start tacho-uplink; ! systemctl is-failed -q tacho-uplink'
claim "it stays inactive" is tacho-uplink ActiveState inactive

mkdir -p /etc/tacho
cat >/etc/tacho/uplink.toml <<'TOML'
robot = "rb12"
server = "127.0.0.1:4440"
flush = "1s"
retry_at_most = "1s"
TOML
cat >/etc/tacho/server.toml <<'TOML'
listen = "127.0.0.1:4440"
budgets = "/etc/tacho/budgets.toml"
silent_after = "10s"
TOML
budget() { printf '[[budget]]\nname = "%s"\nmetric = "memory_available"\nstatistic = "min"\nmin = "1 MiB"\n' "$1" >>/etc/tacho/budgets.toml; }
budget first

# --- start and notify, with no network, no tegrastats and no sensor
claim "there is no network but the loopback" sh -c '[ "$(ls /sys/class/net)" = lo ]'
claim "the recorder starts" systemctl start tachod
claim "and has said that it is ready" is tachod ActiveState active
claim "the uplink starts with its server away" systemctl start tacho-uplink
claim "and says so in its status" within 5 has tacho-uplink StatusText "not connected"
claim "the recorder samples" within 5 status_has '"metric":"memory_available","instance":"","unit":"[^"]*","value":[0-9]'
claim "and says that there is no tegrastats" status_has '"tegrastats","state":"absent"'
claim "the recorder runs as its own user" [ "$(stat -c %U "/proc/$(pid tachod)")" = tacho ]
claim "and may read what only root may, nothing more" grep -q '^CapEff:.*0000000000000004$' "/proc/$(pid tachod)/status"
claim "the uplink has no capability" grep -q '^CapEff:.*0000000000000000$' "/proc/$(pid tacho-uplink)/status"
as_uplink() { setpriv --reuid=tacho-uplink --regid=tacho-spool --clear-groups "$@"; }
segment=$(find /var/lib/tacho/spool -type f -user tacho -size +60k | head -1)
claim "the uplink's user can read a segment" as_uplink head -c1 "$segment"
claim "but not write it" not as_uplink sh -c "exec 3<>'$segment'"
claim "nor remove it" not as_uplink rm -f "$segment"

# --- the server comes, and everything that waited arrives
claim "the server starts" systemctl start tacho-server
is_live() { tacho robots | grep -q '^rb12.*live'; }
claim "what waited in the spool arrives" within 20 is_live
claim "the uplink's status says that it is connected" within 5 has tacho-uplink StatusText "^connected"
has_fields() { journalctl -q -b -u "$1" -o json | grep -q '"PRIORITY":"6"'; }
claim "lines in the journal have fields" has_fields tachod

# --- the watchdog: the idle and the waiting are healthy, the hung are restarted
for unit in "${units[@]}"; do
  adjust "$unit.service" $'WatchdogSec=2\nTimeoutStopSec=5\nTimeoutAbortSec=1'
  systemctl restart "$unit"
done
systemctl stop tacho-server
before_recorder=$(property tachod NRestarts)
before_uplink=$(property tacho-uplink NRestarts)
sleep 7
claim "an uplink whose server is away for three deadlines is left alone" is tacho-uplink NRestarts "$before_uplink"
claim "and so is the recorder" is tachod NRestarts "$before_recorder"
systemctl start tacho-server
systemctl stop tacho-uplink
before=$(property tacho-server NRestarts)
sleep 7
claim "an idle server is left alone" is tacho-server NRestarts "$before"
systemctl start tacho-uplink
for unit in "${units[@]}"; do
  count=$(property "$unit" NRestarts)
  kill -STOP "$(pid "$unit")"
  claim "a hung $unit is restarted by the watchdog" within 15 restarted "$unit" "$count"
  claim "and the journal says why" within 5 noted "$unit" "Watchdog timeout"
done
for unit in "${units[@]}"; do
  count=$(property "$unit" NRestarts)
  kill -KILL "$(pid "$unit")"
  claim "a killed $unit comes back" within 10 restarted "$unit" "$count"
done
claim "the robot is live again" within 20 is_live

# --- reload
budget second
claim "the server reads its budgets again" systemctl reload tacho-server
claim "and says how many" within 5 said tacho-server "budgets were read again: 2"
echo 'nonsense = [' >>/etc/tacho/budgets.toml
systemctl reload tacho-server
claim "budgets that are wrong change nothing" within 5 said tacho-server "budgets stay as they were"
claim "and the server runs on" is tacho-server ActiveState active
printf '[setup]\nvehicle = "truck"\n' >/etc/tacho/tachod.toml
claim "the recorder reads its configuration again" systemctl reload tachod
claim "and is active, not reloading" within 5 is tachod ActiveState active
echo 'sampler = 5' >>/etc/tacho/tachod.toml
systemctl reload tachod
claim "a configuration that is wrong is refused with its line" within 5 said tachod "tachod.toml:[0-9]"
claim "and the recorder runs on" is tachod ActiveState active

# --- a clean stop loses nothing (TimeoutStopSec is 5 s here: a stop that is cut short does not succeed)
for n in $(seq 20); do tacho local run start "mission-$n" >&2; done
tacho local run stop >&2
stops_well() { systemctl stop "$1" && is "$1" Result success; }
claim "the recorder stops within 5 s" stops_well tachod
claim "the uplink, with something left to send, stops within 5 s" stops_well tacho-uplink
claim "the server stops within 5 s" stops_well tacho-server
rm /etc/tacho/budgets.toml
budget first
systemctl start tacho-server tacho-uplink
missions() { [ "$(tacho runs --robot rb12 --limit 100 -o tsv | grep -c "mission-")" = 20 ]; }
claim "all 20 runs are in the store" within 20 missions
claim "and nothing is missing" robot_has '"missing_records":0'

# --- a configuration that is wrong from the start
claim "a recorder with a wrong configuration fails at once" not systemctl start tachod
count=$(property tachod NRestarts)
sleep 3
claim "and is not started over and over" is tachod NRestarts "$count"
rm /etc/tacho/tachod.toml
systemctl reset-failed tachod

# --- disk full: the robot's, then the server's
mount -t tmpfs -o size=16m,mode=3770,uid=tacho,gid=tacho-spool full /var/lib/tacho/spool
dd if=/dev/zero of=/var/lib/tacho/spool/filler bs=4k status=none 2>/dev/null
systemctl stop tacho-uplink
claim "the recorder starts on a full disk" systemctl start tachod
claim "keeps records in memory" within 10 status_has '"ram_only":true'
claim "and says so" within 5 said tachod "No space left"
rm /var/lib/tacho/spool/filler
claim "when there is room again it writes" within 30 status_has '"ram_only":false'
systemctl start tacho-uplink
claim "and what was kept in memory arrives" within 20 is_live
systemctl stop tacho-server
mount -t tmpfs -o size=6m,mode=0750,uid=tacho-server,gid=tacho-server full /var/lib/tacho-server
systemctl start tacho-server
claim "a server with a new store takes what the spool holds" within 20 is_live
dd if=/dev/zero of=/var/lib/tacho-server/filler bs=4k status=none 2>/dev/null
claim "a server on a full disk says so" within 90 said tacho-server "disk is full"
claim "and runs on" is tacho-server ActiveState active
have=$(records)
rm /var/lib/tacho-server/filler
grown() { [ "$(records)" -gt "$have" ]; }
claim "when there is room again it takes what came meanwhile" within 60 grown
claim "and nothing is missing for it" robot_has '"missing_records":0'

# --- figures
for unit in "${units[@]}"; do
  echo "booted.exposure.$unit $(systemd-analyze security --no-pager "$unit.service" 2>/dev/null | grep -o 'level.*: [0-9.]*' | grep -o '[0-9.]*$')" >&9
done
[ $failed = 0 ] && echo "claims: all hold" >&9
exit $failed
