#include "io/image/image_reader.h"
#include "support/scratch.h"
#include "support/unit_check.h"

#include <string.h>

/* Volumes under each kind of header, in both byte orders: sizes, spacing, and rows in any order, as
 * samples and as greys. */

enum { PLANES = 3, HEIGHT = 4, WIDTH = 5, ROWS = PLANES * HEIGHT, HEAD_ROOM = 2048 };

typedef struct {
    const char *name;
    /* Write a header, and return its bytes; `big`: the byte order. */
    size_t (*make)(unsigned char *head, bool big);
    double spacing[3]; /* of planes, rows, pixels */
} header_kind;

static int sample(int64_t row, int x)
{
    return (int)(row * 1000 + x * 7 + 3);
}

/* `bytes` bytes of `value` at `at`. */
static void put(unsigned char *at, uint32_t value, int bytes, bool big)
{
    for (int i = 0; i < bytes; i++) {
        at[big ? bytes - 1 - i : i] = (unsigned char)(value >> 8 * i);
    }
}

static void put_real(unsigned char *at, float value, bool big)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    put(at, bits, 4, big);
}

static size_t make_meta(unsigned char *head, bool big)
{
    return (size_t)snprintf((char *)head, HEAD_ROOM,
                            "ObjectType = Image\nNDims = 3\nElementByteOrderMSB = %s\n"
                            "DimSize = 5 4 3\nElementSpacing = 0.5 1 2\nElementType = MET_USHORT\n"
                            "ElementDataFile = LOCAL\n",
                            big ? "True" : "False");
}

static size_t make_nrrd(unsigned char *head, bool big)
{
    return (size_t)snprintf((char *)head, HEAD_ROOM,
                            "NRRD0005\r\ntype: uint16\r\ndimension: 3\r\nsizes: 5 4 3\r\n"
                            "space directions: (0.3,0.4,0) (0,1,0) (0,0,-2)\r\n"
                            "endian: %s\r\nencoding: raw\r\nbyte skip: 0\r\n\r\n",
                            big ? "big" : "little");
}

static size_t make_nifti(unsigned char *head, bool big)
{
    static const uint32_t dims[8] = {4, WIDTH, HEIGHT, PLANES, 1, 1, 1, 1};
    static const float sizes[8] = {1, 0.5F, 1, 2, 1, 1, 1, 1};
    enum { SAMPLES = 352, UINT16 = 512 };
    put(head, 348, 4, big);
    for (int i = 0; i < 8; i++) {
        put(head + 40 + 2 * i, dims[i], 2, big);
        put_real(head + 76 + 4 * i, sizes[i], big);
    }
    put(head + 70, UINT16, 2, big);
    put(head + 72, 16, 2, big);
    put_real(head + 108, SAMPLES, big);
    memcpy(head + 344, "n+1", 4);
    return SAMPLES;
}

static size_t make_mrc(unsigned char *head, bool big)
{
    static const uint32_t sizes[3] = {WIDTH, HEIGHT, PLANES};
    static const float cell[3] = {2.5F, 4, 6};
    enum { EXTENDED = 160 };
    for (int i = 0; i < 3; i++) {
        put(head + 4 * i, sizes[i], 4, big);
        put(head + 28 + 4 * i, sizes[i], 4, big);
        put_real(head + 40 + 4 * i, cell[i], big);
    }
    put(head + 12, 6, 4, big);
    put(head + 92, EXTENDED, 4, big);
    memcpy(head + 208, "MAP ", 4);
    memcpy(head + 212, big ? "\x11\x11" : "DA", 2);
    return 1024 + EXTENDED;
}

static const header_kind kinds[] = {{"MetaImage", make_meta, {2, 1, 0.5}},
                                    {"NRRD", make_nrrd, {2, 1, 0.5}},
                                    {"NIfTI", make_nifti, {2, 1, 0.5}},
                                    {"MRC", make_mrc, {2, 1, 0.5}}};

static void write_volume(const header_kind *kind, bool big)
{
    unsigned char bytes[HEAD_ROOM + ROWS * WIDTH * 2] = {0};
    size_t head = kind->make(bytes, big);
    for (int i = 0; i < ROWS * WIDTH; i++) {
        put(bytes + head + 2 * i, (uint32_t)sample(i / WIDTH, i % WIDTH), 2, big);
    }
    scratch_write("volume", bytes, head + ROWS * WIDTH * 2);
}

static void check_info(const halo_image_info *info, const header_kind *kind)
{
    CU_ASSERT_STRING_EQUAL(info->format, kind->name);
    check(info->axes == 3 && info->planes == PLANES && info->height == HEIGHT &&
              info->width == WIDTH && info->rows == ROWS,
          "%s: another shape", kind->name);
    check(info->type == HALO_SAMPLE_U16 && info->channels == 1 && info->cell_bits == 16 &&
              info->random_access,
          "%s: other samples", kind->name);
    for (int i = 0; i < 3; i++) {
        double spacing = info->geometry.spacing[2 - i];
        check(spacing > kind->spacing[i] - 1e-6 && spacing < kind->spacing[i] + 1e-6,
              "%s: a spacing of %g", kind->name, spacing);
    }
}

static void check_volume(const header_kind *kind, bool big, halo_image_want want)
{
    halo_image_reader *reader = NULL;
    const halo_image_options options = {.want = want, .volumes = true};
    write_volume(kind, big);
    SUCCEEDS(halo_image_reader_open(&reader, "volume", &options));
    if (reader == NULL) {
        return;
    }
    check_info(halo_image_reader_info(reader), kind);
    for (int64_t row = ROWS - 2; row >= 0; row -= 2) {
        uint16_t samples[2][WIDTH];
        SUCCEEDS(halo_image_reader_rows(reader, row, 2, samples, sizeof samples[0]));
        for (int i = 0; i < 2 * WIDTH; i++) {
            check(samples[i / WIDTH][i % WIDTH] == sample(row + i / WIDTH, i % WIDTH),
                  "%s: another sample in row %d", kind->name, (int)row + i / WIDTH);
        }
    }
    SUCCEEDS(halo_image_reader_finish(reader));
    halo_image_reader_close(&reader);
}

TEST("volumes under all headers")
{
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        for (int big = 0; big < 2; big++) {
            check_volume(&kinds[i], big == 1, HALO_IMAGE_SAMPLES);
            check_volume(&kinds[i], big == 1, HALO_IMAGE_GREYS);
        }
    }
}

int main(void)
{
    return scratch_run();
}
