#include "io/image/image_internal.h"
#include "io/image/nifti_layout.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* NIfTI: a header, in either byte order, over samples behind it (n+1, n+2) or in a file .img beside
 * it (ni1, ni2). The first axis, x, is the fastest one. Layouts: nifti1.h and nifti2.h of the NIfTI
 * Data Format Working Group. */

/* A header as it lies in the file. */
typedef struct {
    const halo_nifti_layout *at;
    const unsigned char *bytes;
    bool big;
    bool two_files; /* samples are in a file of their own */
} nifti_head;

/* NULL: it is no header of NIfTI. */
static const halo_nifti_layout *find_layout(const unsigned char *bytes, size_t count)
{
    for (int i = 0; i < HALO_NIFTI_LAYOUTS; i++) {
        const halo_nifti_layout *at = &halo_nifti_layouts[i];
        if (count < (size_t)at->header_bytes) {
            continue;
        }
        const char behind[] = {'n', '+', at->version, 0}, pair[] = {'n', 'i', at->version, 0};
        const unsigned char *magic = bytes + at->magic;
        bool sized = halo_image_signed(bytes, 4, false) == at->header_bytes ||
                     halo_image_signed(bytes, 4, true) == at->header_bytes;
        if (sized && (memcmp(magic, behind, 4) == 0 || memcmp(magic, pair, 4) == 0)) {
            return at;
        }
    }
    return NULL;
}

static bool sniff(const unsigned char *bytes, size_t count)
{
    return find_layout(bytes, count) != NULL;
}

static int64_t size_of(const nifti_head *head, int axis)
{
    const halo_nifti_layout *at = head->at;
    return halo_image_signed(head->bytes + at->dim + at->size_bytes * axis, at->size_bytes,
                             head->big);
}

static double real_of(const nifti_head *head, int offset)
{
    return halo_image_real(head->bytes + offset, head->at->real_bytes, head->big);
}

/* Samples stand for sample * slope + inter, unless the slope is 0 or none. */
static halo_status set_scale(halo_image_reader *reader, const nifti_head *head)
{
    double slope = real_of(head, head->at->slope), inter = real_of(head, head->at->inter);
    bool scaled = slope != 0 && isfinite(slope) && isfinite(inter) && (slope != 1 || inter != 0);
    return scaled ? halo_image_set_scale(reader, slope, inter) : HALO_OK;
}

static halo_status set_type(const halo_image_reader *reader, const nifti_head *head,
                            halo_image_described *d)
{
    int64_t code = halo_image_signed(head->bytes + head->at->datatype, 2, head->big);
    for (size_t i = 0; i < HALO_NIFTI_TYPES; i++) {
        if (halo_nifti_types[i].code == code) {
            d->type = halo_nifti_types[i].type;
            d->channels = halo_nifti_types[i].channels;
            return HALO_OK;
        }
    }
    char text[16];
    snprintf(text, sizeof text, "%d", (int)code);
    return halo_image_fail_field(reader, "datatype", text,
                                 "integers and floats of 8 to 64 bits, and RGB, can be read");
}

/* The file of samples has the header's name with another ending. */
static halo_status name_image(const halo_image_reader *reader, halo_image_described *d)
{
    const char *slash = strrchr(reader->path, '/'),
               *name = slash == NULL ? reader->path : slash + 1;
    size_t length = strlen(name);
    if (length < 5 || length >= sizeof d->data || strcmp(name + length - 4, ".hdr") != 0) {
        return halo_fail(HALO_FORMAT,
                         "%s: the samples are in a file of their own, whose name is that of the "
                         "header with .img in place of .hdr; give the header such a name",
                         reader->path);
    }
    memcpy(d->data, name, length - 4);
    memcpy(d->data + length - 4, ".img", 5);
    return HALO_OK;
}

static halo_status fail_damaged(const halo_image_reader *reader, int64_t axes, double offset)
{
    return halo_fail(HALO_FORMAT,
                     "%s: the NIfTI header is damaged: %" PRId64 " axes, and samples from byte %g "
                     "on; copy or make the file again",
                     reader->path, axes, offset);
}

/* Sizes, distances, and where samples begin. */
static halo_status set_sizes(const halo_image_reader *reader, const nifti_head *head,
                             halo_image_described *d)
{
    const halo_nifti_layout *at = head->at;
    const double longest_header = (double)((int64_t)1 << 40);
    int64_t axes = size_of(head, 0);
    double offset = at->whole_offset
                        ? (double)halo_image_signed(head->bytes + at->offset, 8, head->big)
                        : real_of(head, at->offset);
    bool begins = offset >= 0 && offset < longest_header; /* it may be NaN */
    if (axes < 0 || axes >= HALO_IMAGE_MAX_AXES || !begins ||
        (!head->two_files && offset < at->header_bytes)) {
        return fail_damaged(reader, axes, offset);
    }
    d->axes = (int)axes;
    d->offset = (int64_t)offset;
    for (int i = 0; i < d->axes; i++) {
        d->sizes[i] = size_of(head, i + 1);
        d->spacing[i] = real_of(head, at->pixdim + at->real_bytes * (i + 1));
    }
    return HALO_OK;
}

/* ---- where the samples lie ------------------------------------------------------------------- */

static int code_of(const nifti_head *head, int which)
{
    const halo_nifti_layout *at = head->at;
    return (int)halo_image_signed(head->bytes + at->codes + which * at->code_bytes, at->code_bytes,
                                  head->big);
}

