#define _DEFAULT_SOURCE
#include "core/memory.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { CACHE_LINE = 64 };

/* From here on a block is mapped by itself and starts on a huge page. */
static const size_t HUGE_PAGE = (size_t)2 << 20;

/* Stands in front of every block; one cache line so that the block keeps its alignment. */
typedef struct {
    void *base;    /* what to free or unmap */
    size_t mapped; /* bytes to unmap, or 0 for malloc's memory */
} block_head;

static void *create_small(size_t bytes)
{
    size_t whole = (bytes + 2 * CACHE_LINE - 1) / CACHE_LINE * CACHE_LINE;
    unsigned char *base = aligned_alloc(CACHE_LINE, whole);
    if (base == NULL) {
        return NULL;
    }
    memset(base, 0, whole);
    *(block_head *)base = (block_head){base, 0};
    return base + CACHE_LINE;
}

static void *create_large(size_t bytes)
{
    size_t whole = bytes + 2 * HUGE_PAGE;
    unsigned char *base = mmap(NULL, whole, PROT_READ | PROT_WRITE,
                               MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (base == MAP_FAILED) {
        return NULL;
    }
    /* The head sits at the end of the page before the block: one small page, not a huge one. */
    uintptr_t start = ((uintptr_t)base + HUGE_PAGE) / HUGE_PAGE * HUGE_PAGE;
    unsigned char *block = base + (start - (uintptr_t)base);
    madvise(block, (bytes + HUGE_PAGE - 1) / HUGE_PAGE * HUGE_PAGE, MADV_HUGEPAGE);
    *(block_head *)(block - CACHE_LINE) = (block_head){base, whole};
    return block;
}

static void *create_block(size_t bytes)
{
    if (bytes >= SIZE_MAX / 2) {
        return NULL;
    }
    return bytes >= HUGE_PAGE ? create_large(bytes) : create_small(bytes);
}

halo_status halo_memory_create(void **out, size_t bytes, const char *what)
{
    *out = create_block(bytes);
    if (*out == NULL) {
        return halo_fail(HALO_MEMORY,
                         "out of memory: %s needs %zu bytes; use more machines or less data", what,
                         bytes);
    }
    return HALO_OK;
}

halo_status halo_memory_reserve(void **out, size_t bytes, const char *what)
{
    *out = create_block(bytes);
    if (*out == NULL) {
        return halo_fail(HALO_MEMORY,
                         "the system sets aside no %zu bytes of addresses for %s, most of which"
                         " take no memory; raise its limit (ulimit -v, vm.overcommit_memory)",
                         bytes, what);
    }
    return HALO_OK;
}

static block_head *head_of(void *memory)
{
    return (block_head *)(void *)((unsigned char *)memory - CACHE_LINE);
}

/* Huge pages stay whole: a part of one given back would cost the rest its speed. And a little more
 * than is needed stays, for boundaries that go to and fro: to give a huge page back and fault it in
 * again takes two to fifteen times as long as moving 40 rows of 16 KB. */
void halo_memory_keep(void *memory, size_t lo, size_t hi)
{
    const block_head *head = head_of(memory);
    if (head->mapped == 0) {
        return;
    }
    unsigned char *block = memory;
    size_t all = head->mapped - (size_t)(block - (unsigned char *)head->base);
    size_t first = 0, last = 0, slack = HUGE_PAGE / 2;
    if (lo < hi) {
        first = lo > slack ? (lo - slack) / HUGE_PAGE * HUGE_PAGE : 0;
        last = (hi + slack + HUGE_PAGE - 1) / HUGE_PAGE * HUGE_PAGE;
    }
    /* Where the system refuses, as with locked memory, nothing but memory is lost. */
    if (first > 0) {
        madvise(block, first, MADV_DONTNEED);
    }
    if (last < all) {
        madvise(block + last, all - last, MADV_DONTNEED);
    }
}

void halo_memory_free(void *memory)
{
    if (memory == NULL) {
        return;
    }
    block_head head = *head_of(memory);
    if (head.mapped > 0) {
        munmap(head.base, head.mapped);
    } else {
        free(head.base);
    }
}

halo_status halo_buffer_reserve(halo_buffer *buffer, size_t more)
{
    if (more <= buffer->capacity - buffer->size) {
        return HALO_OK;
    }
    size_t needed = buffer->size + more;
    size_t grown = buffer->capacity + buffer->capacity / 2;
    size_t capacity = needed > grown ? needed : grown;
    unsigned char *data = needed >= buffer->size ? realloc(buffer->data, capacity) : NULL;
    if (data == NULL) {
        return halo_fail(HALO_MEMORY, "out of memory: a buffer needs %zu bytes", needed);
    }
    buffer->data = data;
    buffer->capacity = capacity;
    return HALO_OK;
}

halo_status halo_buffer_append(halo_buffer *buffer, const void *data, size_t bytes)
{
    HALO_TRY(halo_buffer_reserve(buffer, bytes));
    if (bytes > 0) {
        memcpy(buffer->data + buffer->size, data, bytes);
    }
    buffer->size += bytes;
    return HALO_OK;
}

void halo_buffer_free(halo_buffer *buffer)
{
    free(buffer->data);
    *buffer = (halo_buffer){0};
}
