#!/usr/bin/env python3
"""Writes the tegrastats logs of the fixture boards, after the grammar of R36 and R38 as root prints it.

    tests/boards/make_logs.py        the same bytes each time

The story: some idle seconds, a load that heats the board, a pause, the load again.
"""
import datetime
import pathlib
import random

HERE = pathlib.Path(__file__).resolve().parent
LINES = 240  # two a second


def load_at(i):
    """How busy the robot is at line i, 0 to 1."""
    i %= 120
    return 0.05 if i < 6 else min(1.0, 0.25 + (i - 6) * 0.08) if i < 90 else 0.12


class Warmth:
    """A body that follows its load slowly."""

    def __init__(self, idle, full):
        self.idle, self.full, self.now = idle, full, idle

    def step(self, load):
        self.now += (self.idle + load * (self.full - self.idle) - self.now) * 0.09
        return self.now


class Rail:
    """Milliwatts in the steps of the monitor, and their mean since start as tegrastats cuts it."""

    def __init__(self, name, idle, full, step):
        self.name, self.idle, self.full, self.step = name, idle, full, step
        self.total = self.count = 0

    def print(self, load, rng):
        raw = self.idle + load * (self.full - self.idle) + rng.uniform(-0.6, 0.6) * self.step
        now = max(0, round(raw / self.step) * self.step)
        self.total += now
        self.count += 1
        return f"{self.name} {now}mW/{self.total // self.count}mW"


def cores(count, load, idle_clock, full_clock, rng):
    clock = idle_clock if load < 0.3 else full_clock
    return ",".join(f"{min(100, max(0, round(100 * load * rng.uniform(0.3, 1.1))))}%@{clock}" for _ in range(count))


def degrees(value, rng):
    millidegrees = int(round((value + rng.uniform(-0.2, 0.2)) * 32) * 31.25)
    return f"{millidegrees / 1000:g}C"


def orin(i, state, rng):
    load = load_at(i)
    gpu = round(100 * load * rng.uniform(0.8, 0.99))
    clock = 306 if load < 0.3 else 918
    video = "off" if load < 0.5 else f"{rng.randint(20, 40)}%@{rng.choice([282, 358])}"
    zones = " ".join(f"{name}@{degrees(body.step(load), rng)}" for name, body in state["zones"].items())
    rails = " ".join(rail.print(load, rng) for rail in state["rails"])
    return (f"RAM {10240 + round(6100 * load) + rng.randint(-9, 9)}/62790MB (lfb {rng.randint(11, 14)}x4MB) "
            f"SWAP 0/31395MB (cached 0MB) CPU [{cores(12, load, 1036, 1958, rng)}] "
            f"EMC_FREQ {round(42 * load)}%@{2133 if load < 0.3 else 3199} GR3D_FREQ {gpu}%@[{clock},{clock}] "
            f"NVENC {video} NVDEC off NVJPG off NVJPG1 off VIC off OFA off NVDLA0 off NVDLA1 off PVA0_FREQ off "
            f"APE 174 {zones} {rails}")


def thor(i, state, rng):
    load = load_at(i + 40)
    clock = 0 if load < 0.1 else 1386
    zones = " ".join(f"{name}@{degrees(body.step(load), rng)}" for name, body in state["zones"].items())
    rails = " ".join(rail.print(load, rng) for rail in state["rails"])
    return (f"RAM {21840 + round(30500 * load) + rng.randint(-20, 20)}/125770MB (lfb {rng.randint(30, 36)}x4MB) "
            f"CPU [{cores(14, load, 972, 2601, rng)}] EMC_FREQ {round(35 * load)}%@{665 if load < 0.3 else 4266} "
            f"GR3D_FREQ @[{clock},{clock},{clock}] NVENC0_FREQ @0 NVENC1_FREQ @0 NVDEC0_FREQ @0 NVDEC1_FREQ @0 "
            f"NVJPG0_FREQ @0 VIC off OFA_FREQ @0 PVA0_FREQ off APE 300 {zones} {rails}")


def write(board, line, state, start, seed):
    rng = random.Random(seed)
    with (HERE / board / "tegrastats.log").open("w") as log:
        for i in range(LINES):
            stamp = start + datetime.timedelta(seconds=i // 2)
            log.write(f"{stamp:%m-%d-%Y %H:%M:%S} {line(i, state, rng)}\n")


write("orin-agx", orin, {
    "zones": {"cpu": Warmth(46, 72), "tboard": Warmth(36, 41), "soc2": Warmth(43, 62), "tdiode": Warmth(37, 44),
              "soc0": Warmth(44, 64), "gpu": Warmth(42, 70), "tj": Warmth(47, 74), "soc1": Warmth(44, 63)},
    "rails": [Rail("VDD_GPU_SOC", 2800, 22400, 400), Rail("VDD_CPU_CV", 800, 14000, 400),
              Rail("VIN_SYS_5V0", 4500, 8200, 100), Rail("VDDQ_VDD2_1V8AO", 600, 3100, 100)],
}, datetime.datetime(2026, 3, 9, 8, 15, 2), 36)
write("thor-agx", thor, {
    "zones": {"cpu": Warmth(39, 68), "tj": Warmth(40, 71), "soc012": Warmth(38, 62), "gpu": Warmth(39, 70),
              "soc345": Warmth(38, 61)},
    "rails": [Rail("VDD_GPU", 1960, 41000, 392), Rail("VDD_CPU_SOC_MSS", 5880, 23000, 98),
              Rail("VIN_SYS_5V0", 5600, 9000, 101), Rail("VIN", 19700, 82000, 52)],
}, datetime.datetime(2026, 4, 18, 22, 4, 51), 38)
