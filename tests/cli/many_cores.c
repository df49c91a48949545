/* Loaded into the program before its libraries (LD_PRELOAD): it may use MANY_CORES cores, however
 * many there are, and no control group allows it less. */

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
    FILE *(*next)(const char *, const char *) = NULL;
    *(void **)&next = dlsym(RTLD_NEXT, "fopen"); /* as POSIX says it is done */
    return strstr(path, "/cpu.") == NULL ? next(path, mode) : NULL;
}
