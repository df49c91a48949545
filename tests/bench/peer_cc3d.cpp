// Labelling a volume with cc3d, on one thread; volumes.sh builds it where cc3d's sources are.
//
// usage: peer_cc3d FILE SIZE NAME RUNS    a file of SIZE^3 bytes, or of as many numbers of 4 bytes,
// of
//                                         which equal ones are connected; NAME is what lines call
//                                         it

#include "cc3d.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>

#include <sys/mman.h>

namespace
{

double seconds(clockid_t clock)
{
    timespec time;
    clock_gettime(clock, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

// Huge pages, which ours have too, so that page faults are not what is compared.
template <typename T> T *allocate(std::size_t count)
{
    const std::size_t huge = std::size_t{1} << 21;
    std::size_t bytes = (count * sizeof(T) + huge - 1) / huge * huge;
    void *memory = std::aligned_alloc(huge, bytes);
    if (memory == nullptr) {
        std::fprintf(stderr, "peer_cc3d: no memory\n");
        std::exit(1);
    }
    madvise(memory, bytes, MADV_HUGEPAGE);
    return static_cast<T *>(memory);
}

// One run; prints how long it took unless it is the first.
template <typename T>
void measure(T *volume, std::uint32_t *labels, std::int64_t n, int neighbours, const char *name,
             bool shown)
{
    const std::size_t voxels = static_cast<std::size_t>(n * n * n);
    std::size_t regions = 0;
    double wall = seconds(CLOCK_MONOTONIC), cpu = seconds(CLOCK_PROCESS_CPUTIME_ID);
    std::fill_n(labels, voxels, 0U); // they must be zero before
    std::size_t most = std::min(
        cc3d::estimate_provisional_label_count(volume, n, static_cast<std::int64_t>(voxels)),
        voxels);
    cc3d::connected_components3d<T, std::uint32_t>(volume, n, n, n, most, neighbours, labels,
                                                   regions);
    wall = seconds(CLOCK_MONOTONIC) - wall;
    cpu = seconds(CLOCK_PROCESS_CPUTIME_ID) - cpu;
    if (shown) {
        const double ns = 1e9 / static_cast<double>(voxels);
        std::printf("key=%s-%d-cc3d program=cc3d regions=%zu ns=%.3f cpu_ns=%.3f\n", name,
                    neighbours, regions, wall * ns, cpu * ns);
    }
}

template <typename T> void measure_all(std::FILE *file, std::int64_t n, const char *name, int runs)
{
    const std::size_t voxels = static_cast<std::size_t>(n * n * n);
    auto *volume = allocate<T>(voxels);
    auto *labels = allocate<std::uint32_t>(voxels);
    if (std::fread(volume, sizeof(T), voxels, file) != voxels) {
        std::fprintf(stderr, "peer_cc3d: the file is too short\n");
        std::exit(1);
    }
    for (int neighbours : {6, 18, 26}) {
        for (int run = -1; run < runs; run++) {
            measure(volume, labels, n, neighbours, name, run >= 0);
        }
    }
}

} // namespace

int main(int argc, char **argv)
{
    if (argc != 5) {
        std::fprintf(stderr, "usage: peer_cc3d FILE SIZE NAME RUNS\n");
        return 2;
    }
    const std::int64_t n = std::atoll(argv[2]);
    std::FILE *file = std::fopen(argv[1], "rb");
    if (file == nullptr || std::fseek(file, 0, SEEK_END) != 0) {
        std::fprintf(stderr, "peer_cc3d: %s: cannot be read\n", argv[1]);
        return 1;
    }
    const bool wide = std::ftell(file) == 4 * n * n * n;
    std::rewind(file);
    (wide ? measure_all<std::uint32_t> : measure_all<std::uint8_t>)(file, n, argv[3],
                                                                    std::atoi(argv[4]));
    std::fclose(file);
    return 0;
}
