"""Flow of known motion, read by OpenCV.

motion_opencv.py shifted IMAGE U V OUT-0.png OUT-1.png: frames of which all moves by (U, V)
motion_opencv.py shift FLOW.flo U V MOST: is the mean end-point error MOST pixels at the most?
motion_opencv.py stereo FLOW.flo DISPARITY.npz MOST: and the median one of a pair of views?
"""
import sys

import cv2
import numpy


def shifted(image, u, v, first, second):
    picture = cv2.imread(image, cv2.IMREAD_GRAYSCALE)
    height, width = picture.shape
    margin = 40
    size = (width - 2 * margin, height - 2 * margin)
    for path, dx, dy in ((first, 0, 0), (second, float(u), float(v))):
        # warpAffine with WARP_INVERSE_MAP: where each pixel is taken from.
        matrix = numpy.float64([[1, 0, margin - dx], [0, 1, margin - dy]])
        flags = cv2.INTER_CUBIC | cv2.WARP_INVERSE_MAP
        cv2.imwrite(path, cv2.warpAffine(picture, matrix, size, flags=flags))


def shift(path, u, v, most):
    flow = cv2.readOpticalFlow(path)
    error = numpy.hypot(flow[..., 0] - float(u), flow[..., 1] - float(v))
    print(f"mean end-point error {error.mean():.3f}")
    return error.mean() <= float(most)


def stereo(path, disparities, most):
    flow = cv2.readOpticalFlow(path)
    disparity = numpy.load(disparities)["arr_0"]
    known = numpy.isfinite(disparity)
    error = numpy.hypot(flow[..., 0] + disparity, flow[..., 1])[known]
    print(f"end-point error: median {numpy.median(error):.3f}, mean {error.mean():.3f}")
    return numpy.median(error) <= float(most)


if __name__ == "__main__":
    tools = {"shifted": shifted, "shift": shift, "stereo": stereo}
    sys.exit(0 if tools[sys.argv[1]](*sys.argv[2:]) in (None, True) else 1)
