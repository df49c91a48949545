#include "io/cells/cells.h"
#include "support/unit_check.h"

#include <string.h>

/* What is known without reading cells. */

static void test_names(void)
{
    static const struct {
        const char *path;
        halo_cells_format format;
    } paths[] = {{"a.rle", HALO_CELLS_RLE},      {"b/c.RLE.gz", HALO_CELLS_RLE},
                 {"x.cells", HALO_CELLS_CELLS},  {".lif", HALO_CELLS_LIFE105},
                 {"a.life", HALO_CELLS_LIFE105}, {"a.PNG", HALO_CELLS_PNG},
                 {"a.npy", HALO_CELLS_NPY}};
    for (size_t i = 0; i < sizeof paths / sizeof paths[0]; i++) {
        halo_cells_format format = HALO_CELLS_FORMATS;
        CU_ASSERT_EQUAL(halo_cells_format_from_path(paths[i].path, &format), HALO_OK);
        check(format == paths[i].format, "%s", paths[i].path);
    }
    halo_cells_format format;
    CU_ASSERT_EQUAL(halo_cells_format_from_path("rle", &format), HALO_ARGUMENT);
    CU_ASSERT_EQUAL(halo_cells_format_from_path("a.rle.png.mc", &format), HALO_ARGUMENT);
    CU_ASSERT_EQUAL(halo_cells_format_from_path("", &format), HALO_ARGUMENT);
    CU_ASSERT_STRING_EQUAL(halo_cells_format_name(HALO_CELLS_LIFE106), "life106");
    CU_ASSERT_PTR_NULL(halo_cells_format_name(HALO_CELLS_FORMATS));
}

/* text, name, format, width, height, rule, x, y */
#define ABOUT_LIST(X)                                                                     \
    X("bo$2bo$3o!", "a", RLE, 3, 3, "", 0, 0)                                             \
    X("bo$2bo$3o", "a", RLE, 3, 3, "", 0, 0)                                              \
    X("x = 3, y = 3, rule = B3/S23\nbo$2bo$3o!", "a.png", RLE, 3, 3, "B3/S23", 0, 0)      \
    X("#C\nX=9 ,Y=3,\nbo$2bo$3o!", "a.cells", RLE, 9, 3, "", 0, 0)                        \
    X("x = 3, y = 2\n!", "a", RLE, 3, 2, "", 0, 0)                                        \
    X("!", "a.rle", RLE, 0, 0, "", 0, 0)                                                  \
    X("", "a.rle", RLE, 0, 0, "", 0, 0)                                                   \
    X("x = 2, y = 1, rule = R5,C0,M1,S34..58,B34..45,NM:T400,400\r\n2o!", "a", RLE, 2, 1, \
      "R5,C0,M1,S34..58,B34..45,NM:T400,400", 0, 0)                                       \
    X("#r 23/36\n#P -3 4\no!", "a", RLE, 1, 1, "23/36", -3, 4)                            \
    X("#P not a place\no!", "a", RLE, 1, 1, "", 0, 0)                                     \
    X("9b$9b!", "a", RLE, 0, 0, "", 0, 0)                                                 \
    X("1099511627775bo!", "a", RLE, (int64_t)1 << 40, 1, "", 0, 0)                        \
    X("...\n", "a", CELLS, 3, 1, "", 0, 0)                                                \
    X(".O\n\n\nO\n\n\n", "a", CELLS, 2, 4, "", 0, 0)                                      \
    X("", "a.cells", CELLS, 0, 0, "", 0, 0)                                               \
    X("!", "a", CELLS, 0, 0, "", 0, 0)                                                    \
    X("#P 1 1\n.*\n", "a.lif", LIFE105, 1, 1, "", 2, 1)                                   \
    X("#Life 1.05\n#N\n*\n*", "a", LIFE105, 1, 2, "B3/S23", 0, 0)                         \
    X("#Life 1.05\n#P\n\n.*", "a", LIFE105, 1, 1, "", 0, 0)                               \
    X("#Life 1.06\n-5 +7\n-6 7", "a", LIFE106, 2, 1, "", -6, 7)                           \
    X("#Life 1.06\n", "a", LIFE106, 0, 0, "", 0, 0)

static void test_about(void)
{
    static const struct {
        const char *text, *name;
        halo_cells_format format;
        int64_t width, height;
        const char *rule;
        int64_t x, y;
    } cases[] = {
#define CASE(text, name, format, ...) {text, name, HALO_CELLS_##format, __VA_ARGS__},
        ABOUT_LIST(CASE)
#undef CASE
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        halo_cells_reader *reader = NULL;
        halo_status status = halo_cells_reader_open_memory(&reader, cases[i].text,
                                                           strlen(cases[i].text), cases[i].name);
        if (!check(status == HALO_OK, "case %zu: %s", i, halo_last_message())) {
            continue;
        }
        const halo_cells_info *info = halo_cells_reader_info(reader);
        check(info->format == cases[i].format && info->width == cases[i].width &&
                  info->height == cases[i].height && info->x == cases[i].x &&
                  info->y == cases[i].y && strcmp(info->rule, cases[i].rule) == 0,
              "case %zu: format %d, %lld x %lld, rule \"%s\", at %lld, %lld", i, (int)info->format,
              (long long)info->width, (long long)info->height, info->rule, (long long)info->x,
              (long long)info->y);
        halo_cells_reader_close(&reader);
        CU_ASSERT_PTR_NULL(reader);
    }
}

UNIT_CHECK_MAIN("cells_about", {"names", test_names}, {"sizes, places and rules", test_about})
