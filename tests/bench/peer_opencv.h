#ifndef HALOBEAT_BENCH_PEER_OPENCV_H
#define HALOBEAT_BENCH_PEER_OPENCV_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* OpenCV on the same pixels, if it is installed. */

/* Labels `size` x `size` pixels, of which those other than 0 are foreground, into `labels`; with
 * `statistics` by connectedComponentsWithStats. Returns the number of regions. */
int64_t peer_label(const uint8_t *foreground, int64_t size, int connectivity, int statistics,
                   int threads, int32_t *labels);

/* OpenCV's version. */
const char *peer_version(void);

#ifdef __cplusplus
}
#endif

#endif
