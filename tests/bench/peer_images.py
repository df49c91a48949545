"""What the peers share: pictures, time, and the line of NAME=VALUE words they print.

usage: peer_images.py repeat IN.png SIZE OUT.png    the picture as grey, repeated to the size
       peer_images.py differ ONE.png OTHER.png      how many pixels are foreground in one only
"""

import sys
import time

import cv2
import numpy as np

cv2.setNumThreads(1)


def grey(path, size=0):
    """A file as 8-bit grey, repeated to size x size pixels if a size is given."""
    image = cv2.imread(path, cv2.IMREAD_GRAYSCALE)
    if image is None:
        raise SystemExit(f"{path}: cannot be read")
    if size == 0:
        return image
    times = [-(-size // n) for n in image.shape]
    return np.ascontiguousarray(np.tile(image, times)[:size, :size])


def measured(work):
    """Seconds as they pass and on the processor, and what `work` returns."""
    wall, cpu = time.perf_counter(), time.process_time()
    result = work()
    return time.perf_counter() - wall, time.process_time() - cpu, result


def say(**values):
    print(*(f"{name}={value}" for name, value in values.items()))


def main():
    what, one, *rest = sys.argv[1:]
    if what == "repeat":
        cv2.imwrite(rest[1], grey(one, int(rest[0])))
    else:
        print(int(((grey(one) > 0) != (grey(rest[0]) > 0)).sum()))


if __name__ == "__main__":
    main()
