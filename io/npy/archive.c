#include "io/npy/archive.h"

#include "base/memory.h"
#include "base/read_at.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* From the end of the file: the record of the end, perhaps one of 64 bits before it, and the
 * directory. All numbers have their low byte first, and none is believed. */

enum {
    END_BYTES = 22,
    COMMENT_BYTES = 65535,
    LOCATOR_BYTES = 20,
    END64_BYTES = 56,
    ENTRY_BYTES = 46,
    LOCAL_BYTES = 30,
    EXTRA64 = 1,
    FLAG_ENCRYPTED = 1
};

static const uint32_t END = 0x06054b50, LOCATOR = 0x07064b50, END64 = 0x06064b50,
                      ENTRY = 0x02014b50, LOCAL = 0x04034b50;
static const int64_t MOST_DIRECTORY = (int64_t)64 << 20;

typedef struct {
    int file;
    int64_t size;
    const char *path;
} archive;

static uint64_t number(const unsigned char *at, int bytes)
{
    uint64_t value = 0;
    for (int i = bytes - 1; i >= 0; i--) {
        value = value << 8 | at[i];
    }
    return value;
}

static halo_status fail_damaged(const archive *a, const char *defect)
{
    return halo_fail(HALO_FORMAT,
                     "%s: the archive is damaged: %s; copy it again, or save it again with "
                     "numpy.savez",
                     a->path, defect);
}

/* Exactly `bytes` bytes, which must be in the file. */
static halo_status read_at(const archive *a, int64_t at, void *out, int64_t bytes)
{
    if (at < 0 || bytes > a->size || at > a->size - bytes) {
        return fail_damaged(a, "it ends too early");
    }
    int64_t got = halo_read_at(a->file, out, (size_t)bytes, at);
    if (got < 0) {
        return halo_fail(HALO_FILE, "%s: cannot be read: %s", a->path, strerror(errno));
    }
    return got == bytes ? HALO_OK : fail_damaged(a, "it ends too early");
}

/* ---- where the directory is ------------------------------------------------------------------ */

typedef struct {
    int64_t offset, bytes;
} extent;

/* Behind the record of the end there is a comment of the length that it says. */
static halo_status find_end(const archive *a, unsigned char *end, int64_t *at)
{
    unsigned char *tail;
    int64_t most = END_BYTES + COMMENT_BYTES, bytes = a->size < most ? a->size : most;
    halo_status status = HALO_ALLOCATE(tail, bytes, "the end of an archive");
    status = status == HALO_OK ? read_at(a, a->size - bytes, tail, bytes) : status;
    *at = -1;
    for (int64_t i = bytes - END_BYTES; status == HALO_OK && i >= 0 && *at < 0; i--) {
        if (number(tail + i, 4) == END &&
            (int64_t)number(tail + i + 20, 2) <= bytes - END_BYTES - i) {
            *at = a->size - bytes + i;
            memcpy(end, tail + i, END_BYTES);
        }
    }
    free(tail);
    return status != HALO_OK ? status
           : *at >= 0        ? HALO_OK
                             : fail_damaged(a, "it has no directory at its end");
}

static halo_status find_directory(const archive *a, extent *out)
{
    unsigned char end[END_BYTES], locator[LOCATOR_BYTES], end64[END64_BYTES];
    int64_t at;
    HALO_TRY(find_end(a, end, &at));
    uint64_t bytes = number(end + 12, 4), offset = number(end + 16, 4);
    if (at >= LOCATOR_BYTES) {
        HALO_TRY(read_at(a, at - LOCATOR_BYTES, locator, LOCATOR_BYTES));
        if (number(locator, 4) == LOCATOR) {
            uint64_t place = number(locator + 8, 8);
            HALO_TRY(place <= INT64_MAX ? read_at(a, (int64_t)place, end64, END64_BYTES)
                                        : fail_damaged(a, "its directory is not in it"));
            bytes = number(end64 + 40, 8);
            offset = number(end64 + 48, 8);
            HALO_TRY(number(end64, 4) == END64 ? HALO_OK
                                               : fail_damaged(a, "its directory is not found"));
        }
    }
    if (offset > (uint64_t)at || bytes > (uint64_t)at - offset) {
        return fail_damaged(a, "its directory is not in it");
    }
    if (bytes > (uint64_t)MOST_DIRECTORY) {
        return fail_damaged(a, "its directory has more than 64 MiB");
    }
    *out = (extent){.offset = (int64_t)offset, .bytes = (int64_t)bytes};
    return HALO_OK;
}

