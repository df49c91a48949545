#ifndef HALOBEAT_IO_SOURCE_SOURCE_H
#define HALOBEAT_IO_SOURCE_SOURCE_H

#include "base/memory.h"

#include <stdbool.h>

/* Bytes from a file, packed with gzip or not, or from memory. What the readers of pictures and
 * patterns share; everything is local. */

typedef struct {
    char *name;                 /* for messages */
    void *file;                 /* zlib's gzFile, or NULL for memory */
    unsigned char *buffer;      /* what has been read from the file */
    halo_buffer held;           /* all of what came from a pipe that is read twice */
    const unsigned char *bytes; /* the bytes at hand: the buffer, or all of the memory */
    const unsigned char *at;    /* the next one */
    const unsigned char *end;
    int64_t size;       /* of the whole file in bytes, packed or not; INT64_MAX for a pipe */
    int64_t before;     /* bytes in front of those at hand */
    int64_t line;       /* of a text: the line that `at` is in, from 1 */
    int64_t line_start; /* byte of the text where it starts */
    bool ended;         /* more was asked for than there was */
    int error;          /* errno of a failed read, or 0 */
    halo_status status; /* of a failed read; the message is then the last one */
} halo_source;

/* The file `name`, standard input for "-", or, if `data` is not NULL, these `bytes` bytes, which
 * stay the caller's. `twice`: it can be rewound. HALO_FILE, HALO_MEMORY; to be closed in any case.
 */
halo_status halo_source_open(halo_source *source, const char *name, const void *data, size_t bytes,
                             bool twice);

/* Accepts a source that was closed before. */
void halo_source_close(halo_source *source);

/* Back to the first byte. HALO_FILE. */
halo_status halo_source_rewind(halo_source *source);

/* Only right after opening: the first bytes stay to be taken, at least 64 KiB if there are as many.
 * Returns how many there are. */
size_t halo_source_peek(halo_source *source);

/* Is the file packed with gzip? */
bool halo_source_packed(const halo_source *source);

/* More bytes, when all at hand are used up; false at the end or after a failure. */
bool halo_source_refill(halo_source *source);

/* The next byte, left where it is; or -1 at the end or after a failure. */
static inline int halo_source_next(halo_source *source)
{
    return source->at < source->end || halo_source_refill(source) ? *source->at : -1;
}

/* Pass over the next byte, which is a line feed. */
static inline void halo_source_end_line(halo_source *source)
{
    source->at++;
    source->line++;
    source->line_start = source->before + (source->at - source->bytes);
}

/* At most `wanted` bytes where they lie, taken from the source; valid until the next call. Returns
 * how many: 0 only at the end, after a failure, or if `wanted` is 0. */
size_t halo_source_take(halo_source *source, size_t wanted, const unsigned char **bytes);

/* Exactly `wanted` bytes copied to `out`, or false. */
bool halo_source_read(halo_source *source, void *out, size_t wanted);

#endif
