#!/usr/bin/env python3
"""What scoring a large catalogue takes: GPUs, days, decoders, bytes. Prints the tables of catalogue/README.md.

usage: simulate_catalogue.py [--hours H] [--seed N] [--fleets N,N,...] [--case NAME]...

Titles of random lengths are cut in segments, which workers take one after the other, the longest titles first; GPUs die now and then and come
back, and what they had in hand is done again. What one GPU does is measured (docs/performance-notes.md); what is assumed stands in Case and below.
An event is the end of a segment, or a GPU's death in it.
"""

from __future__ import annotations

import argparse
import heapq
import random
from dataclasses import dataclass

# Measured on one H200: docs/performance-notes.md, "Media files" and "GPU". Lower ends of ranges.
DECODED_PER_S = {"1080p": 2 * 1801, "2160p": 2 * 921}  # frames of both videos of a pair, with eight decoders, scored
SCORED_PER_S = {"1080p": 15_000, "2160p": 4_400}  # pairs in device memory, vmaf_v0.6.1
SOFTWARE_PAIRS_PER_S = 364  # 1080p, 16 processors that decode and score
DECODERS = 7  # on an H200
OVERLAP_FRAMES = 2  # Session.segment_overlap for vmaf_v0.6.1, both sides together
ROW_BYTES = 98  # a frame's vmaf_v0.6.1 and its features in Parquet, from a catalogue of noisy clips
KEY_FRAME_DISTANCE = 50  # in the measured files; on average half of it is decoded before a segment begins

# Assumed.
WORKERS_PER_GPU = 4  # --gpu-share 0.25
SEGMENT_COST_S = 0.05  # opening two files, a session, writing a table: 0.022 s of one CPU were measured
HOURS_BETWEEN_DEATHS = 5_000  # hours between failures of a GPU, its host or its storage
REPAIR_H = 4
MEDIAN_TITLE_H, SPREAD = 0.7, 0.6  # log-normal: episodes and films
FRAMES_PER_S = 25


@dataclass(frozen=True)
class Case:
    """A kind of catalogue."""

    name: str
    size: str
    encodes: int
    reference_mbit_s: float
    encode_mbit_s: float

    def worker_seconds(self, frames: float) -> float:
        """Seconds of one of a GPU's workers for a segment, while all workers are busy. Decoders and kernels work at the same time."""
        read = frames + KEY_FRAME_DISTANCE / 2 + OVERLAP_FRAMES
        decoding = read * (1 + self.encodes) / DECODED_PER_S[self.size]
        scoring = read * self.encodes / SCORED_PER_S[self.size]
        return WORKERS_PER_GPU * max(decoding, scoring) + SEGMENT_COST_S

    @property
    def bytes_read_per_hour(self) -> float:
        return (self.reference_mbit_s + self.encodes * self.encode_mbit_s) / 8 * 1e6 * 3600

    @property
    def bytes_written_per_hour(self) -> float:
        return self.encodes * FRAMES_PER_S * 3600 * ROW_BYTES


CASES = [
    Case("1080p, one encode", "1080p", 1, 6, 2),
    Case("1080p, ladder of 6", "1080p", 6, 6, 2),
    Case("2160p 10 bit, one encode", "2160p", 1, 10, 4),
    Case("2160p 10 bit, ladder of 6", "2160p", 6, 10, 4),
]


@dataclass(frozen=True)
class Run:
    """Result of a simulated fleet."""

    hours: float
    busy_share: float
    lost_gpu_hours: float
    deaths: int
    segments: int


def titles(hours: float, rng: random.Random) -> list[float]:
    """Lengths of titles in hours, the longest first."""
    lengths: list[float] = []
    while hours > 0:
        lengths.append(min(hours, rng.lognormvariate(0, SPREAD) * MEDIAN_TITLE_H))
        hours -= lengths[-1]
    return sorted(lengths, reverse=True)


