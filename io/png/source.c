#define _DEFAULT_SOURCE
#include "io/png/png_internal.h"

#include "base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Read rather than mapped: the pages of a mapped file would count as this process's memory. */
enum { BUFFER_BYTES = 1 << 20 };

static halo_status describe(halo_png_source *source)
{
    struct stat about;
    if (fstat(source->descriptor, &about) != 0) {
        return halo_fail(HALO_FILE, "%s: cannot be read: %s", source->name, strerror(errno));
    }
    if (S_ISDIR(about.st_mode)) {
        return halo_fail(HALO_FILE, "%s: is a directory; name a PNG file inside it", source->name);
    }
    source->size = S_ISREG(about.st_mode) ? (int64_t)about.st_size : INT64_MAX;
    HALO_TRY(HALO_ALLOCATE(source->buffer, BUFFER_BYTES, "the buffer of a file"));
    source->bytes = source->buffer;
    return HALO_OK;
}

halo_status halo_png_source_open(halo_png_source *source, const char *path)
{
    *source = (halo_png_source){.name = path};
    source->descriptor = open(path, O_RDONLY | O_CLOEXEC);
    if (source->descriptor < 0) {
        const char *remedy = errno == ENOENT   ? "; check the name"
                             : errno == EACCES ? "; ask for the right to read it"
                                               : "";
        return halo_fail(HALO_FILE, "%s: cannot be opened: %s%s", path, strerror(errno), remedy);
    }
    halo_status status = describe(source);
    if (status != HALO_OK) {
        halo_png_source_close(source);
    }
    return status;
}

void halo_png_source_open_memory(halo_png_source *source, const void *data, size_t bytes,
                                 const char *name)
{
    *source = (halo_png_source){
        .name = name, .descriptor = -1, .bytes = data, .end = bytes, .size = (int64_t)bytes};
}

void halo_png_source_close(halo_png_source *source)
{
    if (source->descriptor >= 0) {
        close(source->descriptor);
    }
    free(source->buffer);
    *source = (halo_png_source){.descriptor = -1};
}

/* More bytes behind those at hand; the caller has made room. */
static bool refill(halo_png_source *source)
{
    while (source->descriptor >= 0 && source->error == 0) {
        ssize_t got = read(source->descriptor, source->buffer + source->end,
                           (size_t)BUFFER_BYTES - source->end);
        if (got > 0) {
            source->end += (size_t)got;
            return true;
        }
        if (got == 0) {
            break;
        }
        if (errno != EINTR) {
            source->error = errno;
        }
    }
    return false;
}

size_t halo_png_source_take(halo_png_source *source, size_t wanted, const unsigned char **bytes)
{
    if (source->start == source->end && wanted > 0) {
        if (source->descriptor >= 0) {
            source->start = source->end = 0;
        }
        if (!refill(source)) {
            source->ended = true;
            return 0;
        }
    }
    size_t there = source->end - source->start;
    size_t taken = wanted < there ? wanted : there;
    *bytes = source->bytes + source->start;
    source->start += taken;
    return taken;
}

bool halo_png_source_read(halo_png_source *source, void *out, size_t wanted)
{
    unsigned char *next = out;
    while (wanted > 0) {
        const unsigned char *bytes = NULL;
        size_t taken = halo_png_source_take(source, wanted, &bytes);
        if (taken == 0) {
            return false;
        }
        memcpy(next, bytes, taken);
        next += taken;
        wanted -= taken;
    }
    return true;
}

size_t halo_png_source_peek(halo_png_source *source, size_t wanted, const unsigned char **bytes)
{
    while (source->end < wanted && refill(source)) {
    }
    *bytes = source->bytes;
    return source->end < wanted ? source->end : wanted;
}

halo_status halo_png_source_fail(const halo_png_source *source, int64_t rows, int64_t height)
{
    if (source->error != 0) {
        return halo_fail(HALO_FILE,
                         "%s: cannot be read on after %" PRId64 " of %" PRId64 " rows: %s",
                         source->name, rows, height, strerror(source->error));
    }
    return halo_fail(HALO_FORMAT,
                     "%s: the file is cut off: %" PRId64 " of %" PRId64
                     " rows could be read; copy or make it again",
                     source->name, rows, height);
}

halo_status halo_png_fail_crc(const halo_png_source *source, const char *chunk, int length,
                              int64_t rows, int64_t height)
{
    return halo_fail(HALO_FORMAT,
                     "%s: the chunk %.*s is damaged: its CRC does not match (%" PRId64
                     " of %" PRId64 " rows could be read); copy or make the file again",
                     source->name, length, chunk, rows, height);
}

halo_status halo_png_fail_damaged(const halo_png_source *source, const char *defect, int64_t rows,
                                  int64_t height)
{
    return halo_fail(HALO_FORMAT,
                     "%s: the file is damaged: %s (%" PRId64 " of %" PRId64
                     " rows could be read); copy or make it again",
                     source->name, defect, rows, height);
}

halo_status halo_png_fail_checksum(const halo_png_source *source)
{
    return halo_fail(HALO_FORMAT,
                     "%s: the pixels are damaged: their Adler-32 checksum does not match; copy or "
                     "make the file again",
                     source->name);
}
