#ifndef HALOBEAT_BASE_CONTROL_GROUPS_H
#define HALOBEAT_BASE_CONTROL_GROUPS_H

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

#endif
