#ifndef HALOBEAT_CORE_WORLD_OS_NOISE_H
#define HALOBEAT_CORE_WORLD_OS_NOISE_H

#include <stdbool.h>
#include <stddef.h>

/* Why a rank is slow, from the counters of Linux: what NWS, the Network Weather Service, was to
 * early balancers. All functions are local. A counter whose file is missing is not known, which is
 * no error. */

/* Readings at one time, of the calling process (its first thread) and its machine; negative where
 * not known. What is held back is runnable, too, and what others on the machine use is waited for
 * in both senses: the readings overlap. */
typedef struct {
    double seconds;         /* of a steady clock */
    double on_core;         /* seconds this process has run (/proc/self/schedstat) */
    double runnable;        /* seconds it could have run and had no core (same) */
    double machine_waiting; /* seconds in which something on the machine waited for a core
                             * (/proc/pressure/cpu, some) */
    double throttled;       /* seconds its control group was held back, all cores together (cpu.stat
                             * of the group, or of one that it is in if that is longer) */
    double stolen;          /* seconds the host gave to other virtual machines, all cores it may run
                             * on together (/proc/stat, steal) */
    double quota;           /* cores its control group, with those that it is in, may use (cpu.max,
                             * or version 1's cpu.cfs_quota_us) */
    int cores;              /* it may run on (/proc/self/status, /proc/stat) */
} halo_os_noise;

/* Reads from the files of the running system: some tens of microseconds. */
void halo_os_noise_read(halo_os_noise *now);

/* The same with other roots than /proc and /sys/fs/cgroup, for tests. */
void halo_os_noise_read_from(halo_os_noise *now, const char *proc, const char *cgroup);

/* What made this rank slow between two readings, as clauses without a full stop such as "31 % of
 * the time no core was free for it; 40 % of the time programs competed for its machine's cores" or
 * "held back 2.10 s (all cores together) by its control group's limit of 1.5 cores"; empty, and
 * false, if nothing took more than 2 % of the time. Cut at `size` bytes, 2 at least. */
bool halo_os_noise_explain(const halo_os_noise *before, const halo_os_noise *after, char *text,
                           size_t size);

#endif
