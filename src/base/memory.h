#ifndef HALOBEAT_BASE_MEMORY_H
#define HALOBEAT_BASE_MEMORY_H

#include "base/status.h"

#include <stddef.h>
#include <stdint.h>

/* Large, aligned memory. First touch of fresh 4 KiB pages costs more than the kernels that fill
 * them, so large blocks ask the kernel for huge pages. */

/* Local. `bytes` zeroed bytes aligned to 64 (2 MiB for large blocks), touched lazily where the
 * system allows. The caller frees with halo_memory_free. HALO_MEMORY names `what` and the size. */
halo_status halo_memory_create(void **out, size_t bytes, const char *what);

/* Local. Sets the pointer `p` to an array of `count` zeroed elements, never NULL for 0 of them. The
 * caller frees one of HALO_ALLOCATE with free, and one of HALO_ALLOCATE_LARGE, which is allocated
 * as by halo_memory_create, with halo_memory_free. `count` is followed by what the array is for,
 * after printf's rules ("rows of %s", path): HALO_MEMORY names it, and `p` is then NULL. */
#define HALO_ALLOCATE(p, count, ...)                                                         \
    (((p) = halo_memory_zeroed((size_t)(count), sizeof *(p), __VA_ARGS__)) != NULL ? HALO_OK \
                                                                                   : HALO_MEMORY)
#define HALO_ALLOCATE_LARGE(p, count, ...)                                                  \
    (((p) = halo_memory_large((size_t)(count), sizeof *(p), __VA_ARGS__)) != NULL ? HALO_OK \
                                                                                  : HALO_MEMORY)

/* Local. The functions behind HALO_ALLOCATE and HALO_ALLOCATE_LARGE: NULL after a failure, whose
 * message is stored. */
void *halo_memory_zeroed(size_t count, size_t size, const char *what, ...)
    __attribute__((format(printf, 3, 4)));
void *halo_memory_large(size_t count, size_t size, const char *what, ...)
    __attribute__((format(printf, 3, 4)));

/* Local. The same for a block of which only a part will be used at a time: addresses are set aside
 * for all of it, memory is used for what is touched. HALO_MEMORY where the system sets aside no
 * such space (ulimit -v, vm.overcommit_memory). */
halo_status halo_memory_reserve(void **out, size_t bytes, const char *what);

/* Local. The same for a block that other processes of this user on this machine can read, as far as
 * halo_memory_share lets them. HALO_MEMORY where the system has no such memory to give; the message
 * names an exchange mode that needs none. */
halo_status halo_memory_create_shared(void **out, size_t bytes, const char *what);

/* Local. Bytes `lo` to `hi - 1` of such a block, and what else lies in their pages, can be read by
 * others from now on. They become 0: call it before they are used. Pages that are shared are
 * small ones, where Linux is not configured otherwise (shmem_enabled). HALO_MEMORY. */
halo_status halo_memory_share(void *memory, size_t lo, size_t hi);

/* Local. The open file behind such a block, whose bytes have the block's places in it; -1 for other
 * blocks. It is the block's own. */
int halo_memory_file(const void *memory);

/* Local. Of a reserved block, or of one that is shared as a whole, only bytes `lo` to `hi - 1` are
 * needed from now on. Memory of the others is given back, but for 3 MiB or less at either end; they
 * hold what they held before, or 0. */
void halo_memory_keep(void *memory, size_t lo, size_t hi);

/* Local. Accepts NULL. */
void halo_memory_free(void *memory);

/* Local. From now on the allocator keeps up to 2 * `bytes` bytes of freed blocks, at most 32 MiB,
 * for the next ones. This is for work that takes and frees the same buffers a thousand times: the
 * GNU C library otherwise gives them back to the system each time, until a block as large has been
 * freed once, and page faults then cost more than the work. */
void halo_memory_retain(size_t bytes);

/* Local. Bytes of all blocks of this process that are not yet freed, touched or not. Of a reserved
 * block the part counts that halo_memory_keep has kept. Blocks for free() do not count. */
int64_t halo_memory_held(void);

/* Local, pure. Bytes of memory that a block of `bytes` takes: large blocks are rounded up to huge
 * pages. */
size_t halo_memory_rounded(size_t bytes);

/* Local. Bytes that all programs on this machine together may still take: what Linux estimates and
 * what the control groups (of a container or a batch system) leave; INT64_MAX where nothing is
 * known. Memory is given out before it is there, and a program that then uses it is killed: ask
 * before. */
int64_t halo_memory_available(void);

/* Local. The part of it that limits of control groups, version 1 and 2, leave: of the groups that
 * this process is in by the file `list` (/proc/self/cgroup), and of those around them, in the
 * folders where the file `mounts` (/proc/self/mountinfo) says they are; INT64_MAX if there is no
 * limit. */
int64_t halo_memory_left_in_groups(const char *mounts, const char *list);

/* Local. Bytes that the user allows all ranks on a machine to hold at a time: the environment's
 * HALOBEAT_MEMORY, a number with K, M, G or T behind it; INT64_MAX without it. HALO_ARGUMENT if it
 * is not understood. */
halo_status halo_memory_limit(int64_t *bytes);

/* A byte buffer that grows. Zero-initialise it; free it with halo_buffer_free. */
typedef struct {
    unsigned char *data;
    size_t size;     /* bytes in use */
    size_t capacity; /* bytes allocated */
} halo_buffer;

/* Local. Makes room for `more` bytes after the ones in use, which may move. HALO_MEMORY. */
halo_status halo_buffer_reserve(halo_buffer *buffer, size_t more);

/* Local. Appends `bytes` bytes. HALO_MEMORY. */
halo_status halo_buffer_append(halo_buffer *buffer, const void *data, size_t bytes);

/* Local. Frees the bytes; the buffer is then empty and may be used again. */
void halo_buffer_free(halo_buffer *buffer);

#endif
