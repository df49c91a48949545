#include "io/image/image_internal.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* NIfTI-1: a header of 348 bytes, in either byte order, over samples behind it (n+1) or in a file
 * .img beside it (ni1). The first axis, x, is the fastest one. Layout: nifti1.h of the NIfTI Data
 * Format Working Group. */

enum {
    HEADER_BYTES = 348,
    DIM = 40,
    DATATYPE = 70,
    PIXDIM = 76,
    VOX_OFFSET = 108,
    SCL_SLOPE = 112,
    SCL_INTER = 116,
    MAGIC = 344
};

static const struct {
    int code, channels;
    halo_image_type type;
} datatypes[] = {
    {2, 1, HALO_IMAGE_U8},     {4, 1, HALO_IMAGE_I16},    {8, 1, HALO_IMAGE_I32},
    {16, 1, HALO_IMAGE_F32},   {64, 1, HALO_IMAGE_F64},   {128, 3, HALO_IMAGE_U8},
    {256, 1, HALO_IMAGE_I8},   {512, 1, HALO_IMAGE_U16},  {768, 1, HALO_IMAGE_U32},
    {1024, 1, HALO_IMAGE_I64}, {1280, 1, HALO_IMAGE_U64}, {2304, 4, HALO_IMAGE_U8},
};

static int64_t whole(const unsigned char *at, bool big)
{
    return (int16_t)halo_image_number(at, 2, big);
}

static bool sniff(const unsigned char *bytes, size_t count)
{
    if (count < HEADER_BYTES) {
        return false;
    }
    bool sized = halo_image_number(bytes, 4, false) == HEADER_BYTES ||
                 halo_image_number(bytes, 4, true) == HEADER_BYTES;
    return sized && (memcmp(bytes + MAGIC, "n+1", 4) == 0 || memcmp(bytes + MAGIC, "ni1", 4) == 0);
}

/* Samples that stand for other numbers would be compared with thresholds of those. */
static halo_status check_scale(const halo_image_reader *reader, const unsigned char *head, bool big)
{
    double slope = halo_image_real(head + SCL_SLOPE, big),
           inter = halo_image_real(head + SCL_INTER, big);
    bool plain = slope == 0 || !isfinite(slope) || (slope == 1 && inter == 0);
    return plain ? HALO_OK
                 : halo_fail(HALO_FORMAT,
                             "%s: the header asks to scale samples by %g and to add %g; save the "
                             "scaled samples with slope 1 and intercept 0",
                             reader->path, slope, inter);
}

static halo_status set_type(const halo_image_reader *reader, const unsigned char *head, bool big,
                            halo_image_described *d)
{
    int64_t code = whole(head + DATATYPE, big);
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

static halo_status open_nifti(halo_image_reader *reader)
{
    const double longest_header = (double)((int64_t)1 << 40);
    unsigned char head[HEADER_BYTES];
    memcpy(head, reader->source.at, sizeof head); /* sniff has seen as many */
    bool big = halo_image_number(head, 4, true) == HEADER_BYTES, apart = head[MAGIC + 1] == 'i';
    halo_image_described d = {.axes = (int)whole(head + DIM, big),
                              .swapped = big != halo_image_big_endian()};
    for (int i = 0; i < d.axes && i < HALO_IMAGE_MAX_AXES - 1; i++) {
        d.sizes[i] = whole(head + DIM + 2 * (i + 1), big);
        d.spacing[i] = halo_image_real(head + PIXDIM + 4 * (i + 1), big);
    }
    double offset = halo_image_real(head + VOX_OFFSET, big);
    if (d.axes > HALO_IMAGE_MAX_AXES - 1 || !(offset >= 0 && offset < longest_header) ||
        (!apart && offset < HEADER_BYTES)) {
        return halo_fail(HALO_FORMAT,
                         "%s: the NIfTI header is damaged: %d axes, and samples from byte %g on; "
                         "copy or make the file again",
                         reader->path, d.axes, offset);
    }
    d.offset = (int64_t)offset;
    HALO_TRY(set_type(reader, head, big, &d));
    HALO_TRY(check_scale(reader, head, big));
    if (apart) {
        HALO_TRY(name_image(reader, &d));
    }
    return halo_image_start_described(reader, &d);
}

const halo_image_format halo_image_nifti = {
    .name = "NIfTI", .sniff = sniff, .open = open_nifti, .rows = halo_image_raw_rows};
