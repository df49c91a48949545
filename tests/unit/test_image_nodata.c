#include "io/image/image_reader.h"
#include "support/unit_check.h"

#include <float.h>
#include <math.h>

/* Samples that stand for no data: which are equal to a value, in each type of samples, and how they
 * are marked in rows of each kind. */

enum { MOST = 16 };

/* Reads one row of raw samples; the rows as they are read go to `out`. */
static halo_status read_samples(const char *dtype, const void *samples, size_t bytes, int width,
                                const char *nodata, halo_image_want want, halo_image_info *info,
                                int64_t *missing, void *out)
{
    halo_image_reader *reader = NULL;
    halo_image_options options = {
        .want = want, .raw = {.height = 1, .width = width, .dtype = dtype}, .count_missing = true};
    options.nodata.given = nodata != NULL;
    if (nodata != NULL && !halo_image_scan_nodata(nodata, &options.nodata.value)) {
        return HALO_ARGUMENT;
    }
    HALO_TRY(halo_image_reader_open_memory(&reader, "samples", samples, bytes, &options));
    *info = *halo_image_reader_info(reader);
    halo_status status = halo_image_reader_rows(reader, 0, 1, out, MOST * sizeof(double));
    *missing = halo_image_reader_missing(reader);
    halo_image_reader_close(&reader);
    return status;
}

/* Return the number of missing samples; -1: an error. */
static int64_t count(const char *dtype, const void *samples, size_t bytes, int width,
                     const char *nodata)
{
    double row[MOST];
    halo_image_info info;
    int64_t missing = -1;
    return read_samples(dtype, samples, bytes, width, nodata, HALO_IMAGE_SAMPLES, &info, &missing,
                        row) == HALO_OK
               ? missing
               : -1;
}

#define MISSING(dtype, samples, nodata) \
    count(dtype, samples, sizeof(samples), (int)COUNT(samples), nodata)

TEST("whole numbers are compared as such, and values that no sample can be are refused")
{
    const uint8_t bytes[] = {0, 9, 255, 9};
    CU_ASSERT(MISSING("u1", bytes, "9") == 2 && MISSING("u1", bytes, " +9.0 ") == 2);
    CU_ASSERT(MISSING("u1", bytes, "255") == 1 && MISSING("u1", bytes, "0") == 1);
    CU_ASSERT(MISSING("u1", bytes, "-9") == -1 && MISSING("u1", bytes, "256") == -1);
    CU_ASSERT(MISSING("u1", bytes, "9.5") == -1 && MISSING("u1", bytes, "nan") == -1);
    CU_ASSERT(MISSING("u1", bytes, NULL) == 0 && MISSING("u1", bytes, "8") == 0);
    const int8_t small[] = {-128, 127, 0, -1};
    CU_ASSERT(MISSING("i1", small, "-128") == 1 && MISSING("i1", small, "128") == -1);
    CU_ASSERT(MISSING("i1", small, "255") == -1 && MISSING("i1", small, "-129") == -1);
    const int16_t shorts[] = {-9999, -32768, 32767, -9999};
    CU_ASSERT(MISSING("i2", shorts, "-9999") == 2 && MISSING("i2", shorts, "-32768") == 1);
    CU_ASSERT(MISSING("i2", shorts, "32768") == -1 && MISSING("i2", shorts, "-9.999e3") == 2);
    const uint32_t words[] = {UINT32_MAX, 0, 7};
    CU_ASSERT(MISSING("u4", words, "4294967295") == 1 && MISSING("u4", words, "-1") == -1);
    const int64_t longs[] = {INT64_MIN, INT64_MAX, (INT64_C(1) << 53) + 1, INT64_C(1) << 53};
    CU_ASSERT(MISSING("i8", longs, "9007199254740993") == 1 &&
              MISSING("i8", longs, "9007199254740992") == 1);
    CU_ASSERT(MISSING("i8", longs, "-9223372036854775808") == 1);
    CU_ASSERT(MISSING("i8", longs, "9223372036854775807") == 1);
    CU_ASSERT(MISSING("i8", longs, "9223372036854775808") == -1);
    const uint64_t high[] = {UINT64_MAX, UINT64_MAX - 1, UINT64_C(1) << 63};
    CU_ASSERT(MISSING("u8", high, "18446744073709551615") == 1);
    CU_ASSERT(MISSING("u8", high, "9223372036854775808") == 1);
    CU_ASSERT(MISSING("u8", high, "18446744073709551616") == -1);
}

TEST("reals are compared with the value rounded to their type, and NaN is always missing")
{
    const float floats[] = {.1F, NAN, -0.F, -FLT_MAX, HUGE_VALF, 0.F};
    CU_ASSERT(MISSING("f4", floats, NULL) == 1 && MISSING("f4", floats, "nan") == 1);
    CU_ASSERT(MISSING("f4", floats, "0.1") == 2 && MISSING("f4", floats, "0") == 3);
    CU_ASSERT(MISSING("f4", floats, "-3.4028234663852886e+38") == 2);
    CU_ASSERT(MISSING("f4", floats, "-3.40282347e+38") == 2 && MISSING("f4", floats, "inf") == 2);
    CU_ASSERT(MISSING("f4", floats, "1e39") == -1 && MISSING("f4", floats, "-Infinity") == 1);
    const double doubles[] = {.1, (double).1F, NAN, -DBL_MAX, 0x1p60};
    CU_ASSERT(MISSING("f8", doubles, "0.1") == 2 && MISSING("f8", doubles, "-9999") == 1);
    CU_ASSERT(MISSING("f8", doubles, "-1.79769313486232e+308") == 2);
    CU_ASSERT(MISSING("f8", doubles, "1152921504606846976") == 2);
    const uint16_t halves[] = {0xf0e2, 0x3c00, 0x7e00}; /* -10000, the nearest to -9999; 1; NaN */
    CU_ASSERT(MISSING("f2", halves, "-9999") == 2 && MISSING("f2", halves, "1") == 2);
}

