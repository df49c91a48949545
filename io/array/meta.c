#include "io/array/format.h"
#include "io/image/content.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* MetaImage's text (MetaIO, as ITK and VTK read it): sizes with the fastest axis first. */

/* "KEY = 1 2 3" */
static halo_status put_numbers(halo_buffer *out, const char *key, const double *numbers, int count)
{
    HALO_TRY(halo_array_put_text(out, key));
    HALO_TRY(halo_array_put_text(out, " ="));
    for (int i = 0; i < count; i++) {
        char text[32];
        snprintf(text, sizeof text, " %.15g", numbers[i] + 0.); /* no -0 */
        HALO_TRY(halo_array_put_text(out, text));
    }
    return halo_array_put_text(out, "\n");
}

/* Write the geometry as far as it is known. Readers take numbers for millimetres. */
static halo_status put_geometry(halo_buffer *out, const halo_image_geometry *geometry, int axes)
{
    const halo_image_geometry g = halo_geometry_in(geometry, HALO_LENGTH_MILLIMETRE);
    double spacing[3], matrix[9];
    for (int axis = 0; axis < axes; axis++) {
        spacing[axis] = halo_geometry_spacing(&g, axis);
        for (int i = 0; i < axes; i++) {
            matrix[axis * axes + i] = g.direction[axis][i];
        }
    }
    if (g.placed && (axes > 2 || halo_geometry_is_flat(&g))) {
        HALO_TRY(put_numbers(out, "TransformMatrix", matrix, axes * axes));
        HALO_TRY(put_numbers(out, "Offset", g.origin, axes));
    }
    return halo_geometry_is_spaced(&g) ? put_numbers(out, "ElementSpacing", spacing, axes)
                                       : HALO_OK;
}

/* The name of the file with the samples, relative to the text's folder. */
static halo_status put_data(halo_buffer *out, const halo_array_file *file)
{
    char *data = NULL;
    if (file->format->samples == NULL) {
        return halo_array_put_text(out, "ElementDataFile = LOCAL\n");
    }
    HALO_TRY(halo_array_name_samples(&data, file->format, file->path));
    const char *slash = strrchr(data, '/');
    halo_status status = halo_array_put_text(out, "ElementDataFile = ");
    status =
        status == HALO_OK ? halo_array_put_text(out, slash != NULL ? slash + 1 : data) : status;
    free(data);
    HALO_TRY(status);
    return halo_array_put_text(out, "\n");
}

static halo_status put_head(halo_buffer *out, const halo_array_file *file, int64_t stream)
{
    const halo_npy_header *header = file->header;
    const halo_array_about *about = file->about;
    enum { TEXT = 512 };
    char text[TEXT], planes[32] = "", packed[64] = "False", channels[64] = "";
    bool big = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;
    int axes = halo_array_space(header);
    if (axes == 3) {
        snprintf(planes, sizeof planes, " %" PRId64, header->planes);
    }
    if (halo_array_has_pixels(header)) {
        snprintf(channels, sizeof channels, "ElementNumberOfChannels = %" PRId64 "\n",
                 header->pixel);
    }
    if (stream >= 0) { /* of the same length for all sizes */
        snprintf(packed, sizeof packed, "True\nCompressedDataSize = %20" PRId64, stream);
    }
    snprintf(text, sizeof text,
             "ObjectType = Image\nNDims = %d\nBinaryData = True\nBinaryDataByteOrderMSB = %s\n"
             "CompressedData = %s\nDimSize = %" PRId64 " %" PRId64 "%s\n%sElementType = %s\n",
             axes, big ? "True" : "False", packed, halo_array_columns(header),
             halo_array_plane_rows(header), planes, channels,
             halo_text_type_name(halo_meta_types, header->type));
    HALO_TRY(halo_array_put_text(out, text));
    HALO_TRY(about->labels ? halo_array_put_text(out, "Comment = " HALO_CONTENT_LABELS "\n")
                           : HALO_OK);
    HALO_TRY(put_geometry(out, &about->geometry, axes));
    return put_data(out, file);
}

const halo_array_format halo_array_format_mha = {
    .name = "MetaImage",
    .types = HALO_ARRAY_ALL_BUT_LINES,
    .tells = HALO_ARRAY_TELLS_PLACE,
    .write = {[HALO_ARRAY_PACKING_NONE] = halo_array_rows_write,
              [HALO_ARRAY_PACKING_DEFLATE] = halo_array_stream_write},
    .head = put_head};

const halo_array_format halo_array_format_mhd = {
    .name = "MetaImage",
    .types = HALO_ARRAY_ALL_BUT_LINES,
    .tells = HALO_ARRAY_TELLS_PLACE,
    .write = {[HALO_ARRAY_PACKING_NONE] = halo_array_rows_write},
    .head = put_head,
    .samples = ".raw"};
