#ifndef HALOBEAT_CORE_EXCHANGE_SHM_MAP_H
#define HALOBEAT_CORE_EXCHANGE_SHM_MAP_H

#include "base/status.h"

#include <stddef.h>
#include <stdint.h>

/* Mapping memory of another process of the same user and machine: bytes of a memory file that it
 * has open (halo_memory_file), without a call that both processes must make. */

/* Description of the memory, made by its owner; plain bytes that can be sent. */
typedef struct {
    int64_t process, file;
    uint64_t device, node; /* to verify that it is the right file */
    uint64_t place, bytes;
} halo_shm_map;

/* A mapping in the other process. Zero-initialise it. */
typedef struct {
    void *memory;
    size_t bytes;
} halo_shm_map_view;

/* Local. Describes `bytes` bytes from offset `place` of the open file `file`. HALO_ARGUMENT if
 * `file` is negative, which is memory that is not shared; HALO_MEMORY. */
halo_status halo_shm_map_describe(halo_shm_map *out, int file, size_t place, size_t bytes);

/* Local. Maps, read-only, the memory that rank `rank` has described; *out is its first byte. The
 * mapping lasts until it is closed, even if its owner ends. HALO_ARGUMENT, with the rank, if the
 * system does not let this process see the other's memory. */
halo_status halo_shm_map_open(halo_shm_map_view *view, const halo_shm_map *map, int rank,
                              const void **out);

/* Local. Unmaps it. Accepts a zeroed view. */
void halo_shm_map_close(halo_shm_map_view *view);

#endif
