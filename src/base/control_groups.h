#ifndef HALOBEAT_BASE_CONTROL_GROUPS_H
#define HALOBEAT_BASE_CONTROL_GROUPS_H

#include <stdint.h>

/* Control groups, by which containers and batch systems limit processes. */

#define HALO_CONTROL_GROUP_MOUNTS "/proc/self/mountinfo"
#define HALO_CONTROL_GROUP_LIST   "/proc/self/cgroup"

/* Called for one group: `folder` has its files, which are those of this version, 1 or 2. */
typedef void halo_control_group_visit(int version, const char *folder, void *context);

/* Local. Visits the control groups of this process that limit what `controller` ("memory", "cpu")
 * controls: its own, by the file `list` (HALO_CONTROL_GROUP_LIST), and their parents, in the
 * folders that the file `mounts` (HALO_CONTROL_GROUP_MOUNTS) names. Files that are not there count
 * as empty. */
void halo_control_groups_visit(const char *mounts, const char *list, const char *controller,
                               halo_control_group_visit *visit, void *context);

/* Local. Bytes of memory that the limits of the groups leave; INT64_MAX if there is no limit. The
 * files as above. */
int64_t halo_memory_left_in_groups(const char *mounts, const char *list);

/* Local. The time that the quotas of the groups leave, in cores; HUGE_VAL if there is no quota. */
double halo_cores_quota_in_groups(const char *mounts, const char *list);

/* Local, pure. Whole cores for that time, rounded up; INT_MAX if there is no quota. */
int halo_cores_whole(double quota);

#endif
