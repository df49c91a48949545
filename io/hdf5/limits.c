#define _GNU_SOURCE
#include "io/hdf5/helper.h"

#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>

/* The library is stopped by the system: out of memory its calls fail, and out of processor time it
 * is ended. Only soft limits are set, below those that are there. */

static const uint64_t MEBIBYTE = (uint64_t)1 << 20;

static void set(int what, rlim_t limit)
{
    struct rlimit now;
    if (getrlimit((__rlimit_resource_t)what, &now) == 0) {
        now.rlim_cur = limit < now.rlim_max ? limit : now.rlim_max;
        setrlimit((__rlimit_resource_t)what, &now);
    }
}

/* Sanitizers reserve terabytes. */
#if defined __SANITIZE_ADDRESS__
#define LIMITS_MEMORY 0
#elif defined __has_feature
#if __has_feature(address_sanitizer)
#define LIMITS_MEMORY 0
#endif
#endif
#ifndef LIMITS_MEMORY
#define LIMITS_MEMORY 1
#endif

/* Bytes of address space that are in use, or 0. */
static uint64_t used_memory(void)
{
    unsigned long long pages = 0;
    FILE *file = fopen("/proc/self/statm", "re");
    if (file == NULL) {
        return 0;
    }
    bool is_read = fscanf(file, "%llu", &pages) == 1;
    fclose(file);
    return is_read ? pages * (uint64_t)sysconf(_SC_PAGESIZE) : 0;
}

void hdf5_limits_allow(uint64_t bytes)
{
    static uint64_t libraries; /* at the first call */
    if (!LIMITS_MEMORY) {
        return;
    }
    libraries = libraries == 0 ? used_memory() : libraries;
    if (libraries > 0) {
        set(RLIMIT_AS, libraries + HDF5_MEBIBYTES * MEBIBYTE + bytes);
    }
}

void hdf5_limits_progress(uint64_t bytes)
{
    struct rusage used;
    if (getrusage(RUSAGE_SELF, &used) == 0) {
        uint64_t seconds = (uint64_t)used.ru_utime.tv_sec + (uint64_t)used.ru_stime.tv_sec + 1;
        uint64_t more = bytes / (HDF5_MEBIBYTES_SECOND * MEBIBYTE);
        set(RLIMIT_CPU, seconds + HDF5_SECONDS + more);
    }
}

void hdf5_limits_files(bool allowed)
{
    enum { SOME = 65536 }; /* plugins and their libraries, or sources of a virtual data set */
    set(RLIMIT_NOFILE, allowed ? SOME : 0);
}

void hdf5_limits_begin(void)
{
    set(RLIMIT_CORE, 0);
    hdf5_limits_allow(0);
    hdf5_limits_progress(0);
}
