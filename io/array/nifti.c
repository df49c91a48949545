#include "io/array/format.h"
#include "io/image/nifti_layout.h"

#include <math.h>
#include <string.h>

/* Headers of NIfTI-1, and of NIfTI-2 for axes of more than 32767 samples (nifti1.h and nifti2.h of
 * the NIfTI Data Format Working Group), with the samples behind them. */

enum { AXES = 3, VECTORS = 5, EXTENSION_BYTES = 4 }; /* 0: the header has no extension */

typedef struct {
    const halo_nifti_layout *at;
    unsigned char bytes[HALO_NIFTI_HEADER_BYTES + EXTENSION_BYTES];
} nifti_head;

/* In this machine's byte order, as the samples. */
static void put(nifti_head *head, int offset, int64_t value, int bytes)
{
    bool big = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;
    for (int i = 0; i < bytes; i++) {
        head->bytes[offset + (big ? bytes - 1 - i : i)] =
            (unsigned char)((uint64_t)value >> (8 * i));
    }
}

static void put_real(nifti_head *head, int offset, double value)
{
    float narrow = (float)value;
    if (head->at->real_bytes == (int)sizeof narrow) {
        memcpy(head->bytes + offset, &narrow, sizeof narrow);
    } else {
        memcpy(head->bytes + offset, &value, sizeof value);
    }
}

/* ---- where the samples lie ------------------------------------------------------------------- */

/* NIfTI's components point to the right, to the front and to the head. */
static double turned(int component, double value)
{
    return (component < 2 ? -value : value) + 0.; /* no -0 */
}

static void put_sform(nifti_head *head, const halo_image_geometry *g)
{
    int bytes = head->at->real_bytes;
    for (int i = 0; i < AXES; i++) {
        for (int axis = 0; axis < AXES; axis++) {
            double step = g->direction[axis][i] * halo_geometry_spacing(g, axis);
            put_real(head, head->at->rows + (4 * i + axis) * bytes, turned(i, step));
        }
        put_real(head, head->at->rows + (4 * i + AXES) * bytes, turned(i, g->origin[i]));
    }
    put(head, head->at->codes + head->at->code_bytes, 1, head->at->code_bytes);
}

/* The rotation as a matrix [component][axis]; false if the axes are not at right angles. */
static bool find_rotation(const halo_image_geometry *g, double r[AXES][AXES], bool *left_handed)
{
    const double NEAR = 1e-5;
    bool right = true;
    for (int axis = 0; axis < AXES; axis++) {
        const double *a = g->direction[axis], *b = g->direction[(axis + 1) % AXES];
        right = right && fabs(a[0] * b[0] + a[1] * b[1] + a[2] * b[2]) < NEAR;
        for (int i = 0; i < AXES; i++) {
            r[i][axis] = turned(i, a[i]);
        }
    }
    *left_handed = r[0][0] * (r[1][1] * r[2][2] - r[1][2] * r[2][1]) -
                       r[0][1] * (r[1][0] * r[2][2] - r[1][2] * r[2][0]) +
                       r[0][2] * (r[1][0] * r[2][1] - r[1][1] * r[2][0]) <
                   0;
    for (int i = 0; i < AXES && *left_handed; i++) {
        r[i][2] = -r[i][2];
    }
    return right;
}

/* The largest of the four numbers is found from the diagonal, the others from sums and differences
 * beside it, so that nothing is divided by a number near 0. */
static void put_qform(nifti_head *head, const halo_image_geometry *g)
{
    double r[AXES][AXES], q[4];
    bool left_handed;
    if (!find_rotation(g, r, &left_handed)) {
        return;
    }
    const double squares[] = {1 + r[0][0] + r[1][1] + r[2][2], 1 + r[0][0] - r[1][1] - r[2][2],
                              1 - r[0][0] + r[1][1] - r[2][2], 1 - r[0][0] - r[1][1] + r[2][2]};
    int most = 0;
    for (int i = 1; i < 4; i++) {
        most = squares[i] > squares[most] ? i : most;
    }
    const double products[4][4] = {
        {squares[0], r[2][1] - r[1][2], r[0][2] - r[2][0], r[1][0] - r[0][1]},
        {r[2][1] - r[1][2], squares[1], r[1][0] + r[0][1], r[0][2] + r[2][0]},
        {r[0][2] - r[2][0], r[1][0] + r[0][1], squares[2], r[2][1] + r[1][2]},
        {r[1][0] - r[0][1], r[0][2] + r[2][0], r[2][1] + r[1][2], squares[3]}};
    double sign = products[most][0] < 0 ? -1 : 1; /* the first number is not negative */
    for (int i = 0; i < 4; i++) {
        q[i] = sign * products[most][i] / (2 * sqrt(squares[most])) + 0.;
    }
    int bytes = head->at->real_bytes;
    for (int i = 0; i < AXES; i++) {
        put_real(head, head->at->quaternion + i * bytes, q[1 + i]);
        put_real(head, head->at->quaternion + (AXES + i) * bytes, turned(i, g->origin[i]));
    }
    put_real(head, head->at->pixdim, left_handed ? -1 : 1);
    put(head, head->at->codes, 1, head->at->code_bytes);
}