/* ---- its entries ----------------------------------------------------------------------------- */

/* A number of 32 bits, or, where these are all ones, the next of 64 in the entry's extra field. */
static bool wide_number(const unsigned char *entry, int at, const unsigned char **next,
                        const unsigned char *end, int64_t *out)
{
    uint64_t value = number(entry + at, 4);
    if (value == UINT32_MAX && end - *next >= 8) {
        value = number(*next, 8);
        *next += 8;
    }
    *out = (int64_t)value;
    return value <= INT64_MAX;
}

static bool parse_entry(const unsigned char *entry, halo_archive_member *member)
{
    size_t name = (size_t)number(entry + 28, 2), extra = (size_t)number(entry + 30, 2);
    size_t kept = name < HALO_ARCHIVE_NAME ? name : HALO_ARCHIVE_NAME - 1;
    const unsigned char *at = entry + ENTRY_BYTES + name, *end = at + extra, *wide = end,
                        *wide_end = end;
    while (end - at >= 4) {
        ptrdiff_t bytes = (ptrdiff_t)number(at + 2, 2);
        bool fits = bytes <= end - at - 4;
        if (fits && number(at, 2) == EXTRA64) {
            wide = at + 4;
            wide_end = wide + bytes;
        }
        at = fits ? at + 4 + bytes : end;
    }
    *member = (halo_archive_member){.method = (int)number(entry + 10, 2),
                                    .encrypted = (number(entry + 8, 2) & FLAG_ENCRYPTED) != 0,
                                    .crc = (uint32_t)number(entry + 16, 4)};
    memcpy(member->name, entry + ENTRY_BYTES, kept);
    return wide_number(entry, 24, &wide, wide_end, &member->bytes) &&
           wide_number(entry, 20, &wide, wide_end, &member->packed) &&
           wide_number(entry, 42, &wide, wide_end, &member->header);
}

static halo_status list_entries(const archive *a, const unsigned char *directory, int64_t bytes,
                                halo_archive_take *take, void *context)
{
    for (int64_t at = 0, next; at < bytes; at = next) {
        halo_archive_member member;
        const unsigned char *entry = directory + at;
        if (bytes - at < ENTRY_BYTES || number(entry, 4) != ENTRY) {
            return fail_damaged(a, "its directory cannot be read");
        }
        next = at + ENTRY_BYTES + (int64_t)number(entry + 28, 2) + (int64_t)number(entry + 30, 2) +
               (int64_t)number(entry + 32, 2);
        if (next > bytes || !parse_entry(entry, &member)) {
            return fail_damaged(a, "its directory cannot be read");
        }
        HALO_TRY(take(context, &member));
    }
    return HALO_OK;
}

halo_status halo_archive_list(int file, int64_t size, const char *path, halo_archive_take *take,
                              void *context)
{
    const archive a = {.file = file, .size = size, .path = path};
    extent where = {0, 0};
    unsigned char *directory;
    HALO_TRY(find_directory(&a, &where));
    HALO_TRY(HALO_ALLOCATE(directory, where.bytes + 1, "the directory of an archive"));
    halo_status status = read_at(&a, where.offset, directory, where.bytes);
    if (status == HALO_OK) {
        status = list_entries(&a, directory, where.bytes, take, context);
    }
    free(directory);
    return status;
}

halo_status halo_archive_find(int file, int64_t size, const char *path,
                              const halo_archive_member *member, int64_t *offset)
{
    const archive a = {.file = file, .size = size, .path = path};
    unsigned char local[LOCAL_BYTES];
    HALO_TRY(read_at(&a, member->header, local, LOCAL_BYTES));
    if (number(local, 4) != LOCAL) {
        return fail_damaged(&a, "a member is not where its directory says");
    }
    *offset = member->header + LOCAL_BYTES + (int64_t)number(local + 26, 2) +
              (int64_t)number(local + 28, 2);
    return *offset <= size && member->packed <= size - *offset
               ? HALO_OK
               : fail_damaged(&a, "a member ends behind the file");
}