/* NIfTI's components point to the right, to the front and to the head. */
static double turned(int component, double value)
{
    return component < 2 ? -value : value;
}

/* By the matrix in the header. */
static void use_sform(const nifti_head *head, halo_image_geometry *g)
{
    double affine[3][4];
    int bytes = head->at->real_bytes;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 4; j++) {
            affine[i][j] = turned(i, real_of(head, head->at->rows + (4 * i + j) * bytes));
        }
    }
    halo_geometry_set_affine(g, (const double(*)[4])affine);
}

/* By a rotation, as a unit quaternion without its first number, and a place. */
static void use_qform(const nifti_head *head, halo_image_geometry *g)
{
    double q[6];
    for (int i = 0; i < 6; i++) {
        q[i] = real_of(head, head->at->quaternion + i * head->at->real_bytes);
    }
    double b = q[0], c = q[1], d = q[2], rest = 1 - (b * b + c * c + d * d);
    double length = sqrt(b * b + c * c + d * d);
    if (rest < 1e-7) { /* half a turn; rounding may have made it more */
        b /= length, c /= length, d /= length;
        rest = 0;
    }
    double a = sqrt(rest), left = real_of(head, head->at->pixdim) < 0 ? -1 : 1;
    const double columns[3][3] = {
        {a * a + b * b - c * c - d * d, 2 * (b * c + a * d), 2 * (b * d - a * c)},
        {2 * (b * c - a * d), a * a + c * c - b * b - d * d, 2 * (c * d + a * b)},
        {2 * (b * d + a * c), 2 * (c * d - a * b), a * a + d * d - b * b - c * c}};
    for (int axis = 0; axis < 3; axis++) {
        for (int i = 0; i < 3; i++) {
            g->direction[axis][i] = turned(i, columns[axis][i] * (axis == 2 ? left : 1));
        }
        g->origin[axis] = turned(axis, q[3 + axis]);
    }
    g->placed = true;
}

/* Millimetres where the header does not say, as its readers have it. */
static void set_unit(const nifti_head *head, halo_image_geometry *g)
{
    enum { SPACE = 7 };
    static const halo_length units[] = {HALO_LENGTH_MILLIMETRE, HALO_LENGTH_METRE,
                                        HALO_LENGTH_MILLIMETRE, HALO_LENGTH_MICROMETRE};
    const halo_nifti_layout *at = head->at;
    uint64_t code = halo_image_number(head->bytes + at->units, at->unit_bytes, head->big) & SPACE;
    g->assumed = code == 0;
    g->unit = code < sizeof units / sizeof units[0] ? units[code] : HALO_LENGTH_UNKNOWN;
}

/* The sform is preferred to the qform, as by nibabel and ITK. */
static halo_image_geometry find_geometry(const nifti_head *head, const halo_image_described *d)
{
    halo_image_geometry g = {.anatomical = true};
    for (int axis = 0; axis < 3; axis++) {
        g.spacing[axis] = d->spacing[axis];
    }
    set_unit(head, &g);
    if (code_of(head, 1) > 0) {
        halo_image_geometry by_sform = g;
        use_sform(head, &by_sform);
        halo_geometry_check(&by_sform, d->axes);
        if (!by_sform.ignored) {
            return by_sform;
        }
    }
    if (code_of(head, 0) > 0) {
        use_qform(head, &g);
    }
    g.ignored = !g.placed && code_of(head, 1) > 0;
    return g;
}

/* ---------------------------------------------------------------------------------------------- */

/* The fourth axis is time, of which some make channels without a unit; the fifth has the components
 * of vectors. */
static void set_kinds(const nifti_head *head, halo_image_described *d)
{
    enum { TIME_UNITS = 0x38 };
    uint64_t units =
        halo_image_number(head->bytes + head->at->units, head->at->unit_bytes, head->big);
    d->kinds[3] = (units & TIME_UNITS) != 0 ? HALO_AXIS_TIME : HALO_AXIS_UNKNOWN;
    d->kinds[4] = HALO_AXIS_CHANNEL;
}

static halo_status open_nifti(halo_image_reader *reader)
{
    unsigned char bytes[HALO_NIFTI_HEADER_BYTES];
    const halo_nifti_layout *at = find_layout(reader->source.at, halo_source_peek(&reader->source));
    memcpy(bytes, reader->source.at, (size_t)at->header_bytes); /* which sniff has seen */
    const nifti_head head = {.at = at,
                             .bytes = bytes,
                             .big = halo_image_signed(bytes, 4, true) == at->header_bytes,
                             .two_files = bytes[at->magic + 1] == 'i'};
    halo_image_described d = {.swapped = head.big != halo_image_big_endian()};
    HALO_TRY(set_sizes(reader, &head, &d));
    HALO_TRY(set_type(reader, &head, &d));
    d.geometry = find_geometry(&head, &d);
    set_kinds(&head, &d);
    if (head.two_files) {
        HALO_TRY(name_image(reader, &d));
    }
    reader->info.labels =
        halo_image_signed(bytes + at->intent, at->code_bytes, head.big) == HALO_NIFTI_INTENT_LABEL;
    HALO_TRY(halo_image_start_described(reader, &d));
    return set_scale(reader, &head);
}

const halo_image_format halo_image_nifti = {.name = "NIfTI",
                                            .sniff = sniff,
                                            .open = open_nifti,
                                            .rows = halo_image_raw_rows,
                                            .files = halo_image_described_files};
