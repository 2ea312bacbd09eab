#!/usr/bin/env bash
# Unpacks the agents that robot_bench measures beside ours into build/peers, from the distribution's packages.
# Nothing is installed: neither is a service of this machine.
set -euo pipefail
cd "$(dirname "$0")/../.."
[ -e build/peers/made ] && exit 0
mkdir -p build/peers/packages
(cd build/peers/packages && apt-get download -qq collectd-core prometheus-node-exporter)
for package in build/peers/packages/*.deb; do dpkg -x "$package" build/peers; done
touch build/peers/made
