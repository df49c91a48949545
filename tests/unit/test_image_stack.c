#include "base/filename_pattern.h"
#include "io/image/image_reader.h"
#include "io/image/slices.h"
#include "support/scratch.h"
#include "support/unit_check.h"

#include <stdio.h>
#include <string.h>

/* Stacks: which files are slices, in which order, and rows of them in any order, also from formats
 * that are read in order only. */

enum { PLANES = 12, HEIGHT = 3, WIDTH = 5, ROWS = PLANES * HEIGHT, FIRST = 4 };

static int sample(int64_t row, int x)
{
    return (int)((row * 11 + x * 3) % 256);
}

/* A PGM, as bytes or as text, which has to be read from its beginning. */
static void write_slice(const char *name, int plane, bool text)
{
    char file[512];
    int used = snprintf(file, sizeof file, "P%d %d %d 255\n", text ? 2 : 5, WIDTH, HEIGHT);
    for (int i = 0; i < HEIGHT * WIDTH; i++) {
        int value = sample(plane * HEIGHT + i / WIDTH, i % WIDTH);
        if (text) {
            used += snprintf(file + used, sizeof file - (size_t)used, "%d\n", value);
        } else {
            file[used++] = (char)value;
        }
    }
    scratch_write(name, file, (size_t)used);
}

static void write_stack(const char *pattern, bool text)
{
    char name[64];
    filename_pattern parsed;
    char out[FILENAME_SIZE];
    SUCCEEDS(halo_filename_parse(&parsed, pattern));
    for (int plane = 0; plane < PLANES; plane++) {
        snprintf(name, sizeof name, "%s", halo_filename_print(&parsed, FIRST + plane, out));
        write_slice(name, plane, text);
    }
}

TEST("natural order")
{
    static const char *const ordered[] = {"",
                                          "01",
                                          "1",
                                          "2",
                                          "10",
                                          "a",
                                          "a01",
                                          "a1",
                                          "a2",
                                          "a9b",
                                          "a10",
                                          "a10b2",
                                          "a10b11",
                                          "a010b12",
                                          "ab",
                                          "b1c",
                                          "b1d",
                                          "z0009",
                                          "z00010",
                                          "z99999999999999999998",
                                          "z99999999999999999999"};
    enum { COUNT = sizeof ordered / sizeof *ordered };
    for (int i = 0; i < COUNT; i++) {
        for (int j = 0; j < COUNT; j++) {
            int order = halo_natural_order(ordered[i], ordered[j]);
            check((order > 0) - (order < 0) == (i > j) - (i < j), "\"%s\" and \"%s\": %d",
                  ordered[i], ordered[j], order);
        }
    }
}

TEST("numbers of names")
{
    static const struct {
        const char *pattern, *name;
        int64_t number;
    } cases[] = {{"z%04d.png", "z0012.png", 12},
                 {"z%04d.png", "z12345.png", 12345},
                 {"z%04d.png", "z012.png", -1},
                 {"z%04d.png", "z01234.png", -1},
                 {"z%d.png", "z0.png", 0},
                 {"z%d.png", "z007.png", -1},
                 {"z%d.png", "z.png", -1},
                 {"z%d.png", "z7.png.bak", -1},
                 {"z%d.png", "y7.png", -1},
                 {"%d", "1000000000000000000", -1},
                 {"%d", "999999999999999999", 999999999999999999},
                 {"z.png", "z.png", -1}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        filename_pattern pattern;
        SUCCEEDS(halo_filename_parse(&pattern, cases[i].pattern));
        int64_t number = halo_filename_match(&pattern, cases[i].name);
        check(number == cases[i].number, "%s, %s: %d", cases[i].pattern, cases[i].name,
              (int)number);
    }
}

static void check_names(const char *path, const char *const *names, int64_t count, int64_t first)
{
    halo_slices slices;
    SUCCEEDS(halo_slices_find(&slices, path, names, count));
    check(slices.count == PLANES && slices.first == first, "%s: %d slices from %d", path,
          (int)slices.count, (int)slices.first);
    for (int64_t i = 0; i < slices.count; i++) {
        char name[64];
        snprintf(name, sizeof name, "natural/z%d.pgm", (int)i + FIRST);
        CU_ASSERT_STRING_EQUAL(slices.name[i], name);
    }
    halo_slices_free(&slices);
}

TEST("which files are slices")
{
    static const char *const pattern[] = {"natural/z*.pgm"};
    static const char *const several[] = {"natural/z?.pgm", "natural/z10.pgm",
                                          "natural/z1[1-5].pgm"};
    write_stack("natural/z%d.pgm", false);
    scratch_text("natural/.hidden", "no image");
    scratch_text("natural/folder/file", "no image");
    check_names("natural", NULL, 0, 0);
    check_names("natural/", NULL, 0, 0);
    check_names("natural/z%d.pgm", NULL, 0, FIRST);
    check_names("whatever", pattern, 1, 0);
    check_names("whatever", several, 3, 0);
    scratch_text("zarr2/.zarray", "{}");
    scratch_text("zarr3/zarr.json", "{}");
    scratch_text("plain%d", "a file that is called so");
    CU_ASSERT(halo_slices_are_named("natural") && halo_slices_are_named("z%d.png") &&
              halo_slices_are_named("%d-%d"));
    CU_ASSERT(!halo_slices_are_named("zarr2") && !halo_slices_are_named("zarr3") &&
              !halo_slices_are_named("plain%d") && !halo_slices_are_named("none") &&
              !halo_slices_are_named("natural/z4.pgm"));
}

static void check_rows(halo_image_reader *reader, int64_t first, int64_t rows)
{
    unsigned char out[ROWS][WIDTH + 2];
    SUCCEEDS(halo_image_reader_rows(reader, first, rows, out, sizeof out[0]));
    for (int64_t i = 0; i < rows * WIDTH; i++) {
        check(out[i / WIDTH][i % WIDTH] == sample(first + i / WIDTH, (int)(i % WIDTH)),
              "another sample in row %d", (int)(first + i / WIDTH));
    }
}

static void check_reading(const char *path, int64_t first)
{
    halo_image_reader *reader = NULL;
    const halo_image_options options = {.volumes = true};
    SUCCEEDS(halo_image_reader_open(&reader, path, &options));
    if (reader == NULL) {
        return;
    }
    const halo_image_info *info = halo_image_reader_info(reader);
    CU_ASSERT_STRING_EQUAL(info->format, "PNM");
    check(info->axes == 3 && info->planes == PLANES && info->height == HEIGHT &&
              info->width == WIDTH && info->rows == ROWS && info->slices == PLANES &&
              info->first_slice == first && info->random_access && info->file_bytes > ROWS * WIDTH,
          "%s: another stack", path);
    check_rows(reader, 0, ROWS);
    check_rows(reader, 7, 10);
    for (int64_t row = ROWS - 1; row >= 0; row--) {
        check_rows(reader, row, 1);
    }
    SUCCEEDS(halo_image_reader_finish(reader));
    halo_image_reader_close(&reader);
}

TEST("rows of stacks in any order")
{
    write_stack("bytes/z%03d.pgm", false);
    write_stack("text/z%03d.pgm", true);
    check_reading("bytes/z%03d.pgm", FIRST);
    check_reading("bytes", 0);
    check_reading("text/z%03d.pgm", FIRST);
    check_reading("text", 0);
}

int main(void)
{
    return scratch_run();
}
