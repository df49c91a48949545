#define _POSIX_C_SOURCE 200809L
#include "io/image/packed.h"
#include "io/image/pieces.h"

#include "base/memory.h"
#include "base/option.h"
#include "base/standard.h"
#include "io/image/axes.h"
#include "io/image/made.h"
#include "io/image/turn.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { CHUNK_BYTES = 1 << 18 };

/* ---- opening --------------------------------------------------------------------------------- */

static halo_status check_memory(halo_image_reader *reader)
{
    bool picks = reader->stored > 1;
    reader->one_row = halo_image_samples_row(&reader->conversion.from, reader->info.width);
    if (reader->conversion.same && !picks) {
        return HALO_OK;
    }
    if (picks) {
        HALO_TRY(halo_memory_create(&reader->picked, reader->one_row, "a row of an image"));
        reader->one_row *= (size_t)reader->stored;
    }
    size_t bytes = reader->one_row > CHUNK_BYTES ? reader->one_row : CHUNK_BYTES;
    reader->info.buffer += (int64_t)bytes;
    return halo_memory_create(&reader->chunk, bytes, "rows of an image");
}

static void set_stamp(halo_image_reader *reader)
{
    struct stat about;
    if (stat(halo_image_place(reader), &about) == 0) {
        reader->info.changed[0] = about.st_mtim.tv_sec;
        reader->info.changed[1] = about.st_mtim.tv_nsec;
    }
}

static halo_status start(halo_image_reader *reader, const char *path, const void *data, size_t size)
{
    HALO_TRY(halo_image_take_choices(reader, path));
    HALO_TRY(halo_image_find_format(reader, data, size));
    halo_image_say_nodata(reader, "", NULL, 0); /* but for what the format will say */
    HALO_TRY(reader->format->open(reader));
    HALO_TRY(halo_image_check_choices(reader));
    halo_geometry_check(&reader->info.geometry, reader->info.axes);
    set_stamp(reader);
    if (reader->info.format[0] == '\0') { /* of a stack it is that of its slices */
        strncpy(reader->info.format, reader->format->name, HALO_IMAGE_WORD - 1);
    }
    if (reader->converted) {
        reader->conversion.same = true;
        return HALO_OK;
    }
    HALO_TRY(halo_image_choose(reader));
    HALO_TRY(halo_image_prepare_nodata(reader));
    return check_memory(reader);
}

static halo_status create(halo_image_reader **out, const halo_image_options *options)
{
    HALO_TRY(HALO_ALLOCATE(*out, 1, "a reader of images"));
    (*out)->file = (*out)->pick = -1;
    (*out)->options = *options;
    return HALO_OK;
}

static halo_status open_stored(halo_image_reader **out, const char *path, const void *data,
                               size_t size, const halo_image_options *options)
{
    HALO_TRY(create(out, options));
    halo_status status = start(*out, path, data, size);
    if (status != HALO_OK) {
        halo_image_reader_close(out);
        return status;
    }
    return (*out)->orientation > 1 && !options->as_stored ? halo_image_turn(out) : HALO_OK;
}

static halo_status open_reader(halo_image_reader **out, const char *path, const void *data,
                               size_t size, const halo_image_options *options)
{
    halo_image_options stored = *options;
    if (options->make == NULL) {
        return open_stored(out, path, data, size, options);
    }
    if (options->want != HALO_IMAGE_COLOURS) {
        stored.want = HALO_IMAGE_SAMPLES;
    }
    stored.range = (halo_sample_range){0};
    stored.make = NULL;
    stored.count_missing = false;
    HALO_TRY(open_stored(out, path, data, size, &stored));
    HALO_TRY(halo_image_make_rows(out, options));
    halo_status status = check_memory(*out);
    if (status != HALO_OK) {
        halo_image_reader_close(out);
    }
    return status;
}

halo_status halo_image_reader_open_sized(halo_image_reader **out, const char *path,
                                         const halo_image_options *given, size_t given_bytes)
{
    halo_image_options options;
    *out = NULL;
    HALO_TRY(halo_options_take(&options, sizeof options, given, given_bytes, "halo_image_options"));
    return open_reader(out, path, NULL, 0, &options);
}

