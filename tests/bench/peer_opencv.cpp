#include "tests/bench/peer_opencv.h"

#include <opencv2/core.hpp>
#include <opencv2/imgproc.hpp>

#include <cstdlib>
#include <cstring>

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

extern "C" int peer_filter(const char *step, const void *samples, int64_t size, int bytes,
                           void *out)
{
    cv::setNumThreads(1);
    int n = static_cast<int>(size), type = bytes == 1 ? CV_8U : bytes == 2 ? CV_16U : CV_32F;
    const char *colon = std::strchr(step, ':');
    double value = colon != nullptr ? std::atof(colon + 1) : 0;
    size_t length = colon != nullptr ? static_cast<size_t>(colon - step) : std::strlen(step);
    cv::Mat in(n, n, type, const_cast<void *>(samples)), same(n, n, type, out);
    if (std::strncmp(step, "gaussian", length) == 0 && length == std::strlen("gaussian")) {
        int width = 2 * static_cast<int>(4 * value + .5) + 1;
        cv::GaussianBlur(in, same, cv::Size(width, width), value);
    } else if (std::strncmp(step, "uniform", length) == 0) {
        int width = static_cast<int>(value);
        cv::blur(in, same, cv::Size(width, width));
    } else if (std::strncmp(step, "laplace", length) == 0) {
        cv::Mat real(n, n, CV_32F, out);
        cv::Laplacian(in, real, CV_32F, 1);
    } else {
        return 0;
    }
    return 1;
}

extern "C" const char *peer_version(void)
{
    return CV_VERSION;
}
