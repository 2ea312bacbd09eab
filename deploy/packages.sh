#!/usr/bin/env bash
# Installs what building and testing needs and this machine lacks, from the distribution's own packages.
#   deploy/packages.sh            to build, run and test
#   deploy/packages.sh --checks   also the linters of tools/check and the fuzzers' compiler
#   deploy/packages.sh --boot     also what boots a small Debian, to try the units under a real systemd
#   deploy/packages.sh --arm64    also the cross-compiler, the arm64 libraries and qemu
set -euo pipefail

libraries=(libboost-dev libfmt-dev libtomlplusplus-dev libgrpc++-dev libprotobuf-dev libssl-dev libsqlite3-dev libsystemd-dev libzstd-dev libxxhash-dev libgtest-dev libgmock-dev)
wanted=(g++ make cmake ninja-build pkg-config ccache mold git python3 openssl protobuf-compiler protobuf-compiler-grpc
        libcli11-dev nlohmann-json3-dev libbenchmark-dev strace "${libraries[@]}")
for option in "$@"; do
  case "$option" in
    --checks) wanted+=(clang clang-format clang-tidy libclang-rt-dev) ;;
    --boot) wanted+=(debootstrap systemd-container) ;;
    --arm64) wanted+=(crossbuild-essential-arm64 qemu-user-static "${libraries[@]/%/:arm64}") ;;
    *) echo "packages.sh: unknown option $option; it knows --checks, --boot and --arm64" >&2; exit 2 ;;
  esac
done

# A package that is there for two architectures answers with a line each.
is_installed() { dpkg-query -W -f '${Status}\n' "$1" 2>/dev/null | grep -qx 'install ok installed'; }

as_root() { if [ "$(id -u)" = 0 ]; then "$@"; else sudo "$@"; fi; }

missing=()
for package in "${wanted[@]}"; do is_installed "$package" || missing+=("$package"); done
[ ${#missing[@]} = 0 ] && exit 0

command -v apt-get >/dev/null || { echo "packages.sh: no apt-get here; install by hand: ${missing[*]}" >&2; exit 1; }
echo "installing ${#missing[@]} packages: ${missing[*]}" >&2
case " $* " in *" --arm64 "*) as_root dpkg --add-architecture arm64 ;; esac
as_root apt-get -qq update
# The same version must be there for both architectures, or multiarch refuses the pair.
as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
