#include "io/array/array_internal.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* MetaImage's text (MetaIO, as ITK and VTK read it): sizes with the fastest axis first. */

static halo_status put_text(halo_buffer *out, const char *text)
{
    return halo_buffer_append(out, text, strlen(text));
}

/* A line, if any distance is known. */
static halo_status put_spacing(halo_buffer *out, const halo_array_about *about, int axes)
{
    HALO_TRY(put_text(out, halo_array_spaced(about) ? "ElementSpacing =" : ""));
    for (int axis = 2; axis >= 3 - axes && halo_array_spaced(about); axis--) {
        char text[32];
        snprintf(text, sizeof text, " %.15g", halo_array_spacing(about, axis));
        HALO_TRY(put_text(out, text));
    }
    return put_text(out, halo_array_spaced(about) ? "\n" : "");
}

halo_status halo_array_meta_head(halo_buffer *out, const halo_npy_header *header,
                                 const halo_array_about *about, const char *data)
{
    static const char *const types[] = {
        [HALO_NPY_BOOL] = "MET_UCHAR",    [HALO_NPY_U8] = "MET_UCHAR",
        [HALO_NPY_I8] = "MET_CHAR",       [HALO_NPY_U16] = "MET_USHORT",
        [HALO_NPY_I16] = "MET_SHORT",     [HALO_NPY_U32] = "MET_UINT",
        [HALO_NPY_I32] = "MET_INT",       [HALO_NPY_U64] = "MET_ULONG_LONG",
        [HALO_NPY_I64] = "MET_LONG_LONG", [HALO_NPY_F32] = "MET_FLOAT",
        [HALO_NPY_F64] = "MET_DOUBLE"};
    enum { TEXT = 512 };
    char text[TEXT], planes[32] = "";
    bool big = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__, solid = header->axes == 3;
    if (solid) {
        snprintf(planes, sizeof planes, " %" PRId64, header->planes);
    }
    snprintf(text, sizeof text,
             "ObjectType = Image\nNDims = %d\nBinaryData = True\nBinaryDataByteOrderMSB = %s\n"
             "CompressedData = False\nDimSize = %" PRId64 " %" PRId64 "%s\nElementType = %s\n",
             solid ? 3 : 2, big ? "True" : "False", header->width, halo_array_plane_rows(header),
             planes, types[header->type]);
    HALO_TRY(put_text(out, text));
    HALO_TRY(put_spacing(out, about, solid ? 3 : 2));
    HALO_TRY(put_text(out, "ElementDataFile = "));
    HALO_TRY(put_text(out, data != NULL ? data : "LOCAL"));
    return put_text(out, "\n");
}