/* Lengths become one of the three units that the format has. */
static halo_image_geometry choose_unit(const halo_image_geometry *geometry, int *code)
{
    const double SMALL = 1e-5;
    double metres = halo_length_metres(geometry->unit);
    bool small = metres > 0 && metres < SMALL,
         metre = geometry->unit == HALO_LENGTH_METRE || geometry->unit == HALO_LENGTH_KILOMETRE;
    *code = geometry->unit == HALO_LENGTH_UNKNOWN ? 0 : metre ? 1 : small ? 3 : 2;
    static const halo_length units[] = {HALO_LENGTH_UNKNOWN, HALO_LENGTH_METRE,
                                        HALO_LENGTH_MILLIMETRE, HALO_LENGTH_MICROMETRE};
    return halo_geometry_in(geometry, units[*code]);
}

static void put_geometry(nifti_head *head, const halo_image_geometry *geometry, int axes)
{
    int code;
    const halo_image_geometry g = choose_unit(geometry, &code);
    put_real(head, head->at->pixdim, 1);
    for (int axis = 0; axis < 7; axis++) {
        put_real(head, head->at->pixdim + (axis + 1) * head->at->real_bytes,
                 axis < axes ? halo_geometry_spacing(&g, axis) : 1);
    }
    put(head, head->at->units, code, head->at->unit_bytes);
    if (g.placed) {
        put_sform(head, &g);
        put_qform(head, &g);
    }
}

/* ---------------------------------------------------------------------------------------------- */

/* The fifth axis has the numbers of a pixel that is a vector; the fourth is time. */
static void put_sizes(nifti_head *head, const halo_npy_header *header, bool vectors)
{
    const int64_t sizes[8] = {vectors ? VECTORS : halo_array_space(header),
                              halo_array_columns(header),
                              halo_array_plane_rows(header),
                              halo_array_planes(header),
                              1,
                              vectors ? halo_array_channels(header) : 1,
                              1,
                              1};
    for (int i = 0; i < 8; i++) {
        put(head, head->at->dim + i * head->at->size_bytes, sizes[i], head->at->size_bytes);
    }
}

/* `channels`: samples of a pixel that are one number of the file, a colour. */
static void put_type(nifti_head *head, const halo_npy_header *header, int channels)
{
    const halo_nifti_type *of = halo_nifti_types;
    const halo_sample_type type = header->type == HALO_SAMPLE_BIT ? HALO_SAMPLE_U8 : header->type;
    while (of->channels != channels || of->type != type) {
        of++; /* all are there */
    }
    put(head, head->at->datatype, of->code, 2);
    put(head, head->at->bits, 8 * channels * (int64_t)halo_npy_sample_bytes(header), 2);
}

static halo_status put_head(halo_buffer *out, const halo_array_file *file, int64_t stream)
{
    const halo_npy_header *header = file->header;
    const halo_array_about *about = file->about;
    (void)stream;
    bool wide = halo_array_columns(header) > INT16_MAX ||
                halo_array_plane_rows(header) > INT16_MAX ||
                halo_array_planes(header) > INT16_MAX || halo_array_channels(header) > INT16_MAX;
    nifti_head head = {.at = &halo_nifti_layouts[wide]};
    const char magic[] = {'n', '+', head.at->version, 0, '\r', '\n', '\x1a', '\n'};
    int bytes = head.at->header_bytes + EXTENSION_BYTES;
    bool colour = halo_array_is_colour(file->format, header);
    bool vectors = halo_array_has_pixels(header) && !colour;
    int intent = vectors ? HALO_NIFTI_INTENT_VECTOR : about->labels ? HALO_NIFTI_INTENT_LABEL : 0;
    put(&head, 0, head.at->header_bytes, 4);
    memcpy(head.bytes + head.at->magic, magic, wide ? 8 : 4);
    put_sizes(&head, header, vectors);
    put_type(&head, header, colour ? 3 : 1);
    put_geometry(&head, &about->geometry, halo_array_space(header));
    put_real(&head, head.at->slope, 1);
    put(&head, head.at->intent, intent, head.at->code_bytes);
    if (wide) {
        put(&head, head.at->offset, bytes, 8);
    } else {
        put_real(&head, head.at->offset, bytes);
    }
    return halo_buffer_append(out, head.bytes, (size_t)bytes);
}

const halo_array_format halo_array_format_nifti = {
    .name = "NIfTI",
    .types = HALO_ARRAY_ALL_BUT_LINES,
    .tells = HALO_ARRAY_TELLS_PLACE | HALO_ARRAY_TELLS_UNIT,
    .planar = true,
    .colour_bytes = true,
    .write = {[HALO_ARRAY_PACKING_NONE] = halo_array_rows_write},
    .head = put_head};

/* Its name asks for one stream of gzip, whether the options do or not. */
const halo_array_format halo_array_format_nifti_gz = {
    .name = "NIfTI",
    .types = HALO_ARRAY_ALL_BUT_LINES,
    .tells = HALO_ARRAY_TELLS_PLACE | HALO_ARRAY_TELLS_UNIT,
    .planar = true,
    .colour_bytes = true,
    .write = {[HALO_ARRAY_PACKING_NONE] = halo_array_stream_write,
              [HALO_ARRAY_PACKING_DEFLATE] = halo_array_stream_write},
    .head = put_head,
    .gzip = true,
    .head_inside = true};