def simulate(case: Case, lengths: list[float], gpus: int, segment_h: float, rng: random.Random) -> Run:
    """Gives all segments in their order to workers: each to the one that is free first."""
    workers = [(0.0, number) for number in range(gpus * WORKERS_PER_GPU)]
    rng.shuffle(workers)
    died_at, dead_until = [0.0] * gpus, [0.0] * gpus
    dies_at = [rng.expovariate(1 / HOURS_BETWEEN_DEATHS) for _ in range(gpus)]
    busy = lost = end = 0.0
    deaths = segments = 0
    for length in lengths:
        count = max(1, int(length / segment_h))
        takes = case.worker_seconds(length / count * 3600 * FRAMES_PER_S) / 3600
        for _ in range(count):
            segments += 1
            while True:
                at, worker = heapq.heappop(workers)
                gpu = worker // WORKERS_PER_GPU
                if at < dead_until[gpu]:
                    lost += max(0.0, died_at[gpu] - at)  # it began a segment that did not end
                    heapq.heappush(workers, (dead_until[gpu], worker))
                elif at + takes > dies_at[gpu]:
                    deaths += 1
                    lost += max(0.0, dies_at[gpu] - at)
                    died_at[gpu] = max(at, dies_at[gpu])
                    dead_until[gpu] = died_at[gpu] + REPAIR_H
                    dies_at[gpu] = dead_until[gpu] + rng.expovariate(1 / HOURS_BETWEEN_DEATHS)
                    heapq.heappush(workers, (dead_until[gpu], worker))
                else:
                    break
            heapq.heappush(workers, (at + takes, worker))
            busy += takes
            end = max(end, at + takes)
    return Run(end, busy / (end * gpus * WORKERS_PER_GPU), lost / WORKERS_PER_GPU, deaths, segments)


def row(*cells: object) -> None:
    print("| " + " | ".join(str(cell) for cell in cells) + " |")


def header(*names: str) -> None:
    row(*names)
    row(*("---" for _ in names))


def size(value: float) -> str:
    for unit in ("B", "KB", "MB", "GB", "TB", "PB"):
        if value < 1000:
            return f"{value:.3g} {unit}"
        value /= 1000
    return f"{value:.3g} EB"


def main() -> None:
    parser = argparse.ArgumentParser(description="What scoring a large catalogue takes.")
    parser.add_argument("--hours", type=float, default=1e6, help="of references (%(default)g)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--fleets", default="16,64,256", help="GPUs (%(default)s)")
    parser.add_argument("--segment-minutes", type=float, default=20.0, help="(%(default)g)")
    parser.add_argument("--case", action="append", help="only those that have this in their names")
    chosen = parser.parse_args()
    cases = [case for case in CASES if not chosen.case or any(part in case.name for part in chosen.case)]
    lengths = titles(chosen.hours, random.Random(chosen.seed))
    fleets = [int(gpus) for gpus in chosen.fleets.split(",")]

    print(f"{chosen.hours:,.0f} hours, {len(lengths):,} titles, seed {chosen.seed}\n")
    header("catalogue", "GPU-hours", "times real time, a GPU", "read", "written", "16-core machines' hours in software")
    for case in cases:
        gpu_hours = sum(case.worker_seconds(length * 3600 * FRAMES_PER_S) for length in lengths) / 3600 / WORKERS_PER_GPU
        software = chosen.hours * 3600 * FRAMES_PER_S * case.encodes / SOFTWARE_PAIRS_PER_S / 3600
        row(
            case.name, f"{gpu_hours:,.0f}", f"{chosen.hours / gpu_hours:.0f}", size(chosen.hours * case.bytes_read_per_hour),
            size(chosen.hours * case.bytes_written_per_hour), f"{software:,.0f}" if case.size == "1080p" else "",
        )  # fmt: skip
    print()
    header("catalogue", "GPUs", "decoders", "days", "busy", "deaths", "GPU-hours lost", "read at")
    for case in cases:
        for gpus in fleets:
            rng = random.Random(f"{chosen.seed} {case.name} {gpus}")
            run = simulate(case, lengths, gpus, chosen.segment_minutes / 60, rng)
            read = chosen.hours * case.bytes_read_per_hour / (run.hours * 3600)
            row(
                case.name, gpus, f"{gpus * DECODERS:,}", f"{run.hours / 24:.1f}", f"{run.busy_share:.1%}", run.deaths,
                f"{run.lost_gpu_hours:.1f}", size(read) + "/s",
            )  # fmt: skip


if __name__ == "__main__":
    main()
