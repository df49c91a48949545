#include "io/array/array_write.h"

#include "base/names.h"
#include "core/file/atomic.h"
#include "core/file/file.h"
#include "core/world/collect.h"
#include "io/array/array_internal.h"
#include "io/array/packer.h"
#include "io/array/zarr_folder.h"
#include "io/array/zarr_tree.h"
#include "io/npy/rows_file.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const endings[] = {".npy",  ".tif", ".tiff", ".mha", ".mhd",  ".nii", ".nii.gz",
                                      ".nrrd", ".raw", ".pgm",  ".h5",  ".hdf5", ".zarr"};
static const char *const pnm_endings[] = {".pgm", ".ppm", ".pnm"};

bool halo_array_is_one(const char *path)
{
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        if (halo_name_ends(path, endings[i])) {
            return true;
        }
    }
    return false;
}

static bool is_pnm(const char *path)
{
    for (size_t i = 0; i < sizeof pnm_endings / sizeof *pnm_endings; i++) {
        if (halo_name_ends(path, pnm_endings[i])) {
            return true;
        }
    }
    return false;
}

static bool is_hdf5(const char *path)
{
    return halo_name_ends(path, ".h5") || halo_name_ends(path, ".hdf5");
}

static bool is_zarr(const char *path)
{
    return halo_name_ends(path, ".zarr");
}

/* Formats of a text, whose samples are in another file. */
static bool is_header(const char *path)
{
    return halo_name_ends(path, ".mhd");
}

bool halo_array_is_several(const char *path)
{
    return is_zarr(path) || is_header(path);
}

static bool is_tiff(const char *path)
{
    return halo_name_ends(path, ".tif") || halo_name_ends(path, ".tiff");
}

halo_status halo_array_check_packing(const char *path, halo_array_packing packing)
{
    bool lz4 = packing == HALO_ARRAY_PACKING_LZ4;
    bool deflates = is_zarr(path) || is_tiff(path) || halo_array_is_stream(path);
    if (packing != HALO_ARRAY_PACKING_NONE && !is_zarr(path) && (lz4 || !deflates)) {
        return halo_fail(HALO_ARGUMENT,
                         lz4 ? "--compress lz4 is for FILE.zarr, and not for %s; use --compress "
                               "deflate, which is for FILE.tif, too, or leave it out"
                             : "--compress deflate is for FILE.tif, .zarr, .mha, .nrrd and "
                               ".nii.gz, and not for %s; use one of these, or leave it out",
                         path);
    }
    return lz4 ? halo_packer_load(path) : HALO_OK;
}

halo_status halo_array_check(const char *path, const halo_npy_header *header)
{
    bool colours = halo_array_channels(header) > 1;
    bool known = header->type == HALO_NPY_U8 || (header->type == HALO_NPY_U16 && !colours);
    if (halo_name_ends(path, colours ? ".pgm" : ".ppm")) {
        return halo_fail(HALO_ARGUMENT, "%s: PGM holds greys, and PPM colours; use .pnm", path);
    }
    if (is_pnm(path) && ((header->axes == 3 && !colours) || !known)) {
        return halo_fail(HALO_ARGUMENT,
                         "%s: PGM holds one plane of 8 or 16 bits; use a name ending in .npy, .tif "
                         "or .mha",
                         path);
    }
    return HALO_OK;
}

static halo_status make_pnm_head(halo_buffer *out, const halo_npy_header *header)
{
    char text[64];
    int64_t channels = halo_array_channels(header);
    int length = snprintf(text, sizeof text, "P%d\n%" PRId64 " %" PRId64 "\n%d\n",
                          channels > 1 ? 6 : 5, header->width / channels, header->height,
                          header->type == HALO_NPY_U8 ? UINT8_MAX : UINT16_MAX);
    return halo_buffer_append(out, text, (size_t)length);
}

static halo_status make_head(halo_buffer *out, const char *path, const halo_npy_header *header,
                             const halo_array_about *about)
{
    halo_buffer checked = {0};
    halo_status status = halo_npy_begin(&checked, header); /* which knows what sizes there are */
    halo_buffer_free(&checked);
    HALO_TRY(status);
    HALO_TRY(halo_array_check(path, header));
    return halo_name_ends(path, ".raw") || halo_name_ends(path, ".mhd") ? HALO_OK
           : is_hdf5(path)                 ? halo_array_hdf5_head(out, path, header, about)
           : is_pnm(path)                  ? make_pnm_head(out, header)
           : halo_name_ends(path, ".mha")  ? halo_array_meta_head(out, header, about, NULL)
           : halo_name_ends(path, ".nii")  ? halo_array_nifti_head(out, header, about)
           : halo_name_ends(path, ".nrrd") ? halo_array_nrrd_head(out, header, about)
                                           : halo_array_tiff_head(out, header, about);
}

/* ---- samples with the high byte first -------------------------------------------------------- */

typedef struct {
    const halo_rows *rows;
    int64_t width;
} swapping;

static halo_status fill_swapped(void *context, int64_t first, int64_t rows, void *out, size_t pitch)
{
    const swapping *s = context;
    HALO_TRY(s->rows->fill(s->rows->context, first, rows, out, pitch));
    for (int64_t i = 0; i < rows; i++) {
        unsigned char *row = (unsigned char *)out + (size_t)i * pitch;
        for (int64_t x = 0; x < s->width; x++) {
            uint16_t sample;
            memcpy(&sample, row + 2 * x, sizeof sample);
            row[2 * x] = (unsigned char)(sample >> 8);
            row[2 * x + 1] = (unsigned char)sample;
        }
    }
    return HALO_OK;
}

