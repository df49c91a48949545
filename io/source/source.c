#define _DEFAULT_SOURCE
#include "io/source/source.h"

#include "base/memory.h"
#include "base/standard.h"
#include "base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

/* zlib takes three times PACKED_BYTES, on every rank that opens the file. */
enum { BUFFER_BYTES = 1 << 20, PEEK_BYTES = 1 << 16, PACKED_BYTES = 1 << 15 };

static void start(halo_source *source)
{
    source->at = source->end = source->bytes;
    source->before = 0;
    source->line = 1;
    source->line_start = 0;
}

/* Up to `room` bytes as they are in the file; 0 at the end and after a failure. */
static size_t pull_bytes(halo_source *source, void *out, unsigned room)
{
    if (source->file == NULL || source->status != HALO_OK) {
        return 0;
    }
    errno = 0;
    int got = gzread(source->file, out, room);
    int code = Z_OK;
    const char *reason = gzerror(source->file, &code);
    if (got < 0 || code == Z_BUF_ERROR) {
        bool system = code == Z_ERRNO;
        source->error = errno;
        source->status = halo_fail(system ? HALO_FILE : HALO_FORMAT, "%s: cannot be read on: %s%s",
                                   source->name, system ? strerror(errno) : reason,
                                   system ? "" : "; copy the packed file or make it again");
    }
    return got < 0 ? 0 : (size_t)got;
}

/* As pull_bytes, for a text with lines that end with a line feed. */
static size_t pull(halo_source *source, void *out, unsigned room)
{
    size_t got, kept;
    do { /* a line feed behind a carriage return may be all that came */
        got = kept = pull_bytes(source, out, room);
        if (source->text) {
            kept = halo_text_end_lines(out, got, &source->carriage);
        }
    } while (got > 0 && kept == 0);
    return kept;
}

/* A pipe cannot be rewound: keep what comes from it. */
static halo_status hold(halo_source *source)
{
    size_t got = 1;
    while (got > 0) {
        HALO_TRY(halo_buffer_reserve(&source->held, BUFFER_BYTES));
        got = pull(source, source->held.data + source->held.size, BUFFER_BYTES);
        source->held.size += got;
    }
    HALO_TRY(source->status);
    gzclose_r(source->file);
    source->file = NULL;
    source->bytes = source->held.data;
    start(source);
    source->end = source->bytes + source->held.size;
    return HALO_OK;
}

static halo_status prepare(halo_source *source, int descriptor, bool twice)
{
    struct stat about;
    if (fstat(descriptor, &about) != 0) {
        return halo_fail(HALO_FILE, "%s: cannot be read: %s", source->name, strerror(errno));
    }
    if (S_ISDIR(about.st_mode)) {
        return halo_fail(HALO_FILE, "%s: is a directory; name a file inside it", source->name);
    }
    bool pipe = !S_ISREG(about.st_mode);
    source->size = pipe ? INT64_MAX : (int64_t)about.st_size;
    source->buffer = malloc(BUFFER_BYTES); /* zeroes would take longer than a small file */
    if (source->buffer == NULL) {
        return halo_fail(HALO_MEMORY, "%s: out of memory: cannot be read", source->name);
    }
    source->bytes = source->buffer;
    start(source);
    return pipe && twice ? hold(source) : HALO_OK;
}

static halo_status open_file(halo_source *source, bool twice)
{
    bool standard = halo_is_standard(source->name);
    int descriptor = open(standard ? HALO_STANDARD_INPUT : source->name, O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) {
        const char *remedy = errno == ENOENT   ? "; check the name"
                             : errno == EACCES ? "; ask for the right to read it"
                                               : "";
        return halo_fail(HALO_FILE, "%s: cannot be opened: %s%s", source->name, strerror(errno),
                         remedy);
    }
    source->file = gzdopen(descriptor, "rb");
    if (source->file == NULL) {
        close(descriptor);
        return halo_fail(HALO_MEMORY, "%s: out of memory: cannot be opened", source->name);
    }
    gzbuffer(source->file, PACKED_BYTES);
    return prepare(source, descriptor, twice);
}

