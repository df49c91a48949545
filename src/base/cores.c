#define _GNU_SOURCE /* sched_getaffinity */
#include "base/cores.h"

#include "base/control_groups.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* ---- control groups -------------------------------------------------------------------------- */

enum { PATH_SIZE = 3 * 4096, LINE_SIZE = 128 };

/* Reads the first line of a file of a group; "" if there is none. */
static void read_line(const char *group, const char *name, char line[LINE_SIZE])
{
    char path[PATH_SIZE];
    line[0] = '\0';
    snprintf(path, sizeof path, "%s/%s", group, name);
    FILE *file = fopen(path, "re");
    if (file != NULL) {
        if (fgets(line, LINE_SIZE, file) == NULL) {
            line[0] = '\0';
        }
        fclose(file);
    }
}

/* Time on all cores, per period of wall clock time. No quota is "max" in version 2, -1 in
 * version 1. */
static void visit_group(int version, const char *group, void *context)
{
    char text[2 * LINE_SIZE], period_text[LINE_SIZE];
    int64_t quota = 0, period = 0;
    double *min = context;
    if (version == 2) {
        read_line(group, "cpu.max", text);
    } else {
        read_line(group, "cpu.cfs_quota_us", text);
        read_line(group, "cpu.cfs_period_us", period_text);
        text[strcspn(text, "\n")] = '\0';
        strcat(strcat(text, " "), period_text);
    }
    if (sscanf(text, "%" SCNd64 " %" SCNd64, &quota, &period) == 2 && quota > 0 && period > 0) {
        *min = fmin(*min, (double)quota / (double)period);
    }
}

double halo_cores_quota_in_groups(const char *mounts, const char *list)
{
    double min = HUGE_VAL;
    halo_control_groups_visit(mounts, list, "cpu", visit_group, &min);
    return min;
}

int halo_cores_whole(double quota)
{
    return quota < INT_MAX ? (int)ceil(quota) : INT_MAX;
}

static pthread_once_t quota_once = PTHREAD_ONCE_INIT;
static double own_quota;

static void read_own_quota(void)
{
    own_quota = halo_cores_quota_in_groups(HALO_CONTROL_GROUP_MOUNTS, HALO_CONTROL_GROUP_LIST);
}

double halo_cores_quota(void)
{
    pthread_once(&quota_once, read_own_quota);
    return own_quota;
}

/* ---- affinity -------------------------------------------------------------------------------- */

static int list_cores(const cpu_set_t *set, size_t bytes, int *list, int most)
{
    int count = CPU_COUNT_S(bytes, set);
    int found = 0;
    for (size_t core = 0; found < count && found < most; core++) {
        if (CPU_ISSET_S(core, bytes, set)) {
            list[found++] = (int)core;
        }
    }
    return count;
}

int halo_cores_allowed(int *list, int most)
{
    enum { FIRST = CPU_SETSIZE, LAST = 1 << 20 };
    int count = 0;
    bool larger = true;
    /* Linux refuses a set that is smaller than its own. */
    for (size_t cores = FIRST; larger && cores <= LAST; cores *= 2) {
        cpu_set_t *set = CPU_ALLOC(cores);
        size_t bytes = CPU_ALLOC_SIZE(cores);
        larger = false;
        if (set != NULL && sched_getaffinity(0, bytes, set) == 0) {
            count = list_cores(set, bytes, list, most);
        } else {
            larger = set != NULL && errno == EINVAL;
        }
        CPU_FREE(set);
    }
    return count;
}

int halo_cores_usable(void)
{
    int allowed = halo_cores_allowed(NULL, 0);
    int quota = halo_cores_whole(halo_cores_quota());
    if (allowed < 1) { /* the system does not tell */
        long online = sysconf(_SC_NPROCESSORS_ONLN);
        allowed = online > 0 ? (int)online : 1;
    }
    return allowed < quota ? allowed : quota;
}
