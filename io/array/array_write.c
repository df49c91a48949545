#include "io/array/array_write.h"

#include "base/names.h"
#include "core/file/atomic.h"
#include "core/file/file.h"
#include "io/array/format.h"

#include <stdlib.h>

/* ---- the files of an array ------------------------------------------------------------------- */

bool halo_array_is_several(const char *path)
{
    const halo_array_format *format = halo_array_format_of(path);
    return format != NULL && (format->folder != NULL || format->samples != NULL);
}

halo_status halo_array_check_name(const char *path)
{
    const halo_array_format *format = halo_array_format_of(path);
    return format != NULL && format->folder != NULL && format->folder->check_name != NULL
               ? format->folder->check_name(path)
               : HALO_OK;
}

halo_status halo_array_files(const char *path, halo_name_take *take, void *context)
{
    const halo_array_format *format = halo_array_format_of(path);
    char *data = NULL;
    HALO_TRY(take(context, path, format != NULL && format->folder != NULL));
    if (format == NULL || format->samples == NULL) {
        return HALO_OK;
    }
    HALO_TRY(halo_array_name_samples(&data, format, path));
    halo_status status = take(context, data, false);
    free(data);
    return status;
}

static halo_status note_there(void *context, const char *path, bool folder)
{
    bool *there = context;
    struct stat about;
    bool whole = folder ? halo_array_format_of(path)->folder->is_whole(path)
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
    const halo_array_format *format = halo_array_format_of(path);
    char *data = NULL;
    HALO_TRY(format != NULL && format->folder != NULL ? format->folder->check(world, path)
                                                      : halo_file_check(world, path));
    if (format == NULL || format->samples == NULL) {
        return HALO_OK;
    }
    halo_status status = halo_agree(world, halo_array_name_samples(&data, format, path));
    if (status == HALO_OK) {
        status = halo_file_check(world, data);
    }
    free(data);
    return status;
}

void halo_array_clean_folder(const char *target)
{
    halo_atomic_clean_folder(target);
    for (size_t i = 0; i < HALO_ARRAY_FORMATS; i++) {
        const halo_array_folder *folder = halo_array_formats[i].format->folder;
        if (folder != NULL) {
            folder->clean(target);
        }
    }
}

/* ---- writing --------------------------------------------------------------------------------- */

/* Keep the known facts about the array that the format can store. */
static halo_array_about choose_about(const halo_array_format *format, const halo_npy_header *header,
                                     const halo_array_about *about)
{
    halo_array_about known = about != NULL ? *about : (halo_array_about){.name = NULL};
    halo_image_geometry *g = &known.geometry;
    known.name = known.name != NULL ? known.name : "samples";
    known.labels = known.labels && (format->tells & HALO_ARRAY_TELLS_LABELS) != 0;
    /* Printed dots would become a measure where a format has no word for them. */
    if ((format->tells & HALO_ARRAY_TELLS_SPACING) == 0 ||
        (g->printed && (format->tells & HALO_ARRAY_TELLS_PRINTED) == 0)) {
        *g = (halo_image_geometry){.unit = HALO_LENGTH_UNKNOWN};
    }
    if (g->assumed &&
        !halo_geometry_measures(g, halo_array_shape_of(header) == HALO_ARRAY_VOLUME ? 3 : 2)) {
        g->unit = HALO_LENGTH_UNKNOWN; /* which nobody knows */
    }
    if ((format->tells & HALO_ARRAY_TELLS_GEOTIFF) == 0) {
        known.geotiff.count = 0;
    }
    return known;
}

halo_status halo_array_write(halo_world *world, const char *path, const halo_npy_header *header,
                             const halo_array_about *about, const int64_t *cuts,
                             const halo_rows *rows)
{
    const halo_array_format *format = halo_array_format_of(path);
    HALO_TRY(halo_array_check(path, header));
    const halo_array_about known = choose_about(format, header, about);
    halo_array_writer *write = format->write[known.packing];
    if (write == NULL) {
        return halo_array_check_packing(path, known.packing);
    }
    const halo_array_file file = {
        .format = format, .path = path, .header = header, .about = &known};
    return write(world, &file, cuts, rows);
}
