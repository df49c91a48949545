#ifndef HALOBEAT_CORE_WORLD_OS_NOISE_H
#define HALOBEAT_CORE_WORLD_OS_NOISE_H

#include <stdbool.h>
#include <stddef.h>

/* Causes of slowness of a rank, from counters of Linux: the role that NWS, the Network Weather
 * Service, had for early balancers. All functions are local. Counters whose files are missing are
 * unknown; that is not an error. */

/* Readings at one time, for the calling thread, its process and their machine; negative if
 * unknown. They overlap: throttled time is also runnable time, and time used by others counts as
 * waiting in both senses. */
typedef struct {
    double seconds;         /* of a monotonic clock */
    double on_core;         /* seconds that this thread has run (/proc/thread-self/schedstat) */
    double runnable;        /* seconds that it was runnable without a core (the same file) */
    double machine_waiting; /* seconds in which any process of the machine waited for a core
                             * (/proc/pressure/cpu, some) */
    double throttled;       /* seconds that its control group was throttled, over all cores
                             * (cpu.stat of the group, or of a parent where that is longer) */
    double stolen;          /* seconds given by the host to other virtual machines, over all
                             * cores that the process may use (/proc/stat, steal) */
    double quota;           /* limit of its control group and its parents in cores (cpu.max, or
                             * cpu.cfs_quota_us of version 1) */
    int cores;              /* cores it may run on (/proc/thread-self/status, /proc/stat) */
} halo_os_noise;

/* No reading. */
extern const halo_os_noise halo_os_noise_unknown;

/* Reads the files of the running system, about ten. Takes some tens of microseconds. */
void halo_os_noise_read(halo_os_noise *now);

/* As halo_os_noise_read, with other roots than /proc and /sys/fs/cgroup, for tests. */
void halo_os_noise_read_from(halo_os_noise *now, const char *proc, const char *cgroup);

/* Writes what slowed this rank between two readings, as clauses without a full stop, such as "31 %
 * of the time no core was free for it; 40 % of the time programs competed for its machine's cores"
 * or "held back 2.10 s (all cores together) by its control group's limit of 1.5 cores". The text is
 * cut at `size` bytes, 2 or more. Returns false, with an empty text, if nothing took more than 2 %
 * of the time. */
bool halo_os_noise_explain(const halo_os_noise *before, const halo_os_noise *after, char *text,
                           size_t size);

#endif
