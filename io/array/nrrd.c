#include "io/array/format.h"
#include "io/image/content.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* NRRD's text (teem's definition of the format, version 4): sizes with the fastest axis first. */

enum { AXES = 3, TEXT = 256 };

/* "(1,0,0)" */
static halo_status put_vector(halo_buffer *out, const double *numbers, double factor, int count)
{
    for (int i = 0; i < count; i++) {
        char text[32];
        snprintf(text, sizeof text, "%s%.15g", i > 0 ? "," : "(", numbers[i] * factor + 0.);
        HALO_TRY(halo_array_put_text(out, text));
    }
    return halo_array_put_text(out, ")");
}

/* "KEY: "mm" "mm"" behind `before`, if the unit is known. */
static halo_status put_units(halo_buffer *out, const char *key, const char *before,
                             halo_length unit, int count)
{
    char text[32];
    if (unit == HALO_LENGTH_UNKNOWN) {
        return HALO_OK;
    }
    snprintf(text, sizeof text, " \"%s\"", halo_length_name(unit));
    HALO_TRY(halo_array_put_text(out, key));
    HALO_TRY(halo_array_put_text(out, before));
    for (int i = 0; i < count; i++) {
        HALO_TRY(halo_array_put_text(out, text));
    }
    return halo_array_put_text(out, "\n");
}

/* `pixels`: the first axis has the numbers of a pixel. */
static halo_status put_place(halo_buffer *out, const halo_image_geometry *g, int axes, bool pixels)
{
    bool patient = g->anatomical && axes == AXES;
    HALO_TRY(halo_array_put_text(out, patient     ? "space: left-posterior-superior\n"
                                      : axes == 2 ? "space dimension: 2\n"
                                                  : "space dimension: 3\n"));
    HALO_TRY(halo_array_put_text(out, pixels ? "space directions: none" : "space directions:"));
    for (int axis = 0; axis < axes; axis++) {
        HALO_TRY(halo_array_put_text(out, " "));
        HALO_TRY(put_vector(out, g->direction[axis], halo_geometry_spacing(g, axis), axes));
    }
    HALO_TRY(halo_array_put_text(out, "\nspace origin: "));
    HALO_TRY(put_vector(out, g->origin, 1, axes));
    HALO_TRY(halo_array_put_text(out, "\n"));
    return put_units(out, "space units:", "", g->unit, axes);
}

/* "spacings: 1 2 3" */
static halo_status put_spacings(halo_buffer *out, const halo_image_geometry *g, int axes,
                                bool pixels)
{
    HALO_TRY(halo_array_put_text(out, pixels ? "spacings: nan" : "spacings:"));
    for (int axis = 0; axis < axes; axis++) {
        char text[32];
        snprintf(text, sizeof text, " %.15g", halo_geometry_spacing(g, axis));
        HALO_TRY(halo_array_put_text(out, text));
    }
    HALO_TRY(halo_array_put_text(out, "\n"));
    return put_units(out, "units:", pixels ? " \"\"" : "", g->unit, axes);
}

static halo_status put_head(halo_buffer *out, const halo_array_file *file, int64_t stream)
{
    const halo_npy_header *header = file->header;
    const halo_array_about *about = file->about;
    char text[TEXT], planes[32] = "", channels[32] = "";
    const halo_image_geometry *g = &about->geometry;
    int axes = halo_array_space(header);
    bool placed = g->placed && (axes == AXES || halo_geometry_is_flat(g)),
         pixels = halo_array_has_pixels(header);
    if (axes == AXES) {
        snprintf(planes, sizeof planes, " %" PRId64, header->planes);
    }
    if (pixels) {
        snprintf(channels, sizeof channels, " %" PRId64, header->pixel);
    }
    snprintf(text, sizeof text,
             "NRRD0004\ntype: %s\ndimension: %d\nsizes:%s %" PRId64 " %" PRId64 "%s\nendian: %s\n",
             halo_text_type_name(halo_nrrd_types, header->type), halo_array_axes(header), channels,
             halo_array_columns(header), halo_array_plane_rows(header), planes,
             __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? "big" : "little");
    HALO_TRY(halo_array_put_text(out, text));
    HALO_TRY(pixels ? halo_array_put_text(out, "kinds: vector domain domain\n") : HALO_OK);
    HALO_TRY(about->labels ? halo_array_put_text(out, "content: " HALO_CONTENT_LABELS "\n")
                           : HALO_OK);
    if (placed) {
        HALO_TRY(put_place(out, g, axes, pixels));
    } else if (halo_geometry_is_spaced(g)) {
        HALO_TRY(put_spacings(out, g, axes, pixels));
    }
    return halo_array_put_text(out, stream >= 0 ? "encoding: gzip\n\n" : "encoding: raw\n\n");
}

const halo_array_format halo_array_format_nrrd = {
    .name = "NRRD",
    .types = HALO_ARRAY_ALL_BUT_LINES,
    .tells = HALO_ARRAY_TELLS_PLACE | HALO_ARRAY_TELLS_UNIT,
    .write = {[HALO_ARRAY_PACKING_NONE] = halo_array_rows_write,
              [HALO_ARRAY_PACKING_DEFLATE] = halo_array_stream_write},
    .head = put_head,
    .gzip = true};
