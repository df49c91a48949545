#define _POSIX_C_SOURCE 200809L
#include "base/memory.h"
#include "base/standard.h"
#include "io/image/axes.h"
#include "io/image/packed.h"
#include "io/image/pieces.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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
    if (d->axes < 2 || d->axes + (d->channels > 1) > HALO_IMAGE_MAX_AXES) {
        return halo_fail(HALO_FORMAT, "%s: the header tells of %d axes; 2 to %d can be read",
                         reader->path, d->axes, HALO_IMAGE_MAX_AXES - (d->channels > 1));
    }
    for (int i = 0; i < d->axes; i++) {
        if (d->sizes[i] < 1) {
            return halo_fail(HALO_FORMAT,
                             "%s: the header tells of %" PRId64 " samples along axis %d; 1 or more "
                             "can be read",
                             reader->path, d->sizes[i], i + 1);
        }
    }
    return HALO_OK;
}

/* The axes of the samples, the slowest first; of as many axes as there is room for. */
static halo_image_axes list_axes(const halo_image_described *d)
{
    halo_image_axes axes = {.count = 0};
    bool grey = d->type == HALO_SAMPLE_U8 || d->type == HALO_SAMPLE_U16;
    int spaces = 0;
    for (int i = 0; i < d->axes; i++) {
        spaces += d->kinds[i] == HALO_AXIS_SERIES;
    }
    for (int i = d->axes - 1; i >= 0; i--) {
        bool space = d->kinds[i] == HALO_AXIS_SERIES && spaces-- <= 3;
        halo_axis_kind kind = space                             ? HALO_AXIS_SPACE
                              : d->kinds[i] == HALO_AXIS_SERIES ? HALO_AXIS_UNKNOWN
                                                                : d->kinds[i];
        halo_image_add_axis(&axes, kind, d->sizes[i]);
    }
    if (d->channels > 1) {
        bool coloured = grey && (d->channels == 3 || d->channels == 4);
        halo_axis_kind otherwise = coloured ? HALO_AXIS_COLOUR : HALO_AXIS_CHANNEL;
        halo_image_add_axis(&axes, d->of_samples != 0 ? d->of_samples : otherwise, d->channels);
    }
    return axes;
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

static halo_status open_data(halo_image_reader *reader, const char *name, bool encoded)
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
    if (encoded) {
        halo_source_close(&reader->source);
        HALO_TRY(halo_source_open(&reader->source, reader->data_path, NULL, 0, false));
        reader->info.file_bytes = reader->source.size;
        return HALO_OK;
    }
    HALO_TRY(halo_image_make_seekable(reader));
    reader->info.file_bytes = reader->data_bytes;
    return HALO_OK;
}

/* Compressed samples, or those of a text, begin behind `offset` bytes and `lines` lines. */
halo_status halo_image_pass_head(halo_image_reader *reader, int64_t offset, int64_t lines)
{
    const unsigned char *bytes;
    size_t left = (size_t)offset, taken = 1;
    for (; left > 0 && taken > 0; left -= taken) {
        taken = halo_source_take(&reader->source, left, &bytes);
    }
    for (int byte = 0; lines > 0 && byte >= 0; lines -= byte == '\n') {
        byte = halo_source_next(&reader->source);
        reader->source.at += byte >= 0;
    }
    return left == 0 && lines == 0 ? HALO_OK : halo_image_fail_ended(reader, 0);
}

/* Deflate makes no more than about a thousand bytes of one, and bzip2 1.3 million. */
static halo_status check_claim(const halo_image_reader *reader, const halo_image_described *d,
                               double bytes)
{
    const double most = d->encoding == HALO_IMAGE_TEXT    ? 8
                        : d->encoding == HALO_IMAGE_BZIP2 ? 1300000
                                                          : 1040;
    const double least = 65536;
    return reader->info.file_bytes < 0 || halo_source_packed(&reader->source) ||
                   bytes <= least + most * (double)reader->info.file_bytes
               ? HALO_OK
               : halo_fail(HALO_FORMAT,
                           "%s: the header claims %.0f bytes of samples, which the %" PRId64
                           " bytes of the file cannot hold; copy or make it again",
                           reader->path, bytes, reader->info.file_bytes);
}

/* From the first sample on, in order; `bytes`: of all samples. */
static halo_status start_encoded(halo_image_reader *reader, const halo_image_described *d,
                                 double bytes)
{
    HALO_TRY(check_claim(reader, d, bytes));
    HALO_TRY(halo_image_pass_head(reader, d->offset < 0 ? 0 : d->offset, d->skip_lines));
    if (d->encoding == HALO_IMAGE_DEFLATED) {
        return halo_unpacker_create(&reader->unpacker, reader);
    }
    if (d->encoding == HALO_IMAGE_BZIP2) {
        return halo_unpacker_create_bzip2(&reader->unpacker, reader);
    }
    reader->texts = true;
    reader->layout.swapped = false;
    return HALO_OK;
}

