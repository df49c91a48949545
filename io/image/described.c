#include "base/memory.h"
#include "base/standard.h"
#include "io/image/image_internal.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>

/* Headers over samples that lie one after the other, behind them or in another file. */

bool halo_image_big_endian(void)
{
    return __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;
}

uint64_t halo_image_number(const unsigned char *at, int bytes, bool big)
{
    uint64_t value = 0;
    for (int i = 0; i < bytes; i++) {
        value = value << 8 | at[big ? i : bytes - 1 - i];
    }
    return value;
}

int64_t halo_image_signed(const unsigned char *at, int bytes, bool big)
{
    int unused = 64 - 8 * bytes;
    return (int64_t)(halo_image_number(at, bytes, big) << unused) >> unused;
}

double halo_image_real(const unsigned char *at, int bytes, bool big)
{
    uint64_t bits = halo_image_number(at, bytes, big);
    uint32_t low = (uint32_t)bits;
    float small;
    double large;
    memcpy(&small, &low, sizeof small);
    memcpy(&large, &bits, sizeof large);
    return bytes == (int)sizeof small ? (double)small : large;
}

halo_status halo_image_fail_field(const halo_image_reader *reader, const char *field,
                                  const char *value, const char *remedy)
{
    return halo_fail(HALO_FORMAT, "%s: the header's %s is \"%.60s\"; %s", reader->path, field,
                     value, remedy);
}

static halo_status check_axes(const halo_image_reader *reader, const halo_image_described *d)
{
    if (d->axes < 2 || d->axes > HALO_IMAGE_MAX_AXES) {
        return halo_fail(HALO_FORMAT, "%s: the header tells of %d axes; 2 and 3 can be read",
                         reader->path, d->axes);
    }
    for (int i = 3; i < d->axes; i++) {
        if (d->sizes[i] != 1) {
            return halo_fail(HALO_FORMAT,
                             "%s: %d axes, of which number %d has %" PRId64 " samples; 2 and 3 "
                             "axes can be read: save one of these volumes",
                             reader->path, d->axes, i + 1, d->sizes[i]);
        }
    }
    if (d->channels != 1 && d->channels != 3 && d->channels != 4) {
        return halo_fail(HALO_FORMAT,
                         "%s: every pixel has %d samples; 1, 3 (red, green, blue) and 4 can be "
                         "read: save one of them",
                         reader->path, d->channels);
    }
    return HALO_OK;
}

/* Names are relative to the folder of the header. */
static halo_status name_data(halo_image_reader *reader, const char *name)
{
    const char *slash = strrchr(reader->path, '/');
    size_t folder = *name == '/' || slash == NULL ? 0 : (size_t)(slash - reader->path) + 1;
    size_t length = strlen(name) + 1;
    HALO_TRY(HALO_ALLOCATE(reader->data_path, folder + length, "the name of a file"));
    memcpy(reader->data_path, reader->path, folder);
    memcpy(reader->data_path + folder, name, length);
    return HALO_OK;
}

static halo_status open_data(halo_image_reader *reader, const char *name)
{
    if (halo_is_standard(reader->path)) {
        return halo_fail(HALO_FORMAT,
                         "%s: the header's samples are in another file, %s; give the header by "
                         "its name, so that it can be found",
                         reader->path, name);
    }
    struct stat about;
    HALO_TRY(name_data(reader, name));
    int failed = stat(reader->data_path, &about) != 0 ? errno : 0;
    if (failed != 0 || !S_ISREG(about.st_mode)) {
        return halo_fail(HALO_FILE,
                         "%s: its samples are to be in %s, which %s%s; put them there, or correct "
                         "the header",
                         reader->path, reader->data_path,
                         failed != 0 ? "cannot be opened: " : "is no plain file",
                         failed != 0 ? strerror(failed) : "");
    }
    HALO_TRY(halo_image_make_seekable(reader));
    reader->info.file_bytes = reader->data_bytes;
    return HALO_OK;
}

/* Samples are the last bytes: how many stand before them? */
static halo_status find_offset(halo_image_reader *reader)
{
    halo_image_layout *layout = &reader->layout;
    if (reader->file < 0) {
        HALO_TRY(halo_image_make_seekable(reader));
    }
    int64_t bytes = layout->row_samples * (int64_t)layout->sample_bytes * reader->info.rows;
    layout->offset = reader->data_bytes - bytes;
    return layout->offset >= 0 ? HALO_OK : halo_image_fail_ended(reader, 0);
}

static void set_geometry(halo_image_info *info, const halo_image_described *d)
{
    info->geometry = d->geometry;
    for (int axis = 0; axis < 3 && !halo_geometry_is_spaced(&d->geometry); axis++) {
        info->geometry.spacing[axis] = d->spacing[axis];
    }
}

halo_status halo_image_start_described(halo_image_reader *reader,
                                       const halo_image_described *described)
{
    halo_image_described d = *described;
    d.channels = d.channels == 0 ? 1 : d.channels;
    HALO_TRY(check_axes(reader, &d));
    size_t bytes = d.halves ? sizeof(uint16_t) : halo_image_types[d.type].bytes;
    halo_image_set_samples(reader, d.type, d.channels);
    HALO_TRY(halo_image_set_size(reader, d.axes > 2 ? d.sizes[2] : 0, d.sizes[1], d.sizes[0]));
    if (d.axes > 2 && d.sizes[2] < 1) {
        return halo_fail(HALO_FORMAT, "%s: the header tells of no planes; 1 or more can be read",
                         reader->path);
    }
    set_geometry(&reader->info, &d);
    reader->layout = (halo_image_layout){.offset = d.offset,
                                         .row_samples = d.sizes[0] * d.channels,
                                         .sample_bytes = bytes,
                                         .halves = d.halves,
                                         .swapped = d.swapped && bytes > 1};
    if (d.data[0] != '\0') {
        HALO_TRY(open_data(reader, d.data));
    }
    if (d.offset < 0) {
        HALO_TRY(find_offset(reader));
    }
    return halo_image_raw_start(reader);
}

halo_status halo_image_described_files(halo_image_reader *reader, halo_name_take *take,
                                       void *context)
{
    (void)reader->format->open(reader); /* which names them before it can fail for them */
    return reader->data_path != NULL ? take(context, reader->data_path, false) : HALO_OK;
}
