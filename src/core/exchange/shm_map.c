#define _DEFAULT_SOURCE
#include "core/exchange/shm_map.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

halo_status halo_shm_map_describe(halo_shm_map *out, int file, size_t place, size_t bytes)
{
    struct stat known;
    if (file < 0) {
        return halo_fail(HALO_ARGUMENT, "other ranks cannot read a field that was not made to be "
                                        "shared; set `shared` in its options, or use another "
                                        "exchange mode, such as p2p");
    }
    if (fstat(file, &known) != 0) {
        return halo_fail(HALO_MEMORY, "shared memory cannot be looked at: %s", strerror(errno));
    }
    *out = (halo_shm_map){.process = getpid(),
                          .file = file,
                          .device = (uint64_t)known.st_dev,
                          .node = (uint64_t)known.st_ino,
                          .place = place,
                          .bytes = bytes};
    return HALO_OK;
}

static halo_status refuse(const char *why, int rank)
{
    return halo_fail(HALO_ARGUMENT,
                     "the memory of rank %d cannot be read by other ranks of its machine: %s; use"
                     " another exchange mode, such as p2p",
                     rank, why);
}

/* Containers number their processes anew: the file by that name may be anybody's. */
static bool is_described(int file, const halo_shm_map *map)
{
    struct stat known;
    return fstat(file, &known) == 0 && (uint64_t)known.st_dev == map->device &&
           (uint64_t)known.st_ino == map->node;
}

halo_status halo_shm_map_open(halo_shm_map_view *view, const halo_shm_map *map, int rank,
                              const void **out)
{
    char name[64];
    snprintf(name, sizeof name, "/proc/%" PRId64 "/fd/%" PRId64, map->process, map->file);
    int file = open(name, O_RDONLY | O_CLOEXEC);
    if (file < 0) {
        return refuse(strerror(errno), rank);
    }
    if (!is_described(file, map)) {
        close(file);
        return refuse("a container hides it", rank);
    }
    size_t ahead = map->place % (size_t)sysconf(_SC_PAGESIZE);
    size_t bytes = ahead + map->bytes;
    void *memory = mmap(NULL, bytes, PROT_READ, MAP_SHARED, file, (off_t)(map->place - ahead));
    int error = errno;
    close(file);
    if (memory == MAP_FAILED) {
        return refuse(strerror(error), rank);
    }
    *view = (halo_shm_map_view){memory, bytes};
    *out = (const char *)memory + ahead;
    return HALO_OK;
}

void halo_shm_map_close(halo_shm_map_view *view)
{
    if (view->memory != NULL) {
        munmap(view->memory, view->bytes);
        *view = (halo_shm_map_view){0};
    }
}
