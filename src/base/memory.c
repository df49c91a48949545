#define _GNU_SOURCE /* memfd_create */
#include "base/memory.h"

#include "base/memory_pages.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

enum { CACHE_LINE = 64, PAGE = 4096 };

/* From here on a block is mapped by itself, so that all of it goes back to the system when it is
 * freed: malloc keeps what a thread frees, for each thread apart. */
static const size_t MAPPED = (size_t)1 << 20;

/* The same of room that stays mostly empty, and whose pages are not to be touched to clear them. */
static const size_t ROOM_MAPPED = (size_t)1 << 18;

/* From here on it starts on a huge page. */
static const size_t HUGE_PAGE = (size_t)2 << 20;

/* Stands in front of every block; one cache line so that the block keeps its alignment. */
typedef struct {
    void *base;                   /* what to free or unmap */
    size_t mapped;                /* bytes to unmap, or 0 for malloc's memory */
    size_t shared;                /* bytes in the file */
    size_t held;                  /* bytes that count as taken */
    halo_memory_account *account; /* in which they are; NULL: in none yet */
    int file;                     /* behind pages that others can read, or -1 */
} block_head;
_Static_assert(sizeof(block_head) <= CACHE_LINE, "it stands in a cache line");

/* `users` counts who has created it, and blocks; `most` is the most that was held. */
struct halo_memory_account {
    atomic_int_fast64_t held, most, users;
};

static halo_memory_account process_account = {.users = 1};
static _Thread_local halo_memory_account *used_account; /* NULL: that of the process */

static _Thread_local bool prefers_huge; /* for the ends of blocks, too */

bool halo_memory_prefer_huge(bool prefers)
{
    bool before = prefers_huge;
    prefers_huge = prefers;
    return before;
}

static halo_memory_account *account_used(void)
{
    return used_account != NULL ? used_account : &process_account;
}

halo_memory_account *halo_memory_account_create(void)
{
    halo_memory_account *account = calloc(1, sizeof *account);
    if (account != NULL) {
        atomic_init(&account->users, 1);
    }
    return account;
}

void halo_memory_account_release(halo_memory_account *account)
{
    if (account != NULL &&
        atomic_fetch_sub_explicit(&account->users, 1, memory_order_acq_rel) == 1) {
        free(account);
    }
}

halo_memory_account *halo_memory_account_use(halo_memory_account *account)
{
    halo_memory_account *before = used_account;
    used_account = account;
    return before;
}

halo_memory_account *halo_memory_account_used(void)
{
    return used_account;
}

int64_t halo_memory_held(void)
{
    return atomic_load_explicit(&account_used()->held, memory_order_relaxed);
}

int64_t halo_memory_held_most(void)
{
    return atomic_load_explicit(&account_used()->most, memory_order_relaxed);
}

static size_t round_up(size_t bytes, size_t unit)
{
    return (bytes + unit - 1) / unit * unit;
}

size_t halo_memory_rounded(size_t bytes)
{
    return bytes >= MAPPED ? round_up(bytes, PAGE) : bytes;
}

static void hold(block_head *head, size_t bytes)
{
    if (head->account == NULL) {
        head->account = account_used();
        atomic_fetch_add_explicit(&head->account->users, 1, memory_order_relaxed);
    }
    halo_memory_account *account = head->account;
    int_fast64_t more = (int64_t)bytes - (int64_t)head->held;
    int_fast64_t now = more + atomic_fetch_add_explicit(&account->held, more, memory_order_relaxed);
    int_fast64_t most = atomic_load_explicit(&account->most, memory_order_relaxed);
    while (now > most &&
           !atomic_compare_exchange_weak_explicit(&account->most, &most, now, memory_order_relaxed,
                                                  memory_order_relaxed)) {
    }
    head->held = bytes;
}

