#define _GNU_SOURCE /* O_TMPFILE, fallocate */
#include "cli/tasks/job.h"

#include "base/minmax.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A text's memory, and that of all texts: above, they go to the file. */
static const size_t most_of_text = 1 << 18, most_of_all = 1 << 24;

typedef struct {
    int64_t at, bytes;
} extent;

static const char *folder(void)
{
    const char *named = getenv("TMPDIR");
    return named != NULL && named[0] != '\0' ? named : "/tmp";
}

static halo_status fail(int reason)
{
    return halo_fail(HALO_FILE,
                     "what jobs write cannot be kept in \"%s\": %s; set TMPDIR to a folder with "
                     "more room",
                     folder(), strerror(reason));
}

/* Some file systems have no files without names; then it loses its name at once. */
static halo_status open_file(output_store *store)
{
    enum { OWNER = 0600, PATH = 4096 };
    char path[PATH];
    if (store->file >= 0) {
        return HALO_OK;
    }
    store->file = open(folder(), O_TMPFILE | O_RDWR | O_CLOEXEC, OWNER);
    if (store->file < 0 && snprintf(path, sizeof path, "%s/halobeat-XXXXXX", folder()) < PATH) {
        store->file = mkostemp(path, O_CLOEXEC);
        if (store->file >= 0) {
            unlink(path);
        }
    }
    return store->file >= 0 ? HALO_OK : fail(errno);
}

static halo_status write_file(output_store *store, const unsigned char *data, size_t bytes)
{
    for (size_t done = 0; done < bytes;) {
        ssize_t written =
            pwrite(store->file, data + done, bytes - done, (off_t)(store->end + (int64_t)done));
        if (written < 0 && errno != EINTR) {
            return fail(errno);
        }
        done += written > 0 ? (size_t)written : 0;
    }
    return HALO_OK;
}

static halo_status append_file(output_store *store, stored_text *text, const void *data,
                               size_t bytes)
{
    extent next = {.at = store->end, .bytes = (int64_t)bytes};
    HALO_TRY(open_file(store));
    HALO_TRY(write_file(store, data, bytes));
    size_t count = text->extents.size / sizeof next;
    extent *last = count > 0 ? (extent *)text->extents.data + count - 1 : NULL;
    if (last != NULL && last->at + last->bytes == next.at) {
        last->bytes += next.bytes;
    } else {
        HALO_TRY(halo_buffer_append(&text->extents, &next, sizeof next));
    }
    store->end += next.bytes;
    store->used += next.bytes;
    return HALO_OK;
}

halo_status stored_text_append(output_store *store, stored_text *text, const void *data,
                               size_t bytes)
{
    if (text->extents.size == 0 && text->memory.size + bytes <= most_of_text &&
        store->held + bytes <= most_of_all) {
        HALO_TRY(halo_buffer_append(&text->memory, data, bytes));
        store->held += bytes;
    } else {
        HALO_TRY(append_file(store, text, data, bytes));
    }
    text->bytes += (int64_t)bytes;
    return HALO_OK;
}

static halo_status read_extent(const output_store *store, extent from, void *room, size_t size,
                               halo_status (*take)(void *context, const void *data, size_t bytes),
                               void *context)
{
    while (from.bytes > 0) {
        size_t wanted = (size_t)halo_min(from.bytes, (int64_t)size);
        ssize_t bytes = pread(store->file, room, wanted, (off_t)from.at);
        HALO_FAIL_IF(bytes == 0 || (bytes < 0 && errno != EINTR), HALO_FILE,
                     "what jobs have written cannot be read back: %s",
                     bytes == 0 ? "it is cut off" : strerror(errno));
        if (bytes > 0) {
            HALO_TRY(take(context, room, (size_t)bytes));
            from.at += bytes;
            from.bytes -= bytes;
        }
    }
    return HALO_OK;
}

halo_status stored_text_read(output_store *store, const stored_text *text,
                             halo_status (*take)(void *context, const void *data, size_t bytes),
                             void *context)
{
    enum { ROOM = 1 << 18 };
    char *room;
    const extent *at = (const extent *)text->extents.data;
    size_t count = text->extents.size / sizeof *at;
    if (text->memory.size > 0) {
        HALO_TRY(take(context, text->memory.data, text->memory.size));
    }
    if (count == 0) {
        return HALO_OK;
    }
    halo_status status = HALO_ALLOCATE(room, ROOM, "what jobs write");
    for (size_t i = 0; i < count && status == HALO_OK; i++) {
        status = read_extent(store, at[i], room, ROOM, take, context);
    }
    free(room);
    return status;
}

void stored_text_drop(output_store *store, stored_text *text)
{
    const extent *at = (const extent *)text->extents.data;
    for (size_t i = 0; i < text->extents.size / sizeof *at; i++) {
        store->used -= at[i].bytes;
        (void)fallocate(store->file, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, (off_t)at[i].at,
                        (off_t)at[i].bytes);
    }
    if (store->used == 0 && store->end > 0 && ftruncate(store->file, 0) == 0) {
        store->end = 0;
    }
    store->held -= text->memory.size;
    halo_buffer_free(&text->memory);
    halo_buffer_free(&text->extents);
    *text = (stored_text){0};
}

void output_store_close(output_store *store)
{
    if (store->file >= 0) {
        close(store->file);
        store->file = -1;
    }
}
