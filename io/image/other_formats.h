#ifndef HALOBEAT_IO_IMAGE_OTHER_FORMATS_H
#define HALOBEAT_IO_IMAGE_OTHER_FORMATS_H

#include <stdbool.h>
#include <stddef.h>

/* Files that people hand in for an image and that are not read, recognised by their first bytes. */
typedef struct {
    size_t offset; /* of these bytes */
    const char *bytes;
    size_t count;
    const char *name;   /* "a GIF image" */
    const char *remedy; /* the command that converts it, or what else to do */
} halo_other_format;

/* Local, pure. The format of a file that begins with these bytes; NULL for an unknown one. */
const halo_other_format *halo_find_other_format(const void *bytes, size_t count);

/* Local. Writes the name of the header that is there beside a file of samples without one, such as
 * brain.hdr beside brain.img, to `header` [size]. False if there is none. */
bool halo_find_header(const char *path, char *header, size_t size);

#endif
