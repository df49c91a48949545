#ifndef HALOBEAT_BASE_CORES_H
#define HALOBEAT_BASE_CORES_H

/* Local. The number of cores that this process may use, at least 1: as many as its affinity mask
 * has, or what the quotas of its control groups leave it of their time, rounded up to whole cores,
 * if that is less. */
int halo_cores_usable(void);

/* Local. Writes the numbers of the first `most` cores of the calling thread's affinity mask to
 * `list`, in ascending order. Returns how many there are in all; 0 if the system does not tell. The
 * number of cores of a machine is not limited. */
int halo_cores_allowed(int *list, int most);

/* Local. The time that the quotas of this process's control groups leave it, in cores: 1.5 is one
 * and a half seconds of processor time a second; HUGE_VAL if there is no quota. Read once, and
 * kept. */
double halo_cores_quota(void);

#endif
