#include "io/array/array_internal.h"
#include "io/image/content.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* MetaImage's text (MetaIO, as ITK and VTK read it): sizes with the fastest axis first. */

static halo_status put_text(halo_buffer *out, const char *text)
{
    return halo_buffer_append(out, text, strlen(text));
}

/* "KEY = 1 2 3" */
static halo_status put_numbers(halo_buffer *out, const char *key, const double *numbers, int count)
{
    HALO_TRY(put_text(out, key));
    HALO_TRY(put_text(out, " ="));
    for (int i = 0; i < count; i++) {
        char text[32];
        snprintf(text, sizeof text, " %.15g", numbers[i] + 0.); /* no -0 */
        HALO_TRY(put_text(out, text));
    }
    return put_text(out, "\n");
}

/* What is known of it. Readers take numbers for millimetres. */
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

/* `stream` is the size of compressed samples; -1: they are not. */
static halo_status put_head(halo_buffer *out, const halo_npy_header *header,
                            const halo_array_about *about, const char *data, int64_t stream)
{
    static const char *const types[] = {
        [HALO_NPY_BOOL] = "MET_UCHAR",    [HALO_NPY_U8] = "MET_UCHAR",
        [HALO_NPY_I8] = "MET_CHAR",       [HALO_NPY_U16] = "MET_USHORT",
        [HALO_NPY_I16] = "MET_SHORT",     [HALO_NPY_U32] = "MET_UINT",
        [HALO_NPY_I32] = "MET_INT",       [HALO_NPY_U64] = "MET_ULONG_LONG",
        [HALO_NPY_I64] = "MET_LONG_LONG", [HALO_NPY_F32] = "MET_FLOAT",
        [HALO_NPY_F64] = "MET_DOUBLE"};
    enum { TEXT = 512 };
    char text[TEXT], planes[32] = "", packed[64] = "False";
    bool big = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__, solid = header->axes == 3;
    if (solid) {
        snprintf(planes, sizeof planes, " %" PRId64, header->planes);
    }
    if (stream >= 0) { /* of the same length for all sizes */
        snprintf(packed, sizeof packed, "True\nCompressedDataSize = %20" PRId64, stream);
    }
    snprintf(text, sizeof text,
             "ObjectType = Image\nNDims = %d\nBinaryData = True\nBinaryDataByteOrderMSB = %s\n"
             "CompressedData = %s\nDimSize = %" PRId64 " %" PRId64 "%s\nElementType = %s\n",
             solid ? 3 : 2, big ? "True" : "False", packed, header->width,
             halo_array_plane_rows(header), planes, types[header->type]);
    HALO_TRY(put_text(out, text));
    HALO_TRY(about->labels ? put_text(out, "Comment = " HALO_CONTENT_LABELS "\n") : HALO_OK);
    HALO_TRY(put_geometry(out, &about->geometry, solid ? 3 : 2));
    HALO_TRY(put_text(out, "ElementDataFile = "));
    HALO_TRY(put_text(out, data != NULL ? data : "LOCAL"));
    return put_text(out, "\n");
}

halo_status halo_array_meta_head(halo_buffer *out, const halo_npy_header *header,
                                 const halo_array_about *about, const char *data)
{
    return put_head(out, header, about, data, -1);
}

halo_status halo_array_meta_packed_head(halo_buffer *out, const halo_npy_header *header,
                                        const halo_array_about *about, int64_t stream)
{
    return put_head(out, header, about, NULL, stream);
}
