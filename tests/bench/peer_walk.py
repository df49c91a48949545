"""Random walkers by pytrax: ns a walker-step.

usage: peer_walk.py IMAGE WALKERS STEPS
"""

import sys
import time

import pytrax
from peer_images import grey

image = grey(sys.argv[1]) >= 128
walkers, steps = int(sys.argv[2]), int(sys.argv[3])
walk = pytrax.RandomWalk(image.astype(int))
wall, processor = time.perf_counter(), time.process_time()
walk.run(nt=steps, nw=walkers, same_start=False, stride=steps // 64, num_proc=1)
each = 1e9 / (walkers * steps)
print(f"ns={(time.perf_counter() - wall) * each:.3f} cpu_ns={(time.process_time() - processor) * each:.3f}")
