#ifndef HALOBEAT_APP_BATCH_STAMP_H
#define HALOBEAT_APP_BATCH_STAMP_H

#include "base/status.h"
#include "io/image/image_reader.h"

#include <stdbool.h>
#include <stdint.h>

/* Which files an image was read from, as a journal keeps it: names, sizes, times and contents of
 * all of them (a header and its samples, slices, the chunks of a folder). All functions are local.
 *
 * Whether a file has changed is decided by its size and its times, of the contents and of the entry
 * in its folder; only where these differ, or are so young that a change might not show in them, it
 * is read again and its hash (XXH3, 64 bits) compared. The entry's time changes with every write
 * and cannot be set by programs, so that a copy with an old date is noticed. */

typedef struct {
    int64_t files;   /* 0: what was read is not a file, or has changed meanwhile */
    int64_t bytes;   /* of all of them */
    uint64_t about;  /* sum over files of a hash of name, size and times */
    uint64_t hash;   /* sum over files of a hash of name and contents */
    int64_t newest;  /* the latest of their times, ns since 1970 */
    int64_t checked; /* when these were read, ns since 1970 */
} batch_stamp;

/* Before an image is read: all but the hash. */
void batch_stamp_look(batch_stamp *out, const char *path, const halo_image_options *options);

/* After it was read: adds the hash, unless a file has changed since. */
void batch_stamp_finish(batch_stamp *stamp, const char *path, const halo_image_options *options);

/* True if the image at `path` has the same contents as when `before` was made. */
bool batch_stamp_holds(const batch_stamp *before, const char *path,
                       const halo_image_options *options);

#endif
