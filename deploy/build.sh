#!/usr/bin/env bash
# Builds one preset into build/PRESET. Shared by demo.sh, test.sh and .ci/run.
#   deploy/build.sh [PRESET [TARGET...]]     default: release, everything
set -euo pipefail
cd "$(dirname "$0")/.."
# Another clone of the same sources finds the compiler's results again.
export CCACHE_BASEDIR="$PWD" CCACHE_NOHASHDIR=true
preset="${1:-release}"
shift || true
[ $# = 0 ] || set -- --target "$@"
cmake --preset "$preset" >"$(mkdir -p build && echo build/"$preset".configure.log)" 2>&1 \
  || { cat "build/$preset.configure.log" >&2; exit 1; }
grep -h 'CUDA Toolkit' "build/$preset.configure.log" >&2 || true
cmake --build --preset "$preset" -j "$(nproc)" "$@" >"build/$preset.build.log" 2>&1 \
  || { grep -E 'error|FAILED|undefined' -A5 "build/$preset.build.log" | head -60 >&2; exit 1; }
