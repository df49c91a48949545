#ifndef HALOBEAT_IO_SOURCE_SOURCE_H
#define HALOBEAT_IO_SOURCE_SOURCE_H

#include "base/memory.h"

#include <stdbool.h>

/* Input bytes from a file, possibly compressed by gzip, or from memory, for the readers of images
 * and patterns. Everything is local. */

typedef struct {
    char *name;                 /* for messages */
    void *file;                 /* zlib's gzFile, or NULL for memory */
    unsigned char *buffer;      /* bytes read from the file */
    halo_buffer held;           /* all bytes of a pipe that is read twice */
    const unsigned char *bytes; /* current bytes: the buffer, or all of the memory */
    const unsigned char *at;    /* the next byte */
    const unsigned char *end;
    int64_t size;       /* bytes of the file as stored; INT64_MAX for a pipe */
    int64_t before;     /* bytes before the current ones */
    int64_t line;       /* in a text: the line of `at`, from 1 */
    int64_t line_start; /* offset at which that line starts */
    bool text;          /* of halo_source_begin_text */
    bool carriage;      /* in a text: the bytes so far end with a carriage return */
    bool ended;         /* more bytes were requested than there are */
    int error;          /* errno of a failed read, or 0 */
    halo_status status; /* of a failed read, whose message is then the last one */
} halo_source;

/* Opens the file `name`, standard input for "-", or if `data` is not NULL the [bytes] in memory,
 * which are owned by the caller. `twice`: it can be rewound. HALO_FILE, HALO_MEMORY; close it in
 * any case. */
halo_status halo_source_open(halo_source *source, const char *name, const void *data, size_t bytes,
                             bool twice);

/* Closes the source. Accepts a source that was closed before. */
void halo_source_close(halo_source *source);

/* Returns to the first byte. HALO_FILE. */
halo_status halo_source_rewind(halo_source *source);

/* Directly after opening: reads the first bytes, at least 64 KiB if there are as many, without
 * taking them. Returns their number. */
size_t halo_source_peek(halo_source *source);

/* Before the first byte is taken, and after halo_source_peek if need be: reads the source as text.
 * A byte order mark is skipped, and lines end with a line feed, whatever they end with in the file
 * (base/text.h). HALO_FORMAT for UTF-16; HALO_MEMORY, HALO_FILE. */
halo_status halo_source_begin_text(halo_source *source);

/* True if the file is compressed by gzip. */
bool halo_source_packed(const halo_source *source);

/* Reads more bytes, when all current ones are taken; false at the end or after a failure. */
bool halo_source_refill(halo_source *source);

/* The next byte, without taking it; -1 at the end or after a failure. */
static inline int halo_source_next(halo_source *source)
{
    return source->at < source->end || halo_source_refill(source) ? *source->at : -1;
}

/* Takes the next byte, which must be a line feed. */
static inline void halo_source_end_line(halo_source *source)
{
    source->at++;
    source->line++;
    source->line_start = source->before + (source->at - source->bytes);
}

/* Takes at most `wanted` bytes; *bytes is valid until the next call. Returns their number: 0 only
 * at the end, after a failure, or if `wanted` is 0. */
size_t halo_source_take(halo_source *source, size_t wanted, const unsigned char **bytes);

/* Copies exactly `wanted` bytes to `out`; false if there are not as many. */
bool halo_source_read(halo_source *source, void *out, size_t wanted);

#endif
