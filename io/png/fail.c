#include "io/png/png_internal.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

halo_status halo_png_fail_ended(const halo_source *source, int64_t rows, int64_t height)
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

halo_status halo_png_fail_crc(const halo_source *source, const char *chunk, int length,
                              int64_t rows, int64_t height)
{
    return halo_fail(HALO_FORMAT,
                     "%s: the chunk %.*s is damaged: its CRC does not match (%" PRId64
                     " of %" PRId64 " rows could be read); copy or make the file again",
                     source->name, length, chunk, rows, height);
}

halo_status halo_png_fail_damaged(const halo_source *source, const char *defect, int64_t rows,
                                  int64_t height)
{
    return halo_fail(HALO_FORMAT,
                     "%s: the file is damaged: %s (%" PRId64 " of %" PRId64
                     " rows could be read); copy or make it again",
                     source->name, defect, rows, height);
}

halo_status halo_png_fail_checksum(const halo_source *source)
{
    return halo_fail(HALO_FORMAT,
                     "%s: the pixels are damaged: their Adler-32 checksum does not match; copy or "
                     "make the file again",
                     source->name);
}

void halo_png_warn_crc(halo_png_extras *extras, const char *chunk, int length)
{
    if (extras->warning[0] == '\0') {
        snprintf(extras->warning, sizeof extras->warning,
                 "the chunk %.*s is damaged and was left out: its CRC does not match", length,
                 chunk);
    }
}

void halo_png_warn_end(halo_png_extras *extras)
{
    if (extras->warning[0] == '\0') {
        snprintf(extras->warning, sizeof extras->warning,
                 "the file ends before its last chunk, IEND, but behind all pixels");
    }
}