static void show_swapped(void *context, int64_t done, int64_t total)
{
    const halo_rows *rows = ((const swapping *)context)->rows;
    if (rows->progress != NULL) {
        rows->progress(rows->context, done, total);
    }
}

/* ---- a text beside the samples --------------------------------------------------------------- */

/* NAME.raw of NAME.mhd; the caller frees it. */
static halo_status name_data(char **out, const char *path)
{
    size_t length = strlen(path);
    HALO_TRY(HALO_ALLOCATE(*out, length + 1, "the name of a file"));
    memcpy(*out, path, length + 1);
    memcpy(*out + length - strlen(".raw"), ".raw", strlen(".raw"));
    return HALO_OK;
}

halo_status halo_array_files(const char *path, halo_name_take *take, void *context)
{
    char *data = NULL;
    HALO_TRY(take(context, path, is_zarr(path)));
    if (!is_header(path)) {
        return HALO_OK;
    }
    HALO_TRY(name_data(&data, path));
    halo_status status = take(context, data, false);
    free(data);
    return status;
}

static halo_status note_there(void *context, const char *path, bool folder)
{
    bool *there = context;
    struct stat about;
    bool whole = folder ? halo_zarr_tree_is_whole(path)
                        : halo_name_there(path, &about) != 0 &&
                              !(S_ISREG(about.st_mode) && about.st_size == 0);
    *there = *there && whole;
    return HALO_OK;
}

bool halo_array_is_there(const char *path)
{
    bool there = true;
    return halo_array_files(path, note_there, &there) == HALO_OK && there;
}

halo_status halo_array_check_path(halo_world *world, const char *path)
{
    char *data = NULL;
    HALO_TRY(is_zarr(path) ? halo_zarr_folder_check(world, path) : halo_file_check(world, path));
    if (!is_header(path)) {
        return HALO_OK;
    }
    halo_status status = halo_agree(world, name_data(&data, path));
    if (status == HALO_OK) {
        status = halo_file_check(world, data);
    }
    free(data);
    return status;
}

void halo_array_clean_folder(const char *target)
{
    halo_atomic_clean_folder(target);
    halo_zarr_folder_clean(target);
}

/* FILE.h5 of FILE.h5:/PATH/IN/IT. */
static halo_status name_file(char **out, const char *path)
{
    size_t length = halo_name_file(path);
    HALO_TRY(HALO_ALLOCATE(*out, length + 1, "the name of a file"));
    memcpy(*out, path, length);
    return HALO_OK;
}

/* ---------------------------------------------------------------------------------------------- */

/* The samples go to `data`, and of some formats a text about them to `path`. */
static halo_status write_rows(halo_world *world, const char *path, const char *data,
                              const halo_npy_header *header, const halo_array_about *about,
                              const int64_t *cuts, const halo_rows *rows)
{
    halo_buffer head = {0}, text = {0};
    bool apart = is_header(path);
    halo_rows_file file = {.head = &head,
                           .made = make_head(&head, path, header, about),
                           .height = header->height,
                           .beside = apart ? path : NULL,
                           .text = &text};
    if (file.made == HALO_OK && apart) {
        const char *base = strrchr(data, '/');
        file.made = halo_array_meta_head(&text, header, about, base != NULL ? base + 1 : data);
    }
    file.row_bytes = file.made == HALO_OK ? halo_npy_row_bytes(header) : 0;
    swapping s = {.rows = rows, .width = header->width};
    const halo_rows swapped = {.fill = fill_swapped, .progress = show_swapped, .context = &s};
    bool wide = is_pnm(path) && header->type == HALO_NPY_U16;
    halo_status status = halo_rows_file_write(world, data, &file, cuts, wide ? &swapped : rows);
    halo_buffer_free(&text);
    halo_buffer_free(&head);
    return status;
}

halo_status halo_array_write(halo_world *world, const char *path, const halo_npy_header *header,
                             const halo_array_about *about, const int64_t *cuts,
                             const halo_rows *rows)
{
    halo_array_about known = about != NULL ? *about : (halo_array_about){.name = NULL};
    known.name = known.name != NULL ? known.name : "samples";
    if (known.geometry.printed && !is_tiff(path)) { /* elsewhere it would become a measure */
        known.geometry = (halo_image_geometry){.unit = HALO_LENGTH_UNKNOWN};
    }
    int axes = header->axes == 3 && header->pixel == 0 ? 3 : 2;
    if (known.geometry.assumed && !halo_geometry_measures(&known.geometry, axes)) {
        known.geometry.unit = HALO_LENGTH_UNKNOWN; /* which nobody knows */
    }
    if (halo_name_ends(path, ".npy")) {
        return halo_npy_write(world, path, header, cuts, rows);
    }
    if (is_zarr(path)) {
        return halo_array_zarr_write(world, path, header, &known, cuts, rows);
    }
    if (is_tiff(path) && known.packing == HALO_ARRAY_PACKING_DEFLATE) {
        return halo_array_tiff_write(world, path, header, &known, cuts, rows);
    }
    bool always = halo_name_ends(path, ".nii.gz");
    if (always || (halo_array_is_stream(path) && known.packing == HALO_ARRAY_PACKING_DEFLATE)) {
        known.packing = HALO_ARRAY_PACKING_DEFLATE;
        return halo_array_stream_write(world, path, header, &known, cuts, rows);
    }
    char *data = NULL;
    halo_status status =
        halo_agree(world, is_header(path) ? name_data(&data, path) : name_file(&data, path));
    if (status == HALO_OK) {
        status = write_rows(world, path, data, header, &known, cuts, rows);
    }
    free(data);
    return status;
}
