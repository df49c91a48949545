#include "io/image/image_internal.h"

#include <stdio.h>
#include <string.h>

/* MRC and CCP4 maps of electron microscopes: a header of 1024 bytes, in either byte order, an
 * extended one, and samples. Layout: MRC2014 (Cheng et al., J. Struct. Biol. 192, 2015), and for
 * bytes IMOD's flags. Sections are planes, and rows come as they are stored. */

enum {
    HEADER_BYTES = 1024,
    MODE = 12,
    START = 16,
    GRID = 28,
    CELL = 40,
    AXES = 64,
    SPACE_GROUP = 88,
    EXTENDED = 92,
    IMOD_STAMP = 152,
    IMOD_FLAGS = 156,
    ORIGIN = 196,
    MAP = 208,
    STAMP = 212,
    IMOD = 1146047817,
    HALVES = 12 /* the mode */
};

static const struct {
    int mode, channels;
    halo_sample_type type;
} modes[] = {{0, 1, HALO_SAMPLE_I8},  {1, 1, HALO_SAMPLE_I16},      {2, 1, HALO_SAMPLE_F32},
             {6, 1, HALO_SAMPLE_U16}, {HALVES, 1, HALO_SAMPLE_F32}, {16, 3, HALO_SAMPLE_U8}};

static bool sniff(const unsigned char *bytes, size_t count)
{
    return count >= HEADER_BYTES && memcmp(bytes + MAP, "MAP", 3) == 0;
}

static int32_t whole(const unsigned char *at, bool big)
{
    return (int32_t)halo_image_signed(at, 4, big);
}

/* True if sizes and mode make sense in this byte order. */
static bool is_plausible(const unsigned char *head, bool big)
{
    enum { LARGEST_MODE = 101, LARGEST_SIZE = 1 << 24 };
    bool good = whole(head + MODE, big) >= 0 && whole(head + MODE, big) <= LARGEST_MODE;
    for (int i = 0; i < 3; i++) {
        good = good && whole(head + 4 * i, big) > 0 && whole(head + 4 * i, big) <= LARGEST_SIZE;
    }
    return good;
}

/* The byte order, which some programs leave out, and others say wrongly: then it is that in which
 * the sizes make sense. */
static bool find_order(halo_image_reader *reader, const unsigned char *head)
{
    enum { LOW = 0x44, HIGH = 0x11 };
    bool told = head[STAMP] == LOW || head[STAMP] == HIGH, big = head[STAMP] == HIGH;
    if (is_plausible(head, big) ? told : told && !is_plausible(head, !big)) {
        return big;
    }
    char text[HALO_IMAGE_WARNING];
    big = !is_plausible(head, false) && is_plausible(head, true);
    snprintf(text, sizeof text,
             "the MRC header has %s machine stamp (0x%02x%02x); by its sizes, it has the %s byte "
             "first",
             told ? "a wrong" : "no", head[STAMP], head[STAMP + 1], big ? "high" : "low");
    halo_image_warn(reader, text);
    return big;
}

static halo_status set_type(const halo_image_reader *reader, const unsigned char *head, bool big,
                            halo_image_described *d)
{
    int32_t mode = whole(head + MODE, big);
    for (size_t i = 0; i < sizeof modes / sizeof modes[0]; i++) {
        if (modes[i].mode == mode) {
            d->type = modes[i].type;
            d->channels = modes[i].channels;
            d->halves = mode == HALVES;
            /* IMOD says whether its bytes have signs. */
            bool told = whole(head + IMOD_STAMP, big) == IMOD;
            bool is_signed = (whole(head + IMOD_FLAGS, big) & 1) != 0;
            d->type = mode == 0 && told && !is_signed ? HALO_SAMPLE_U8 : d->type;
            return HALO_OK;
        }
    }
    char text[16];
    snprintf(text, sizeof text, "%d", mode);
    return halo_image_fail_field(
        reader, "mode", text,
        "0 (bytes), 1 and 6 (16 bits), 2 and 12 (float) and 16 (RGB) can be read");
}

