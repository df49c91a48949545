#include "tests/bench/peer_opencv.h"

#include <opencv2/core.hpp>
#include <opencv2/imgproc.hpp>

extern "C" int64_t peer_label(const uint8_t *foreground, int64_t size, int connectivity,
                              int statistics, int threads, int32_t *labels)
{
    cv::setNumThreads(threads);
    int n = static_cast<int>(size);
    cv::Mat in(n, n, CV_8U, const_cast<uint8_t *>(foreground)), out(n, n, CV_32S, labels);
    if (statistics == 0) {
        return cv::connectedComponents(in, out, connectivity, CV_32S) - 1;
    }
    cv::Mat numbers, centroids;
    return cv::connectedComponentsWithStats(in, out, numbers, centroids, connectivity, CV_32S) - 1;
}

extern "C" const char *peer_version(void)
{
    return CV_VERSION;
}