/* The offset behind the lines that are to be passed. */
halo_status halo_image_pass_lines(halo_image_reader *reader, int64_t lines, int64_t *offset)
{
    enum { BLOCK = 4096 };
    unsigned char block[BLOCK];
    int64_t at = *offset;
    if (reader->file < 0) {
        HALO_TRY(halo_image_make_seekable(reader));
    }
    while (lines > 0) {
        ssize_t got = pread(reader->file, block, sizeof block, (off_t)at);
        if (got <= 0) {
            return halo_image_fail_ended(reader, 0);
        }
        for (ssize_t i = 0; i < got && lines > 0; i++, at++) {
            lines -= block[i] == '\n';
        }
    }
    *offset = at;
    return HALO_OK;
}

static double count_samples(const halo_image_axes *axes)
{
    double count = 1;
    for (int i = 0; i < axes->count; i++) {
        count *= (double)axes->axis[i].size;
    }
    return count;
}

/* Samples are the last bytes: how many stand before them? */
static halo_status find_offset(halo_image_reader *reader, const halo_image_axes *axes, size_t bytes,
                               int64_t *offset)
{
    double all = (double)bytes * count_samples(axes);
    if (reader->file < 0) {
        HALO_TRY(halo_image_make_seekable(reader));
    }
    *offset = all <= (double)reader->data_bytes ? reader->data_bytes - (int64_t)all : -1;
    return *offset >= 0 ? HALO_OK : halo_image_fail_ended(reader, 0);
}

static void set_geometry(halo_image_info *info, const halo_image_described *d)
{
    info->geometry = d->geometry;
    for (int axis = 0; axis < 3 && !halo_geometry_is_spaced(&d->geometry); axis++) {
        info->geometry.spacing[axis] = d->spacing[axis];
    }
}

/* Samples behind the header or in one other file: sets d->offset to that of the first. */
static halo_status start_data(halo_image_reader *reader, halo_image_described *d,
                              const halo_image_axes *axes)
{
    size_t bytes = reader->layout.sample_bytes;
    bool encoded = d->encoding != HALO_IMAGE_RAW;
    if (d->data[0] != '\0') {
        HALO_TRY(open_data(reader, d->data, encoded));
    }
    if (encoded) {
        HALO_TRY(start_encoded(reader, d, (double)bytes * count_samples(axes)));
        d->offset = d->skip_bytes;
        return HALO_OK;
    }
    if (d->offset < 0) {
        return find_offset(reader, axes, bytes, &d->offset);
    }
    HALO_TRY(d->skip_lines > 0 ? halo_image_pass_lines(reader, d->skip_lines, &d->offset)
                               : HALO_OK);
    d->offset += d->skip_bytes;
    return HALO_OK;
}

halo_status halo_image_start_described(halo_image_reader *reader,
                                       const halo_image_described *described)
{
    halo_image_described d = *described;
    bool crossed = false;
    d.channels = d.channels == 0 ? 1 : d.channels;
    for (int i = 0; i < 3; i++) { /* spacings are of columns, rows, planes in this order */
        crossed = crossed || d.kinds[i] != HALO_AXIS_SERIES;
    }
    if (crossed) {
        memset(d.spacing, 0, sizeof d.spacing);
        d.geometry = (halo_image_geometry){.unit = HALO_LENGTH_UNKNOWN};
    }
    HALO_TRY(check_axes(reader, &d));
    size_t bytes = d.halves ? sizeof(uint16_t) : halo_sample_types[d.type].bytes;
    const halo_image_axes axes = list_axes(&d);
    halo_image_part part;
    HALO_TRY(halo_image_choose_part(reader, &axes, &part));
    halo_image_set_array(reader, d.type, &axes, &part);
    set_geometry(&reader->info, &d);
    reader->layout = (halo_image_layout){
        .sample_bytes = bytes, .halves = d.halves, .swapped = d.swapped && bytes > 1};
    bool several = d.listed || d.step != 0;
    HALO_TRY(several ? halo_pieces_find(reader, &d) : start_data(reader, &d, &axes));
    HALO_TRY(halo_image_lay_out(reader, &axes, &part, bytes, several ? 0 : d.offset));
    HALO_TRY(several ? halo_pieces_start(reader, &d) : HALO_OK);
    return halo_image_raw_start(reader);
}

halo_status halo_image_described_files(halo_image_reader *reader, halo_name_take *take,
                                       void *context)
{
    (void)reader->format->open(reader); /* which names them before it can fail for them */
    return reader->pieces != NULL      ? halo_pieces_each(reader, take, context)
           : reader->data_path != NULL ? take(context, reader->data_path, false)
                                       : HALO_OK;
}
