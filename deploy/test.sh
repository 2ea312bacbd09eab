#!/usr/bin/env bash
# Sets this machine up, builds Tachograph and runs every test.
#   deploy/test.sh [ctest options]
set -euo pipefail
cd "$(dirname "$0")/.."
deploy/packages.sh
echo "building (a few minutes the first time) ..." >&2
deploy/build.sh release
exec ctest --preset release "$@"
