#ifndef HALOBEAT_BASE_MEMORY_H
#define HALOBEAT_BASE_MEMORY_H

#include "base/status.h"

#include <stddef.h>
#include <stdint.h>

/* Allocation of large, aligned memory. Page faults on new 4 KiB pages cost more than the kernels
 * that write them, so large blocks ask the operating system for huge pages, as far as they fill
 * them. Blocks from 1 MiB on go back to the system when they are freed. */

/* Local. Allocates `bytes` zeroed bytes, aligned to 64 bytes (2 MiB for large blocks). Pages are
 * touched on first use where the system allows. The caller frees the block with halo_memory_free.
 * HALO_MEMORY, with `what` and the size in the message. */
halo_status halo_memory_create(void **out, size_t bytes, const char *what);

/* Local. Sets the pointer `p` to an array of `count` zeroed elements, not NULL even if `count` is
 * 0. An array of HALO_ALLOCATE is freed with free; one of HALO_ALLOCATE_LARGE, allocated as by
 * halo_memory_create, with halo_memory_free. `count` is followed by what the array is for,
 * formatted as by printf ("rows of %s", path), for the message. HALO_MEMORY; `p` is then NULL. */
#define HALO_ALLOCATE(p, count, ...)                                                              \
    (((p) = (__typeof__(p))halo_memory_zeroed((size_t)(count), sizeof *(p), __VA_ARGS__)) != NULL \
         ? HALO_OK                                                                                \
         : HALO_MEMORY)
#define HALO_ALLOCATE_LARGE(p, count, ...)                                                       \
    (((p) = (__typeof__(p))halo_memory_large((size_t)(count), sizeof *(p), __VA_ARGS__)) != NULL \
         ? HALO_OK                                                                               \
         : HALO_MEMORY)

/* Local. Makes room for element `count` (from 0) of an array, doubling its room where it is full.
 * `array` is the address of a pointer to it, NULL at first, which is freed with free; its elements,
 * of `size` bytes, may move. The pointer and *room keep their values after a failure. `what` as of
 * HALO_ALLOCATE. HALO_MEMORY. */
halo_status halo_grow(void *array, int64_t *room, int64_t count, size_t size, const char *what);

/* Local. The functions of HALO_ALLOCATE and HALO_ALLOCATE_LARGE. NULL after a failure, whose
 * message is stored. */
void *halo_memory_zeroed(size_t count, size_t size, const char *what, ...)
    __attribute__((format(printf, 3, 4)));
void *halo_memory_large(size_t count, size_t size, const char *what, ...)
    __attribute__((format(printf, 3, 4)));

/* Local. As halo_memory_large, for room that is filled from the front and mostly stays empty:
 * from 256 KiB on it takes what is used of it, in small pages for the first 2 MiB. */
void *halo_memory_room(size_t count, size_t size, const char *what, ...)
    __attribute__((format(printf, 3, 4)));

/* Local. Chooses pages while a room is filled: bytes from `used` on are not touched yet, and about
 * `end` bytes are going to be. Where a huge page would stay partly empty, small ones are taken from
 * there on. `used` is 0 in the first call, and then what the call before returned: the number of
 * bytes that may be used before the next call. */
size_t halo_memory_room_fill(void *room, size_t used, size_t end);

/* Local. As halo_memory_create, for a block of which only a part is used at a time: address space
 * is reserved for all of it, memory is used for pages that are touched. HALO_MEMORY if the system
 * does not reserve it (ulimit -v, vm.overcommit_memory). */
halo_status halo_memory_reserve(void **out, size_t bytes, const char *what);

/* Local. As halo_memory_create, for a block that other processes of this user on this machine can
 * map, after halo_memory_share. HALO_MEMORY if the system has no such memory; the message names an
 * exchange mode that needs none. */
halo_status halo_memory_create_shared(void **out, size_t bytes, const char *what);