/* Which of x, y and z the columns, rows or sections of the file are; as they come, if the header
 * names no three different ones. */
static void find_axes(const unsigned char *head, bool big, int axes[3])
{
    unsigned seen = 0;
    for (int i = 0; i < 3; i++) {
        int32_t axis = whole(head + AXES + 4 * i, big);
        axes[i] = axis >= 1 && axis <= 3 ? axis - 1 : i;
        seen |= 1U << axes[i];
    }
    for (int i = 0; i < 3 && seen != 7; i++) {
        axes[i] = i;
    }
}

/* Cell and origin are in angstrom; where the origin is 0, the first sample's number counts. */
static halo_image_geometry find_geometry(const unsigned char *head, bool big)
{
    halo_image_geometry g = {.unit = HALO_LENGTH_ANGSTROM, .assumed = true};
    int axes[3];
    double origin[3], start[3] = {0};
    bool moved = false, placed = false;
    find_axes(head, big, axes);
    for (int i = 0; i < 3; i++) {
        int32_t grid = whole(head + GRID + 4 * axes[i], big);
        double cell = halo_image_real(head + CELL + 4 * axes[i], 4, big);
        g.spacing[i] = grid > 0 ? cell / grid : 0;
        g.direction[i][axes[i]] = 1;
        origin[i] = halo_image_real(head + ORIGIN + 4 * i, 4, big);
        start[axes[i]] = whole(head + START + 4 * i, big) * g.spacing[i];
        moved = moved || origin[i] < 0 || origin[i] > 0;
        placed = placed || axes[i] != i;
    }
    for (int i = 0; i < 3; i++) {
        g.origin[i] = moved ? origin[i] : start[i];
        placed = placed || g.origin[i] < 0 || g.origin[i] > 0;
    }
    g.placed = placed;
    return g;
}

/* The space group tells stacks of images and of volumes from volumes. Many write 0 for volumes,
 * too. */
static void find_volumes(halo_image_reader *reader, const unsigned char *head, bool big,
                         halo_image_described *d)
{
    enum { IMAGES = 0, VOLUMES = 401, VOLUMES_END = 631 };
    int32_t group = whole(head + SPACE_GROUP, big), sections = whole(head + GRID + 8, big);
    if (group == IMAGES && d->sizes[2] > 1) {
        halo_image_add_note(reader, "the images of the stack (ISPG 0) were taken for planes");
    }
    bool several = group >= VOLUMES && group < VOLUMES_END && sections > 0 &&
                   sections < d->sizes[2] && d->sizes[2] % sections == 0;
    if (several) {
        d->axes = 4;
        d->sizes[3] = d->sizes[2] / sections;
        d->sizes[2] = sections;
    }
}

static halo_status open_mrc(halo_image_reader *reader)
{
    unsigned char head[HEADER_BYTES];
    memcpy(head, reader->source.at, sizeof head); /* sniff has seen as many */
    bool big = find_order(reader, head);
    halo_image_described d = {.axes = 3, .swapped = big != halo_image_big_endian()};
    for (int i = 0; i < 3; i++) {
        d.sizes[i] = whole(head + 4 * i, big);
    }
    d.geometry = find_geometry(head, big);
    d.axes = d.sizes[2] == 1 ? 2 : 3; /* one section is an image */
    int32_t extended = whole(head + EXTENDED, big);
    if (extended < 0) {
        return halo_fail(HALO_FORMAT,
                         "%s: the MRC header is damaged: an extended header of %d bytes; copy or "
                         "make the file again",
                         reader->path, extended);
    }
    d.offset = (int64_t)HEADER_BYTES + extended;
    HALO_TRY(set_type(reader, head, big, &d));
    find_volumes(reader, head, big, &d);
    return halo_image_start_described(reader, &d);
}

const halo_image_format halo_image_mrc = {
    .name = "MRC", .sniff = sniff, .open = open_mrc, .rows = halo_image_raw_rows};