halo_status halo_image_reader_open_memory_sized(halo_image_reader **out, const char *name,
                                                const void *data, size_t bytes,
                                                const halo_image_options *given, size_t given_bytes)
{
    halo_image_options options;
    *out = NULL;
    HALO_TRY(halo_options_take(&options, sizeof options, given, given_bytes, "halo_image_options"));
    return open_reader(out, name, data, bytes, &options);
}

/* Only regular files are opened: others may block, or can be read only once. */
static bool can_look(const halo_image_reader *reader)
{
    struct stat there;
    return !halo_is_standard(reader->path) && stat(reader->path, &there) == 0 &&
           S_ISREG(there.st_mode);
}

static halo_status list_files(halo_image_reader *reader, halo_name_take *take, void *context)
{
    reader->format = halo_image_find_claimed(reader);
    if (reader->format == NULL && can_look(reader)) {
        (void)halo_image_find_by_content(reader, NULL, 0);
    }
    return reader->format != NULL && reader->format->files != NULL
               ? reader->format->files(reader, take, context)
               : HALO_OK;
}

halo_status halo_image_files_sized(const char *path, const halo_image_options *given,
                                   halo_name_take *take, void *context, size_t given_bytes)
{
    halo_image_options options;
    halo_image_reader *reader = NULL;
    halo_status status =
        halo_options_take(&options, sizeof options, given, given_bytes, "halo_image_options");
    HALO_IF_OK(status, create(&reader, &options));
    HALO_IF_OK(status, halo_image_take_choices(reader, path));
    HALO_IF_OK(status, list_files(reader, take, context));
    halo_image_reader_close(&reader);
    return status;
}

const halo_image_info *halo_image_reader_info(const halo_image_reader *reader)
{
    return &reader->info;
}

int64_t halo_image_reader_clear(const halo_image_reader *reader)
{
    return reader->clear;
}

int64_t halo_image_reader_missing(const halo_image_reader *reader)
{
    return reader->missing;
}

const char *halo_image_reader_warning(const halo_image_reader *reader)
{
    return reader->warning;
}

static void keep_warning(char kept[HALO_IMAGE_WARNING], const char *defect)
{
    if (kept[0] == '\0') {
        snprintf(kept, HALO_IMAGE_WARNING, "%s", defect);
    }
}

void halo_image_warn(halo_image_reader *reader, const char *defect)
{
    keep_warning(reader->warning, defect);
}

size_t halo_image_row_bytes(const halo_image_info *info)
{
    size_t width = (size_t)info->width;
    return info->pixel_bits == 1 ? (width + 63) / 64 * 8 : width * (size_t)info->pixel_bits / 8;
}

/* ---- reading --------------------------------------------------------------------------------- */

/* The sample that was chosen, of each pixel of a row. */
static void *pick_samples(const halo_image_reader *reader, const void *row)
{
    size_t bytes = halo_sample_types[reader->conversion.from.type].bytes;
    size_t pixel = bytes * (size_t)reader->stored;
    const unsigned char *from = (const unsigned char *)row + (size_t)reader->pick * bytes;
    unsigned char *to = reader->picked;
    for (int64_t x = 0; x < reader->info.width; x++, from += pixel, to += bytes) {
        memcpy(to, from, bytes);
    }
    return reader->picked;
}

static halo_status convert_row(const halo_image_reader *reader, void *row, void *out)
{
    const halo_image_conversion *conversion = &reader->conversion;
    bool has_nodata = reader->nodata_count > 0 && !reader->fills;
    if (reader->fills) {
        halo_image_fill_missing(reader, row);
    }
    if (conversion->same) {
        memcpy(out, row, halo_image_row_bytes(&reader->info));
        if (has_nodata) {
            halo_image_mark_missing(reader, out);
        }
        return HALO_OK;
    }
    if (has_nodata) {
        halo_image_find_nodata(reader, row);
    }
    HALO_TRY(conversion->convert(conversion, row, out));
    return has_nodata ? halo_image_apply_nodata(reader, out) : HALO_OK;
}