/* Local. Lets other processes read bytes `lo` to `hi - 1` of such a block, and the rest of their
 * pages. These bytes become 0: call it before they are used. Shared pages are small pages unless
 * Linux is configured otherwise (shmem_enabled). HALO_MEMORY. */
halo_status halo_memory_share(void *memory, size_t lo, size_t hi);

/* Local. The file descriptor of such a block, whose bytes have the same offsets in the file; -1 for
 * other blocks. Owned by the block. */
int halo_memory_file(const void *memory);

/* Local. Declares that only bytes `lo` to `hi - 1` of a block are needed from now on, if it is
 * reserved or shared as a whole. The memory of the other bytes is released, except up to 3 MiB at
 * either end; they keep their values or become 0. */
void halo_memory_keep(void *memory, size_t lo, size_t hi);

/* Local. Frees a block. Accepts NULL. */
void halo_memory_free(void *memory);

/* Local. Makes the allocator keep up to 2 * `bytes` bytes of freed blocks, at most 32 MiB, for
 * later allocations. For work that allocates and frees the same buffers a thousand times: the GNU C
 * library otherwise returns them to the system each time, until a block as large has been freed
 * once, and page faults then cost more than the work. */
void halo_memory_retain(size_t bytes);

/* Local. Total bytes of the blocks that this rank holds, touched or not: those in the account of
 * the calling thread. Of a reserved block, the part that halo_memory_keep has kept. Blocks freed
 * with free do not count. */
int64_t halo_memory_held(void);

/* Local. The most that halo_memory_held has been at a time. */
int64_t halo_memory_held_most(void);

/* An account of blocks. A block is in the account that the thread used which took it, whichever
 * thread frees it. Threads use that of the process until they are given another. */
typedef struct halo_memory_account halo_memory_account;

/* Local. NULL: no memory. Released by who creates it; it goes with the last block in it. */
halo_memory_account *halo_memory_account_create(void);
void halo_memory_account_release(halo_memory_account *account);

/* Local. The calling thread uses this account (NULL: that of the process) from now on; it must not
 * be released before the thread uses another. Returns the one before. */
halo_memory_account *halo_memory_account_use(halo_memory_account *account);

/* Local. The account that the calling thread uses; NULL: that of the process. */
halo_memory_account *halo_memory_account_used(void);

/* Local, pure. Bytes of memory that a block of `bytes` bytes takes: large blocks are rounded up to
 * pages. */
size_t halo_memory_rounded(size_t bytes);

/* Local. Bytes that all programs on this machine together can still allocate: the estimate of
 * Linux, and the limits of control groups (of a container or a batch system). INT64_MAX if unknown.
 * Linux allocates more memory than there is and kills a program that then uses it, so check
 * before. */
int64_t halo_memory_available(void);

/* Local. Bytes of address space that this process may still take (ulimit -v), if other threads take
 * none; INT64_MAX without a limit. */
int64_t halo_memory_address_space(void);

/* Local. Bytes that the user allows all ranks on a machine together: the environment variable
 * HALOBEAT_MEMORY, a number with K, M, G or T; INT64_MAX if it is not set. HALO_ARGUMENT for other
 * text. */
halo_status halo_memory_limit(int64_t *bytes);

/* A byte buffer that grows. Zero-initialise it; free it with halo_buffer_free. */
typedef struct {
    unsigned char *data;
    size_t size;     /* bytes in use */
    size_t capacity; /* bytes allocated */
} halo_buffer;

/* Local. Makes room for `more` bytes after those in use. The data may move. HALO_MEMORY. */
halo_status halo_buffer_reserve(halo_buffer *buffer, size_t more);

/* Local. Appends `bytes` bytes. HALO_MEMORY. */
halo_status halo_buffer_append(halo_buffer *buffer, const void *data, size_t bytes);

/* Local. Frees the data; the buffer is then empty and can be used again. */
void halo_buffer_free(halo_buffer *buffer);

#endif
