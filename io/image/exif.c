#include "io/image/exif.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* EXIF data are a TIFF directory. Only the orientation is looked for, and whatever is damaged is as
 * good as absent: it says nothing of the pixels. */

enum { HEAD_BYTES = 8, ENTRY_BYTES = 12, ORIENTATION = 274 };

static uint32_t number(const unsigned char *at, int bytes, bool big)
{
    uint32_t value = 0;
    for (int i = 0; i < bytes; i++) {
        value |= (uint32_t)at[i] << 8 * (big ? bytes - 1 - i : i);
    }
    return value;
}

static int orientation_of(const unsigned char *entry, bool big)
{
    enum { BYTE = 1, SHORT = 3, LONG = 4 };
    uint32_t type = number(entry + 2, 2, big), count = number(entry + 4, 4, big);
    int bytes = type == BYTE ? 1 : type == SHORT ? 2 : type == LONG ? 4 : 0;
    uint32_t value = count == 1 ? number(entry + 8, bytes, big) : 0;
    return value >= 1 && value <= HALO_ORIENTATIONS ? (int)value : HALO_ORIENTATION_STORED;
}

int halo_exif_orientation(const unsigned char *bytes, size_t count)
{
    enum { MARK_BYTES = 6 }; /* of which the last one is not 0 everywhere */
    if (count >= MARK_BYTES && memcmp(bytes, "Exif", sizeof "Exif") == 0) {
        bytes += MARK_BYTES;
        count -= MARK_BYTES;
    }
    bool big = count >= HEAD_BYTES && memcmp(bytes, "MM\0*", 4) == 0;
    if (count < HEAD_BYTES || (!big && memcmp(bytes, "II*\0", 4) != 0)) {
        return HALO_ORIENTATION_STORED;
    }
    size_t at = number(bytes + 4, 4, big);
    if (at > count - 2) {
        return HALO_ORIENTATION_STORED;
    }
    uint32_t entries = number(bytes + at, 2, big);
    at += 2;
    for (uint32_t i = 0; i < entries && count - at >= ENTRY_BYTES; i++, at += ENTRY_BYTES) {
        if (number(bytes + at, 2, big) == ORIENTATION) {
            return orientation_of(bytes + at, big);
        }
    }
    return HALO_ORIENTATION_STORED;
}