static halo_status read_converted(halo_image_reader *reader, int64_t first, int64_t rows,
                                  unsigned char *out, size_t pitch)
{
    bool counts = reader->options.count_clear && reader->info.alpha;
    int64_t step = reader->one_row < CHUNK_BYTES ? CHUNK_BYTES / (int64_t)reader->one_row : 1;
    for (int64_t done = 0; done < rows; done += step) {
        int64_t now = rows - done < step ? rows - done : step;
        HALO_TRY(reader->format->rows(reader, first + done, now, reader->chunk, reader->one_row));
        for (int64_t i = 0; i < now; i++) {
            void *row = (unsigned char *)reader->chunk + (size_t)i * reader->one_row;
            row = reader->stored > 1 ? pick_samples(reader, row) : row;
            HALO_TRY(convert_row(reader, row, out + (size_t)(done + i) * pitch));
            reader->clear += counts ? halo_image_count_clear(&reader->conversion, row) : 0;
        }
    }
    return HALO_OK;
}

static halo_status read_same(halo_image_reader *reader, int64_t first, int64_t rows,
                             unsigned char *out, size_t pitch)
{
    HALO_TRY(reader->format->rows(reader, first, rows, out, pitch));
    for (int64_t i = 0; i < rows && (reader->nodata_count > 0 || reader->fills); i++) {
        (reader->fills ? halo_image_fill_missing
                       : halo_image_mark_missing)(reader, out + (size_t)i * pitch);
    }
    return HALO_OK;
}

static void count_missing(halo_image_reader *reader, int64_t rows, const unsigned char *out,
                          size_t pitch)
{
    bool counts =
        reader->options.count_missing && reader->info.nodata.missing != HALO_MISSING_NEVER;
    for (int64_t i = 0; i < rows && counts; i++) {
        reader->missing += halo_image_find_missing(&reader->info, out + (size_t)i * pitch, NULL);
    }
}

void halo_image_reader_expect(halo_image_reader *reader, int64_t first, int64_t rows)
{
    reader->expected = first + rows;
}

halo_status halo_image_reader_rows(halo_image_reader *reader, int64_t first, int64_t rows,
                                   void *out, size_t pitch)
{
    const halo_image_info *info = &reader->info;
    bool in_order = info->random_access || first == reader->next;
    if (first < 0 || rows < 0 || first > info->rows || rows > info->rows - first || !in_order ||
        pitch < halo_image_row_bytes(info)) {
        return halo_fail(HALO_ARGUMENT,
                         "%s: asked for rows %" PRId64 " to %" PRId64 " at a pitch of %zu bytes; "
                         "there are %" PRId64 " of %zu bytes, and row %" PRId64 " is next",
                         reader->path, first, first + rows, pitch, info->rows,
                         halo_image_row_bytes(info), reader->next);
    }
    if (rows > 0) {
        bool same = reader->conversion.same && reader->stored <= 1;
        HALO_TRY((same ? read_same : read_converted)(reader, first, rows, out, pitch));
        count_missing(reader, rows, out, pitch);
    }
    reader->next = first + rows;
    return HALO_OK;
}

halo_status halo_image_reader_finish(halo_image_reader *reader)
{
    return reader->format->finish != NULL ? reader->format->finish(reader) : HALO_OK;
}

halo_status halo_image_finish_inner(halo_image_reader *inner, char warning[HALO_IMAGE_WARNING])
{
    HALO_TRY(halo_image_reader_finish(inner));
    keep_warning(warning, inner->warning);
    return HALO_OK;
}

void halo_image_reader_close(halo_image_reader **reader)
{
    if (*reader == NULL) {
        return;
    }
    if ((*reader)->format != NULL && (*reader)->format->close != NULL) {
        (*reader)->format->close(*reader);
    }
    if ((*reader)->file >= 0) {
        close((*reader)->file);
    }
    halo_unpacker_destroy(&(*reader)->unpacker);
    halo_pieces_destroy(&(*reader)->pieces);
    halo_source_close(&(*reader)->source);
    halo_memory_free((*reader)->chunk);
    halo_memory_free((*reader)->picked);
    free((*reader)->mask);
    free((*reader)->choice_text);
    halo_memory_free((*reader)->raw_chunk);
    free((*reader)->data_path);
    free((*reader)->path);
    free(*reader);
    *reader = NULL;
}