/* By calloc, which does not touch memory that comes from the system to clear it. */
static void *create_small(size_t bytes)
{
    unsigned char *base = calloc(1, bytes + 2 * CACHE_LINE - 1);
    if (base == NULL) {
        return NULL;
    }
    uintptr_t start = ((uintptr_t)base + 2 * CACHE_LINE - 1) / CACHE_LINE * CACHE_LINE;
    unsigned char *block = base + (start - (uintptr_t)base);
    *(block_head *)(block - CACHE_LINE) = (block_head){.base = base, .file = -1};
    return block;
}

/* Bytes of huge pages for a block: as far as it fills them, or half of the last one for threads
 * that prefer it. The rest takes small ones: in huge ones eight ranks with six blocks each would
 * hold about 50 MiB that none of them uses. */
static size_t huge_bytes(size_t bytes, size_t small)
{
    size_t half = prefers_huge && small == 0 ? HUGE_PAGE / 2 : 0;
    return (bytes + half) / HUGE_PAGE * HUGE_PAGE;
}

/* Asks for huge pages from byte `from` on up to byte `huge`. */
static void advise_pages(unsigned char *block, size_t from, size_t huge, size_t mapped)
{
    size_t begin = from < huge ? from : huge;
    if (begin > 0) {
        madvise(block, begin, MADV_NOHUGEPAGE);
    }
    madvise(block + begin, huge - begin, MADV_HUGEPAGE);
    madvise(block + huge, mapped - huge, MADV_NOHUGEPAGE);
}

/* The system unmaps a block before it maps another one at the same address, perhaps for another
 * thread. This counter makes that order one of the language, which analysers of threads know. */
static atomic_int unmapped;