TEST("text that is no number says nothing")
{
    halo_number number;
    static const char *const good[] = {"0",   "-9999", " 1e20 ",  "nan\n",  "-nan",
                                       "inf", "+7",    "1.#QNAN", "-1.#IND"};
    static const char *const bad[] = {"",    " ",    "x",   "1x",    "0x10",
                                      "1 2", "nanx", "--1", "1e400", "-"};
    for (size_t i = 0; i < COUNT(good); i++) {
        CU_ASSERT(halo_image_scan_nodata(good[i], &number));
    }
    for (size_t i = 0; i < COUNT(bad); i++) {
        CU_ASSERT(!halo_image_scan_nodata(bad[i], &number));
    }
}

TEST("greys that are made of wider numbers have a mark that is none of them")
{
    uint16_t greys[4 * MOST];
    halo_image_info info;
    int64_t missing;
    const int16_t shorts[] = {-9999, 5, 32767};
    CU_ASSERT(read_samples("i2", shorts, sizeof shorts, 3, "-9999", HALO_IMAGE_GREYS, &info,
                           &missing, greys) == HALO_OK &&
              missing == 1 && greys[0] == 65535 && info.nodata.cell == 65535 && greys[1] == 5 &&
              greys[2] == 32767);
    CU_ASSERT(read_samples("i2", shorts, sizeof shorts, 3, "5", HALO_IMAGE_GREYS, &info, &missing,
                           greys) == HALO_FORMAT); /* -9999 is no grey */
    const uint32_t words[] = {70000, 65534, 3}, more[] = {70000, 65535, 3};
    CU_ASSERT(read_samples("u4", words, sizeof words, 3, "70000", HALO_IMAGE_GREYS, &info, &missing,
                           greys) == HALO_OK &&
              missing == 1 && greys[0] == 65535 && greys[1] == 65534);
    CU_ASSERT(read_samples("u4", more, sizeof more, 3, "70000", HALO_IMAGE_GREYS, &info, &missing,
                           greys) == HALO_FORMAT);
}

TEST("reals that are made of whole numbers are NaN where these are missing")
{
    double reals[MOST];
    halo_image_info info;
    int64_t missing;
    const int64_t longs[] = {(INT64_C(1) << 53) + 1, INT64_C(1) << 53, -4};
    CU_ASSERT(read_samples("i8", longs, sizeof longs, 3, "9007199254740993", HALO_IMAGE_REALS,
                           &info, &missing, reals) == HALO_OK &&
              missing == 1 && isnan(reals[0]) && reals[1] == 0x1p53 && reals[2] == -4);
    const uint8_t bits[] = {1, 0, 1};
    CU_ASSERT(read_samples("b1", bits, sizeof bits, 3, "0", HALO_IMAGE_REALS, &info, &missing,
                           reals) == HALO_OK &&
              missing == 1 && isnan(reals[1]) && reals[0] == 1);
}

TEST("a pixel in colours is missing if all of its samples are, and greys of others are not theirs")
{
    enum { PIXELS = 3 };
    static const char file[] = "P6 3 1 255\n\x28\x28\x28\x28\x28\x29\x07\x08\x09";
    for (int colour = 0; colour < 2; colour++) {
        halo_image_reader *reader = NULL;
        halo_image_options options = {.want = colour ? HALO_IMAGE_COLOURS : HALO_IMAGE_NATIVE,
                                      .count_missing = true,
                                      .nodata = {.given = true, .value = halo_number_of(40)}};
        uint8_t row[MOST];
        CU_ASSERT(halo_image_reader_open_memory(&reader, "colours", file, sizeof file - 1,
                                                &options) == HALO_OK);
        CU_ASSERT(halo_image_reader_rows(reader, 0, 1, row, sizeof row) == HALO_OK);
        CU_ASSERT(halo_image_reader_missing(reader) == 1);
        CU_ASSERT(row[0] == 40 && (colour || (row[1] == 41 && row[2] == 8)));
        halo_image_reader_close(&reader);
    }
}

TEST("pixels that are missing are found, and others taken, in rows of any length")
{
    enum { LONG = 5000 };
    static uint16_t row[LONG], taken[LONG];
    static uint64_t bits[LONG / 64 + 1];
    for (int width = 1; width < LONG; width += 331) {
        halo_image_info info = {.width = width, .pixel_bits = 16, .cell_bits = 16};
        info.nodata.missing = HALO_MISSING_CELL;
        info.nodata.cell = 3;
        int64_t wanted = 0, wrong = 0, there = 0;
        for (int x = 0; x < width; x++) {
            row[x] = (uint16_t)(x * 7 % 5);
            wanted += row[x] == 3;
        }
        CU_ASSERT(halo_image_find_missing(&info, row, bits) == wanted);
        CU_ASSERT(halo_image_take_present(&info, row, taken) == width - wanted);
        for (int x = 0; x < width; x++) {
            bool is = (bits[x / 64] >> (x % 64) & 1) != 0;
            wrong += is != (row[x] == 3) || (!is && taken[there] != row[x]);
            there += !is;
        }
        CU_ASSERT(wrong == 0);
    }
}
