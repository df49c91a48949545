/* Loaded into the program before its libraries (LD_PRELOAD): it may use MANY_CORES cores, however
 * many there are. No control group allows it less, unless MANY_CORES_GROUPS is a folder: it has the
 * lists of groups and mounts that Linux has in /proc/self, as `cgroup` and `mountinfo`. */

#define _GNU_SOURCE /* RTLD_NEXT, cpu_set_t */
#include <dlfcn.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int sched_getaffinity(pid_t process, size_t bytes, cpu_set_t *set)
{
    const char *cores = getenv("MANY_CORES");
    (void)process;
    CPU_ZERO_S(bytes, set);
    for (int i = 0; cores != NULL && i < atoi(cores); i++) {
        CPU_SET_S((size_t)i, bytes, set);
    }
    return 0;
}

FILE *fopen(const char *path, const char *mode)
{
    static const char lists[] = "/proc/self/";
    const char *groups = getenv("MANY_CORES_GROUPS");
    const char *name = strncmp(path, lists, strlen(lists)) == 0 ? path + strlen(lists) : "";
    char own[4096];
    FILE *(*next)(const char *, const char *) = NULL;
    *(void **)&next = dlsym(RTLD_NEXT, "fopen"); /* as POSIX says it is done */
    if (groups == NULL) {
        return strstr(path, "/cpu.") == NULL ? next(path, mode) : NULL;
    }
    if (strcmp(name, "cgroup") == 0 || strcmp(name, "mountinfo") == 0) {
        snprintf(own, sizeof own, "%s/%s", groups, name);
        return next(own, mode);
    }
    return next(path, mode);
}