halo_status halo_source_open(halo_source *source, const char *name, const void *data, size_t bytes,
                             bool twice)
{
    size_t length = strlen(name) + 1;
    *source = (halo_source){.bytes = data, .size = (int64_t)bytes};
    HALO_TRY(HALO_ALLOCATE(source->name, length, "the name of a file"));
    memcpy(source->name, name, length);
    if (data == NULL) {
        return open_file(source, twice);
    }
    start(source);
    source->end = source->bytes + bytes;
    return HALO_OK;
}

void halo_source_close(halo_source *source)
{
    if (source->file != NULL) {
        gzclose_r(source->file);
    }
    free(source->name);
    free(source->buffer);
    halo_buffer_free(&source->held);
    *source = (halo_source){0};
}

/* Convert the bytes read so far to text. The mark stays in the buffer, before the first byte. */
static halo_status make_text(halo_source *source)
{
    size_t there = (size_t)(source->end - source->bytes);
    HALO_TRY(halo_text_check_encoding(source->name, source->bytes, there));
    size_t mark = halo_text_mark(source->bytes, there);
    bool owned = source->file != NULL || source->held.data != NULL;
    if (!owned && memchr(source->bytes, '\r', there) != NULL) {
        HALO_TRY(halo_buffer_append(&source->held, source->bytes, there));
        source->bytes = source->held.data;
        owned = true;
    }
    if (owned && there > 0) {
        unsigned char *bytes = source->file != NULL ? source->buffer : source->held.data;
        there = halo_text_end_lines(bytes, there, &source->carriage);
    }
    source->at = source->bytes + mark;
    source->end = source->bytes + there;
    source->line_start = (int64_t)mark;
    return HALO_OK;
}

halo_status halo_source_begin_text(halo_source *source)
{
    halo_source_peek(source);
    HALO_TRY(source->status);
    source->text = true;
    source->carriage = false;
    return make_text(source);
}

halo_status halo_source_rewind(halo_source *source)
{
    bool text = source->text;
    const unsigned char *end = source->file == NULL ? source->end : source->bytes;
    source->text = source->carriage = false;
    start(source);
    source->end = end;
    if (source->file != NULL && gzrewind(source->file) != 0) {
        return halo_fail(HALO_FILE, "%s: cannot be read a second time: %s", source->name,
                         strerror(errno));
    }
    return text ? halo_source_begin_text(source) : HALO_OK;
}

size_t halo_source_peek(halo_source *source)
{
    size_t there = (size_t)(source->end - source->bytes);
    while (source->file != NULL && there < PEEK_BYTES) {
        size_t got = pull(source, source->buffer + there, (unsigned)(PEEK_BYTES - there));
        if (got == 0) {
            break;
        }
        there += got;
        source->end = source->bytes + there;
    }
    return there;
}

bool halo_source_packed(const halo_source *source)
{
    return source->file != NULL && gzdirect(source->file) == 0;
}

bool halo_source_refill(halo_source *source)
{
    if (source->file != NULL) {
        source->before += source->end - source->bytes;
        source->at = source->end = source->bytes;
        source->end += pull(source, source->buffer, BUFFER_BYTES);
    }
    source->ended = source->at == source->end;
    return !source->ended;
}

size_t halo_source_take(halo_source *source, size_t wanted, const unsigned char **bytes)
{
    if (wanted == 0 || halo_source_next(source) < 0) {
        return 0;
    }
    size_t there = (size_t)(source->end - source->at);
    size_t taken = wanted < there ? wanted : there;
    *bytes = source->at;
    source->at += taken;
    return taken;
}

bool halo_source_read(halo_source *source, void *out, size_t wanted)
{
    unsigned char *next = out;
    while (wanted > 0) {
        const unsigned char *bytes = NULL;
        size_t taken = halo_source_take(source, wanted, &bytes);
        if (taken == 0) {
            return false;
        }
        memcpy(next, bytes, taken);
        next += taken;
        wanted -= taken;
    }
    return true;
}