static void *create_mapped(size_t bytes, size_t small)
{
    const size_t unit = 65536; /* or less: whole pages, whose end analysers see unmapped */
    size_t huge = huge_bytes(bytes, small), alignment = huge > 0 ? HUGE_PAGE : PAGE;
    size_t whole = round_up(bytes > huge ? bytes : huge, unit) + alignment;
    unsigned char *base = mmap(NULL, whole, PROT_READ | PROT_WRITE,
                               MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (base == MAP_FAILED) {
        return NULL;
    }
    atomic_load_explicit(&unmapped, memory_order_acquire);
    /* The head sits at the end of the page before the block: one small page, not a huge one. */
    uintptr_t start = ((uintptr_t)base + alignment) / alignment * alignment;
    unsigned char *block = base + (start - (uintptr_t)base);
    if (huge > 0) {
        advise_pages(block, small, huge, whole - (size_t)(block - base));
    }
    *(block_head *)(block - CACHE_LINE) = (block_head){.base = base, .mapped = whole, .file = -1};
    return block;
}

/* The first `small` bytes, whole huge pages, take small ones. */
static void *create_block(size_t bytes, size_t small)
{
    if (bytes >= SIZE_MAX / 2) {
        return NULL;
    }
    return bytes >= (small > 0 ? ROOM_MAPPED : MAPPED) ? create_mapped(bytes, small)
                                                       : create_small(bytes);
}

static block_head *head_of(const void *memory)
{
    return (block_head *)(uintptr_t)((const unsigned char *)memory - CACHE_LINE);
}

void halo_memory_retain(size_t bytes)
{
    void *volatile block = malloc(bytes); /* so that compilers leave it there; it is not touched */
    free(block);
}

static halo_status create(void **out, size_t bytes, size_t small, const char *what)
{
    *out = create_block(bytes, small);
    if (*out == NULL && bytes == SIZE_MAX) { /* as sums of sizes say it */
        return halo_fail(HALO_MEMORY,
                         "out of memory: %s needs more bytes than can be counted; use less data, "
                         "or a smaller halo",
                         what);
    }
    if (*out == NULL) {
        return halo_fail(HALO_MEMORY,
                         "out of memory: %s needs %zu bytes; use more machines or less data", what,
                         bytes);
    }
    size_t held = halo_memory_rounded(bytes), huge = huge_bytes(bytes, small);
    hold(head_of(*out), held > huge ? held : huge);
    return HALO_OK;
}

halo_status halo_memory_create(void **out, size_t bytes, const char *what)
{
    return create(out, bytes, 0, what);
}

void *halo_memory_zeroed(size_t count, size_t size, const char *what, ...)
{
    void *memory = calloc(count > 0 ? count : 1, size);
    if (memory == NULL) {
        char text[HALO_MESSAGE_SIZE];
        va_list arguments;
        va_start(arguments, what);
        vsnprintf(text, sizeof text, what, arguments);
        va_end(arguments);
        halo_fail(HALO_MEMORY, "out of memory: %s needs %zu x %zu bytes", text, count, size);
    }
    return memory;
}

halo_status halo_grow(void *array, int64_t *room, int64_t count, size_t size, const char *what)
{
    enum { FIRST_ROOM = 16 };
    int64_t wanted = *room > 0 ? 2 * *room : FIRST_ROOM;
    void *elements;
    if (count < *room) {
        return HALO_OK;
    }
    memcpy(&elements, array, sizeof elements);
    bool fits = (uint64_t)wanted <= SIZE_MAX / size;
    elements = fits ? realloc(elements, (size_t)wanted * size) : NULL;
    HALO_FAIL_IF(elements == NULL, HALO_MEMORY, "out of memory: %s needs %" PRId64 " x %zu bytes",
                 what, wanted, size);
    memcpy(array, &elements, sizeof elements);
    *room = wanted;
    return HALO_OK;
}

static void *create_array(size_t count, size_t size, size_t small, const char *what,
                          va_list arguments)
{
    void *memory;
    char text[HALO_MESSAGE_SIZE];
    vsnprintf(text, sizeof text, what, arguments);
    create(&memory, count > SIZE_MAX / size ? SIZE_MAX : count * size, small, text);
    return memory;
}

void *halo_memory_large(size_t count, size_t size, const char *what, ...)
{
    va_list arguments;
    va_start(arguments, what);
    void *memory = create_array(count, size, 0, what, arguments);
    va_end(arguments);
    return memory;
}

void *halo_memory_room(size_t count, size_t size, const char *what, ...)
{
    va_list arguments;
    va_start(arguments, what);
    void *memory = create_array(count, size, HUGE_PAGE, what, arguments);
    va_end(arguments);
    return memory;
}

size_t halo_memory_room_fill(void *room, size_t used, size_t end)
{
    size_t full = head_of(room)->held / HUGE_PAGE * HUGE_PAGE;
    if (head_of(room)->mapped == 0 || used >= full) {
        return SIZE_MAX;
    }
    unsigned char *block = room;
    if (used == 0 && full > HUGE_PAGE) { /* it may have been filled before, and less far */
        madvise(block + HUGE_PAGE, full - HUGE_PAGE, MADV_HUGEPAGE);
    }
    if (used > 0 && end < used + HUGE_PAGE) {
        madvise(block + used, full - used, MADV_NOHUGEPAGE);
        return SIZE_MAX;
    }
    return used + HUGE_PAGE;
}

halo_status halo_memory_reserve(void **out, size_t bytes, const char *what)
{
    *out = create_block(bytes, 0);
    if (*out == NULL) {
        return halo_fail(HALO_MEMORY,
                         "the system sets aside no %zu bytes of addresses for %s, most of which"
                         " take no memory; raise its limit (ulimit -v, vm.overcommit_memory)",
                         bytes, what);
    }
    return HALO_OK;
}

static halo_status refuse_sharing(const char *what, size_t bytes, int error)
{
    return halo_fail(HALO_MEMORY,
                     "the system gives no memory that ranks can share for %s of %zu bytes: %s; use"
                     " another exchange mode, such as p2p",
                     what, bytes, strerror(error));
}

#ifdef __linux__
/* A file that has no name and lives in memory: it needs no room in /dev/shm, which is small in many
 * containers, and is gone with its last user however that ends. */
static int open_memory(size_t bytes)
{
    struct rlimit max;
    if (getrlimit(RLIMIT_FSIZE, &max) == 0 && bytes > max.rlim_cur) {
        errno = EFBIG; /* to try would be a deadly signal */
        return -1;
    }
    int file = memfd_create("halobeat", MFD_CLOEXEC);
    if (file >= 0 && ftruncate(file, (off_t)bytes) != 0) {
        int error = errno;
        close(file);
        errno = error;
        return -1;
    }
    return file;
}
#else
static int open_memory(size_t bytes)
{
    (void)bytes;
    errno = ENOSYS;
    return -1;
}
#endif

halo_status halo_memory_create_shared(void **out, size_t bytes, const char *what)
{
    *out = NULL;
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    if (bytes >= SIZE_MAX / 2) {
        return refuse_sharing(what, bytes, ENOMEM);
    }
    size_t whole = (bytes + page - 1) / page * page;
    int file = open_memory(whole);
    if (file < 0) {
        return refuse_sharing(what, bytes, errno);
    }
    void *block = create_mapped(whole, 0);
    if (block == NULL) {
        close(file);
        return refuse_sharing(what, bytes, ENOMEM);
    }
    head_of(block)->file = file;
    head_of(block)->shared = whole;
    hold(head_of(block), whole);
    *out = block;
    return HALO_OK;
}

halo_status halo_memory_share(void *memory, size_t lo, size_t hi)
{
    const block_head *head = head_of(memory);
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    size_t first = lo / page * page;
    size_t last = hi < head->shared ? (hi + page - 1) / page * page : head->shared;
    if (first >= last) {
        return HALO_OK;
    }
    char *start = (char *)memory + first;
    if (mmap(start, last - first, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, head->file,
             (off_t)first) == MAP_FAILED) {
        return refuse_sharing("a part of a block", last - first, errno);
    }
    madvise(start, last - first, MADV_HUGEPAGE);
    return HALO_OK;
}

int halo_memory_file(const void *memory)
{
    return head_of(memory)->file;
}

/* Huge pages stay whole: a part of one given back would cost the rest its speed. And a little more
 * than is needed stays, for boundaries that go to and fro: to give a huge page back and fault it in
 * again takes two to fifteen times as long as moving 40 rows of 16 KB. */
void halo_memory_keep(void *memory, size_t lo, size_t hi)
{
    block_head *head = head_of(memory);
    if (head->mapped == 0) {
        return;
    }
    unsigned char *block = memory;
    size_t all = head->file >= 0 ? head->shared
                                 : head->mapped - (size_t)(block - (unsigned char *)head->base);
    /* Pages of a file stay in it, though nobody maps them, until they are taken out. */
    int advice = head->file >= 0 ? MADV_REMOVE : MADV_DONTNEED;
    size_t first = 0, last = 0, slack = HUGE_PAGE / 2;
    if (lo < hi) {
        first = lo > slack ? (lo - slack) / HUGE_PAGE * HUGE_PAGE : 0;
        last = (hi + slack + HUGE_PAGE - 1) / HUGE_PAGE * HUGE_PAGE;
    }
    size_t end = round_up(hi, HUGE_PAGE); /* of what stays, but for the slack */
    end = end < all ? end : all;
    hold(head, lo < hi ? end - lo / HUGE_PAGE * HUGE_PAGE : 0);
    /* If the system refuses, as with locked memory, the pages only stay in use. */
    if (first > 0) {
        madvise(block, first, advice);
    }
    if (last < all) {
        madvise(block + last, all - last, advice);
    }
}

void halo_memory_free(void *memory)
{
    if (memory == NULL) {
        return;
    }
    hold(head_of(memory), 0);
    block_head head = *head_of(memory);
    halo_memory_account_release(head.account);
    if (head.mapped > 0) {
        atomic_fetch_add_explicit(&unmapped, 1, memory_order_release);
        munmap(head.base, head.mapped);
        if (head.file >= 0) {
            close(head.file);
        }
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
