#ifndef HALOBEAT_CORE_EXCHANGE_SHM_MAP_H
#define HALOBEAT_CORE_EXCHANGE_SHM_MAP_H

#include "base/status.h"

#include <stddef.h>
#include <stdint.h>

/* Looking into the memory of another process of the same user and machine: bytes of a file in
 * memory that it has open (halo_memory_file), mapped without a call that both have to make. */

/* What the owner tells others; plain bytes, to be sent as they are. */
typedef struct {
    int64_t process, file;
    uint64_t device, node; /* to know the file for the right one */
    uint64_t place, bytes;
} halo_shm_map;

/* What the other has mapped. Zero-initialise it. */
typedef struct {
    void *memory;
    size_t bytes;
} halo_shm_map_view;

/* Local. `bytes` bytes from byte `place` of the open file `file` on; negative stands for memory
 * that was not made to be shared, which is HALO_ARGUMENT. HALO_MEMORY. */
halo_status halo_shm_map_describe(halo_shm_map *out, int file, size_t place, size_t bytes);

/* Local. Maps what rank `rank` has described, to be read: *out is the first byte. The view lasts,
 * whatever becomes of its owner, until it is closed. HALO_ARGUMENT, naming the rank, where the
 * system does not let one process see the other's memory. */
halo_status halo_shm_map_open(halo_shm_map_view *view, const halo_shm_map *map, int rank,
                              const void **out);

/* Local. Accepts a zeroed view. */
void halo_shm_map_close(halo_shm_map_view *view);

#endif
