#include "io/image/image_internal.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* NIfTI: a header, in either byte order, over samples behind it (n+1, n+2) or in a file .img beside
 * it (ni1, ni2). The first axis, x, is the fastest one. Layouts: nifti1.h and nifti2.h of the NIfTI
 * Data Format Working Group. */

/* Where the fields of a version are, and how wide its numbers: version 2 has room for sizes above
 * 32767, and for real numbers of 8 bytes. */
typedef struct {
    int header_bytes, magic, datatype, dim, pixdim, offset, slope, inter;
    int size_bytes, real_bytes;
    bool whole_offset; /* it is an integer */
    char version;
} nifti_layout;

static const nifti_layout layouts[] = {{.header_bytes = 348,
                                        .magic = 344,
                                        .datatype = 70,
                                        .dim = 40,
                                        .pixdim = 76,
                                        .offset = 108,
                                        .slope = 112,
                                        .inter = 116,
                                        .size_bytes = 2,
                                        .real_bytes = 4,
                                        .version = '1'},
                                       {.header_bytes = 540,
                                        .magic = 4,
                                        .datatype = 12,
                                        .dim = 16,
                                        .pixdim = 104,
                                        .offset = 168,
                                        .slope = 176,
                                        .inter = 184,
                                        .size_bytes = 8,
                                        .real_bytes = 8,
                                        .whole_offset = true,
                                        .version = '2'}};

enum { LAYOUTS = sizeof layouts / sizeof layouts[0], MOST_HEADER_BYTES = 540 };

/* A header as it lies in the file. */
typedef struct {
    const nifti_layout *at;
    const unsigned char *bytes;
    bool big;
    bool apart; /* samples are in a file of their own */
} nifti_head;

static const struct {
    int code, channels;
    halo_image_type type;
} datatypes[] = {
    {2, 1, HALO_IMAGE_U8},     {4, 1, HALO_IMAGE_I16},    {8, 1, HALO_IMAGE_I32},
    {16, 1, HALO_IMAGE_F32},   {64, 1, HALO_IMAGE_F64},   {128, 3, HALO_IMAGE_U8},
    {256, 1, HALO_IMAGE_I8},   {512, 1, HALO_IMAGE_U16},  {768, 1, HALO_IMAGE_U32},
    {1024, 1, HALO_IMAGE_I64}, {1280, 1, HALO_IMAGE_U64}, {2304, 4, HALO_IMAGE_U8},
};

/* NULL: it is no header of NIfTI. */
static const nifti_layout *find_layout(const unsigned char *bytes, size_t count)
{
    for (int i = 0; i < LAYOUTS; i++) {
        const nifti_layout *at = &layouts[i];
        if (count < (size_t)at->header_bytes) {
            continue;
        }
        const char behind[] = {'n', '+', at->version, 0}, apart[] = {'n', 'i', at->version, 0};
        const unsigned char *magic = bytes + at->magic;
        bool sized = halo_image_signed(bytes, 4, false) == at->header_bytes ||
                     halo_image_signed(bytes, 4, true) == at->header_bytes;
        if (sized && (memcmp(magic, behind, 4) == 0 || memcmp(magic, apart, 4) == 0)) {
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
    const nifti_layout *at = head->at;
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
    bool asked = slope != 0 && isfinite(slope) && isfinite(inter) && (slope != 1 || inter != 0);
    return asked ? halo_image_set_scale(reader, slope, inter) : HALO_OK;
}

static halo_status set_type(const halo_image_reader *reader, const nifti_head *head,
                            halo_image_described *d)
{
    int64_t code = halo_image_signed(head->bytes + head->at->datatype, 2, head->big);
    for (size_t i = 0; i < sizeof datatypes / sizeof datatypes[0]; i++) {
        if (datatypes[i].code == code) {
            d->type = datatypes[i].type;
            d->channels = datatypes[i].channels;
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
    const nifti_layout *at = head->at;
    const double longest_header = (double)((int64_t)1 << 40);
    int64_t axes = size_of(head, 0);
    double offset = at->whole_offset
                        ? (double)halo_image_signed(head->bytes + at->offset, 8, head->big)
                        : real_of(head, at->offset);
    bool begins = offset >= 0 && offset < longest_header; /* it may be NaN */
    if (axes < 0 || axes >= HALO_IMAGE_MAX_AXES || !begins ||
        (!head->apart && offset < at->header_bytes)) {
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

static halo_status open_nifti(halo_image_reader *reader)
{
    unsigned char bytes[MOST_HEADER_BYTES];
    const nifti_layout *at = find_layout(reader->source.at, halo_source_peek(&reader->source));
    memcpy(bytes, reader->source.at, (size_t)at->header_bytes); /* which sniff has seen */
    const nifti_head head = {.at = at,
                             .bytes = bytes,
                             .big = halo_image_signed(bytes, 4, true) == at->header_bytes,
                             .apart = bytes[at->magic + 1] == 'i'};
    halo_image_described d = {.swapped = head.big != halo_image_big_endian()};
    HALO_TRY(set_sizes(reader, &head, &d));
    HALO_TRY(set_type(reader, &head, &d));
    if (head.apart) {
        HALO_TRY(name_image(reader, &d));
    }
    HALO_TRY(halo_image_start_described(reader, &d));
    return set_scale(reader, &head);
}

const halo_image_format halo_image_nifti = {
    .name = "NIfTI", .sniff = sniff, .open = open_nifti, .rows = halo_image_raw_rows};
