#include "io/cells/cells.h"
#include "io/npy/npy.h"
#include "support/unit_check.h"

/* The headers of texts and arrays are parsed without reading cells, and some are refused. */

static halo_cells_format format_of_empty(const char *name)
{
    halo_cells_format format = HALO_CELLS_FORMATS;
    halo_cells_reader *reader = NULL;
    if (halo_cells_reader_open_memory(&reader, "", 0, name) == HALO_OK) {
        format = halo_cells_reader_info(reader)->format;
    }
    halo_cells_reader_close(&reader);
    return format;
}

TEST("names")
{
    static const struct {
        const char *path;
        halo_cells_format format;
    } paths[] = {{"a.rle", HALO_CELLS_RLE},      {"b/c.RLE.gz", HALO_CELLS_RLE},
                 {"x.cells", HALO_CELLS_CELLS},  {"x.lif", HALO_CELLS_LIFE105},
                 {"a.life", HALO_CELLS_LIFE105}, {"rle", HALO_CELLS_FORMATS},
                 {".rle", HALO_CELLS_FORMATS},   {"a.rle.png.mc", HALO_CELLS_FORMATS},
                 {".gz", HALO_CELLS_FORMATS},    {"", HALO_CELLS_FORMATS}};
    for (size_t i = 0; i < COUNT(paths); i++) {
        check(format_of_empty(paths[i].path) == paths[i].format, "%s", paths[i].path);
    }
    CU_ASSERT_STRING_EQUAL(halo_cells_format_name(HALO_CELLS_LIFE106), "life106");
    CU_ASSERT_PTR_NULL(halo_cells_format_name(HALO_CELLS_FORMATS));
}

/* text, name, format, width, height, rule, x, y */
#define ABOUT_LIST(X)                                                                             \
    X("bo$2bo$3o!", "a", RLE, 3, 3, "", 0, 0)                                                     \
    X("bo$2bo$3o", "a", RLE, 3, 3, "", 0, 0)                                                      \
    X("x = 3, y = 3, rule = B3/S23\nbo$2bo$3o!", "a.png", RLE, 3, 3, "B3/S23", 0, 0)              \
    X("#C\nX=9 ,Y=3,\nbo$2bo$3o!", "a.cells", RLE, 9, 3, "", 0, 0)                                \
    X("\xef\xbb\xbfx = 3, y = 3, rule = B3/S23,\rbob$2bo$3o!\r", "a", RLE, 3, 3, "B3/S23", 0, 0)  \
    X("x=3 y=3\nbo$2bo$3o!", "a", RLE, 3, 3, "", 0, 0)                                            \
    X("x = 3; y = 3; rule = 23/3\nbo$2bo$3o!", "a", RLE, 3, 3, "23/3", 0, 0)                      \
    X("x = 3 y = 3 rule = B3/S23:T9,9, by = me\nbo$2bo$3o!", "a", RLE, 3, 3, "B3/S23:T9,9", 0, 0) \
    X("\xef\xbb\xbf#C\r\n\r\n  x = 3, y = 3\r\n  bob$2bo$3o!", "a", RLE, 3, 3, "", 0, 0)          \
    X("x = 3, y = 3\nbxb$2bq$3yb7!", "a", RLE, 3, 3, "", 0, 0)                                    \
    X("\xef\xbb\xbf!Name\r.O\r\r..O\r", "a", CELLS, 3, 3, "", 0, 0)                               \
    X("\xef\xbb\xbf#life1.06\r-5 +7\r-6 7\r", "a", LIFE106, 2, 1, "", -6, 7)                      \
    X("#LIFE 1.05\n#P 1 1\n.O\n", "a", LIFE105, 1, 1, "", 2, 1)                                   \
    X("\xef\xbb\xbf[M2]\r#R B3/S23\r*\r", "a", MACROCELL, 1, 1, "B3/S23", -4, -3)                 \
    X("x = 3, y = 2\n!", "a", RLE, 3, 2, "", 0, 0)                                                \
    X("!", "a.rle", RLE, 0, 0, "", 0, 0)                                                          \
    X("", "a.rle", RLE, 0, 0, "", 0, 0)                                                           \
    X("x = 2, y = 1, rule = R5,C0,M1,S34..58,B34..45,NM:T400,400\r\n2o!", "a", RLE, 2, 1,         \
      "R5,C0,M1,S34..58,B34..45,NM:T400,400", 0, 0)                                               \
    X("#r 23/36\n#P -3 4\no!", "a", RLE, 1, 1, "23/36", -3, 4)                                    \
    X("#P not a place\no!", "a", RLE, 1, 1, "", 0, 0)                                             \
    X("9b$9b!", "a", RLE, 0, 0, "", 0, 0)                                                         \
    X("1099511627775bo!", "a", RLE, (int64_t)1 << 40, 1, "", 0, 0)                                \
    X("...\n", "a", CELLS, 3, 1, "", 0, 0)                                                        \
    X(".O\n\n\nO\n\n\n", "a", CELLS, 2, 4, "", 0, 0)                                              \
    X("", "a.cells", CELLS, 0, 0, "", 0, 0)                                                       \
    X("!", "a", CELLS, 0, 0, "", 0, 0)                                                            \
    X("#P 1 1\n.*\n", "a.lif", LIFE105, 1, 1, "", 2, 1)                                           \
    X("#Life 1.05\n#N\n*\n*", "a", LIFE105, 1, 2, "B3/S23", 0, 0)                                 \
    X("#Life 1.05\n#P\n\n.*", "a", LIFE105, 1, 1, "", 0, 0)                                       \
    X("#Life 1.06\n-5 +7\n-6 7", "a", LIFE106, 2, 1, "", -6, 7)                                   \
    X("#Life 1.06\n", "a", LIFE106, 0, 0, "", 0, 0)                                               \
    X("[M2] (golly 3.3)\n#R B3/S23\n#G 5\n$.*.*$..**$..*$\n4 0 0 0 1\n", "a", MACROCELL, 3, 3,    \
      "B3/S23", 1, 2)                                                                             \
    X("[M2]\r\n#C mine\r\n.*\r\n4 1 0 0 1\r\n", "a", MACROCELL, 9, 9, "", -7, -7)                 \
    X("[M2]\n#R B3/S23:T20,9\n*", "a", MACROCELL, 1, 1, "B3/S23:T20,9", -4, -3)                   \
    X("[M2]\n*\n4 1 0 0 0\n5 0 0 0 0\n", "a", MACROCELL, 0, 0, "", 0, 0)

TEST("sizes, places and rules")
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
    for (size_t i = 0; i < COUNT(cases); i++) {
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

/* ---- refused: the message has to name the file, the place, what stands there and what is allowed
 */

#define LARGEST "9223372036854775807"
#define TENS    "000000000000000000000000000000"

/* text, name, the place, words that the message must have */
static const struct {
    const char *text, *name, *place, *words;
} bad_texts[] = {
    {"x = 3, y = 3\nbo$2bz!", "a.rle", "line 2, column 6", "\"z\" stands where a count, b, o"},
    {"x = 3, y = 3\nbo$\n 2b?!", "a.rle", "line 3, column 4", "\"?\""},
    {"bo$2z!", "a.rle", "line 1, column 5", "\"z\" stands where b, o, a state"},
    {"bo$\x01!", "a.rle", "line 1, column 4", "the byte 0x01"},
    {"3 4b!", "a", "line 1, column 3", "\"4\" stands where b, o"},
    {"3\n4b!", "a", "line 2, column 1", "\"4\""},
    {"o3", "a.rle", "line 1, column 3", "the end of the file"},
    {"o0b!", "a", "line 1, column 3", "a count is 0"},
    {"o00$!", "a", "line 1, column 4", "a count is 0"},
    {"-1o!", "a.rle", "line 1, column 1", "\"-\""},
    {LARGEST "$o!", "a", "line 1, column 13", "at most 1099511627776"},
    {"99999999999999999999999999b!", "a", "line 1, column 13", "a count is too large"},
    {"18446744073709551619o!", "a", "line 1, column 13", "a count is too large"}, /* 2^64 + 3 */
    {"1099511627776b2b!", "a", "line 1, column 16", "2^40 columns"},
    {"1099511627776b\nb!", "a", "line 2, column 1", "2^40 columns"},
    {"1099511627776$$o!", "a", "line 1, column 15", "2^40 rows"},
    {"yP!", "a", "line 1, column 2", "\"P\" stands where a letter from A to O"},
    {"3pY!", "a.rle", "line 1, column 3", "\"Y\" stands where a count"},
    {"b #o\n!", "a.rle", "line 1, column 3", "\"#\""},
    {"x = , y = 3\no!", "a", "line 1, column 5", "\",\" stands where the width"},
    {"x 3, y = 3\no!", "a", "line 1, column 3", "where = is allowed"},
    {"x = -3, y = 3\no!", "a", "line 1, column 5", "\"-\""},
    {"x = 3\no!", "a", "line 1, column 6", "the end of the line stands where \"y = HEIGHT\""},
    {"x = 3, z = 3\no!", "a", "line 1, column 8", "\"z\" stands where \"y = HEIGHT\""},
    {"x = 3, y = 3, colour = 2\no!", "a", "line 1, column 15", "\"c\" stands where \"rule = \""},
    {"x = 3, y = 3: rule = B3/S23\no!", "a", "line 1, column 13", "\":\""},
    {"x = 3,, y = 3\no!", "a", "line 1, column 7", "\",\" stands where \"y = HEIGHT\""},
    {"x = 1099511627777, y = 3\no!", "a", "line 1, column 17", "the width is too large"},
    {"x = 3, y = " LARGEST "0\no!", "a", "line 1, column 24", "the height is too large"},
    {"#CXRLE Pos=1;2\no!", "a.rle", "line 1", "\"Pos=\""},
    {"#CXRLE Pos=9999999999999999999,1\no!", "a.rle", "line 1", "2^61"},
    {"#CXRLE Gen=-1\no!", "a.rle", "line 1", "\"Gen=\""},
    {"#CXRLE Gen=1" TENS TENS TENS TENS "\no!", "a.rle", "line 1", "1 to 120 digits"},
    {"!a\n.O\n.X.\n", "a", "line 3, column 2", "\"X\" stands where ., O, *"},
    {".O b\n", "a.cells", "line 1, column 4", "\"b\""},
    {"#Life 1.05\n#P 1\n*\n", "a", "line 2, column 5", "where a block's row"},
    {"#Life 1.05\n#P 1 2 3\n*\n", "a", "line 2, column 8", "the end of the line is allowed"},
    {"#Life 1.05\n#P x 2\n*\n", "a", "line 2, column 4", "\"x\" stands where a block's column"},
    {"#Life 1.05\n*o\n", "a", "line 2, column 2", "\"o\" stands where ., *"},
    {"#Life 1.05\n#P 2305843009213693953 0\n*", "a", "line 2, column 22", "too large"},
    {"#Life 1.05\n#P 2305843009213693952 0\n**", "a", "line 3, column 2", "2^61"},
    {"#Life 1.06\n1 x\n", "a", "line 2, column 3", "\"x\" stands where a cell's row"},
    {"#Life 1.06\n1\n", "a", "line 2, column 2", "the end of the line stands where"},
    {"#Life 1.06\n1,2\n", "a", "line 2, column 2", "\",\" stands where a blank"},
    {"#Life 1.06\n1 2 3\n", "a", "line 2, column 5", "the end of the line is allowed"},
    {"#Life 1.06\n- 2\n", "a", "line 2, column 2", "a blank stands where a cell's column"},
    {"#Life 1.06\n1 -2305843009213693953\n", "a", "line 2, column 22", "too large"},
    {"#Life 1.06\n0 0\n1099511627776 0\n", "a", "a: ", "too far apart"},
    {"#Life 1.06\n0 -1\n0 1099511627775\n", "a", "a: ", "2^40"},
    {"", "a", "a: ", "holds no cells"},
    {"#C only a remark\n", "a", "a: ", "holds no cells"},
    {"Dear reader,\n", "a.txt", "a.txt: ", "RLE, .cells, Life 1.05"},
    {"[M2] (golly 2.0)\n", "a.rle", "a.rle: ", "no node"},
    {"[M2]\n.........\n", "a", "line 2, column 9", "outside its 8 x 8 square"},
    {"[M2]\n$$$$$$$$*\n", "a", "line 2, column 9", "outside its 8 x 8 square"},
    {"[M2]\n.o\n", "a", "line 2, column 2", "\"o\" stands where ., *, $"},
    {"[M2]\n1 0 1 2 3\n", "a", "line 2", "more than two states"},
    {"[M2]\n62 0 0 0 0\n", "a", "line 2", "level is too large: at most 61"},
    {"[M2]\n*\n4 2 0 0 0\n", "a", "line 3", "at most 1 is allowed"},
    {"[M2]\n*\n4 0 0 1\n", "a", "line 3, column 8", "the number of a node"},
    {"[M2]\n*\n5 0 0 0 1\n", "a", "line 3", "level 3 where one of level 4"},
    {"[M2]\n#G 1" TENS TENS TENS TENS "\n*\n", "a", "line 2", "1 to 120 digits"},
    {"[M2]\n#G x\n*\n", "a", "line 2", "1 to 120 digits"},
    {"#MCell 4.0\n", "a.rle", "a.rle: ", "MCell"},
    {"PK\x03\x04", "a.rle", "a.rle: ", "archive is damaged"},
    {"P7\nWIDTH 3\nHEIGHT 1\nDEPTH 1\nMAXVAL 1\nENDHDR\n", "a", "a: ", "a PAM image"},
    {"NRRD0004\ntype: uint8\n", "a", "a: ", "NRRD header lacks"},
    {"SIMPLE  =", "a", "a: ", "a FITS image"},
    {"GIF89a", "a.png", "a.png: ", "GIF"},
    {"\x89PNG\r\n\x1a\n", "a.png", "a.png: ", "cut off"},
};

static void refused(const void *data, size_t bytes, const char *name, const char *place,
                    const char *words, int number)
{
    /* In a block of its own size, so that a sanitizer sees a byte read too far. */
    unsigned char *copy = malloc(bytes + (bytes == 0));
    CU_ASSERT_PTR_NOT_NULL_FATAL(copy);
    memcpy(copy, data, bytes);
    halo_cells_reader *reader = NULL;
    halo_status status = halo_cells_reader_open_memory(&reader, copy, bytes, name);
    const char *message = halo_last_message();
    check(status == HALO_FORMAT, "case %d (%s) was read: status %d", number, words, (int)status);
    check(reader == NULL, "case %d left a reader", number);
    check(strncmp(message, name, strlen(name)) == 0 && strstr(message, place) != NULL &&
              strstr(message, words) != NULL,
          "case %d: not \"%s\" and \"%s\" in: %s", number, place, words, message);
    halo_cells_reader_close(&reader);
    free(copy);
}

TEST("texts")
{
    for (size_t i = 0; i < COUNT(bad_texts); i++) {
        refused(bad_texts[i].text, strlen(bad_texts[i].text), bad_texts[i].name, bad_texts[i].place,
                bad_texts[i].words, (int)i);
    }
}

TEST("a long rule")
{
    char text[3000] = "x = 1, y = 1, rule = ";
    memset(text + strlen(text), 'B', 2000);
    strcat(text, "\no!");
    refused(text, strlen(text), "a", "line 1", "the rule is longer than", 0);
}

/* --- Arrays --- */

/* dictionary, words that the message must have */
static const struct {
    const char *dictionary, *words;
} bad_arrays[] = {
    {"{'descr': '|u1', 'fortran_order': Maybe, 'shape': (1, 1), }", "fortran_order"},
    {"{'descr': '|u1', 'fortran_order': False, 'shape': (1,), }", "1 axis"},
    {"{'descr': '|u1', 'fortran_order': False, 'shape': (), }", "no axes"},
    {"{'descr': '|u1', 'fortran_order': False, 'shape': (3, 1, 1), }", "z=0"},
    {"{'descr': '|u1', 'fortran_order': False, 'shape': (1, 1, 3), }", "--channel"},
    {"{'descr': '|u1', 'fortran_order': False, 'shape': (1, -1), }", "shape"},
    {"{'descr': '|u1', 'fortran_order': False, 'shape': (1 1), }", "shape"},
    {"{'descr': '|u1', 'fortran_order': False, 'shape': 1, }", "shape"},
    {"{'descr': '|u1', 'fortran_order': False, 'shape': (1, " LARGEST "), }", "too large"},
    {"{'descr': '|u1', 'fortran_order': False, 'shape': (1, " LARGEST "9), }", "2^63 - 1"},
    {"{'descr': '|u1', 'fortran_order': False, 'shape': (4294967296, 4294967296), }", "2^59"},
    {"{'descr': '|u1', 'fortran_order': False, 'shape': (1, 2199023255552), }", "2147483647"},
    {"{'descr': '<c8', 'fortran_order': False, 'shape': (1, 1), }", "\"<c8\""},
    {"{'descr': '', 'fortran_order': False, 'shape': (1, 1), }", "\"\""},
    {"{'descr': [('a', '<i4')], 'fortran_order': False, 'shape': (1, 1), }", "one field"},
    {"{'descr': '|u1', 'shape': (1, 1), }", "lacks"},
    {"{'descr': '|u1', 'order': 'C', 'shape': (1, 1), }", "an entry that is not"},
    {"{'descr': '|u1', 'fortran_order': False, 'shape': (1, 1)", "no dictionary"},
    {"{'descr: '|u1', 'fortran_order': False, 'shape': (1, 1), }", "no dictionary"},
    {"[]", "no dictionary"},
    {"", "no dictionary"},
    {"{'descr': '|u1', 'fortran_order': False, 'shape': (3, 2), }", "of 3 rows"},
    {"{'descr': '|i1', 'fortran_order': False, 'shape': (1, 3), }", "row 0, column 2"},
    {"{'descr': '<i2', 'fortran_order': False, 'shape': (1, 1), }", "from 0 to 255"},
    {"{'descr': '>u2', 'fortran_order': False, 'shape': (1, 1), }", "row 0, column 0"},
};

static size_t make_array(unsigned char *file, int version, const char *dictionary)
{
    /* Samples: 1, 1, -2. */
    static const unsigned char samples[] = {1, 1, 0xfe};
    size_t length = strlen(dictionary), width = version == 1 ? 2 : 4;
    memcpy(file, "\x93NUMPY", 6);
    file[6] = (unsigned char)version;
    file[7] = 0;
    memset(file + 8, 0, width);
    file[8] = (unsigned char)(length & 255);
    file[9] = (unsigned char)(length >> 8);
    memcpy(file + 8 + width, dictionary, length);
    memcpy(file + 8 + width + length, samples, sizeof samples);
    return 8 + width + length + sizeof samples;
}

TEST("arrays")
{
    unsigned char file[400];
    for (size_t i = 0; i < COUNT(bad_arrays); i++) {
        size_t bytes = make_array(file, 1 + (int)(i % 3), bad_arrays[i].dictionary);
        refused(file, bytes, "a.npy", "a.npy: ", bad_arrays[i].words, (int)i);
    }
}

/* Cut off anywhere, an array is refused; whole, it is read. */
TEST("arrays cut off")
{
    unsigned char file[400];
    for (int version = 1; version <= 3; version++) {
        size_t bytes = make_array(file, version,
                                  "{'shape': (2,1), \"fortran_order\": False, 'descr': '=u1' }\n");
        for (size_t cut = 6; cut < bytes - 1; cut++) {
            refused(file, cut, "a", "a: ", "a", (int)cut);
        }
        halo_cells_reader *reader = NULL;
        SUCCEEDS(halo_cells_reader_open_memory(&reader, file, bytes, "a"));
        halo_cells_reader_close(&reader);
        file[6] = 4;
        refused(file, bytes, "a", "version 4", "1 to 3", version);
    }
}

/* Not-a-number is missing, and so dead. */
TEST("NaN")
{
    const halo_npy_header header = {.width = 3, .height = 1, .type = HALO_SAMPLE_F64};
    const double samples[] = {INFINITY, NAN, -.5};
    halo_buffer file = {0};
    halo_cells_reader *reader = NULL;
    uint64_t row = 0;
    SUCCEEDS(halo_npy_begin(&file, &header));
    SUCCEEDS(halo_buffer_append(&file, samples, sizeof samples));
    SUCCEEDS(halo_cells_reader_open_memory(&reader, file.data, file.size, "a"));
    SUCCEEDS(halo_cells_reader_rows(reader, 1, &row, sizeof row));
    CU_ASSERT_EQUAL(row, 5);
    halo_cells_reader_close(&reader);
    halo_buffer_free(&file);
}

/* --- Wrong calls --- */

TEST("wrong calls")
{
    static const char text[] = "x = 65, y = 2\no$o!";
    uint64_t rows[4];
    halo_cells_reader *reader = NULL;
    SUCCEEDS(halo_cells_reader_open_memory(&reader, text, strlen(text), "a"));
    CU_ASSERT_EQUAL(halo_cells_reader_rows(reader, 3, rows, 16), HALO_ARGUMENT);
    CU_ASSERT_EQUAL(halo_cells_reader_rows(reader, -1, rows, 16), HALO_ARGUMENT);
    CU_ASSERT_EQUAL(halo_cells_reader_rows(reader, 1, rows, 8), HALO_ARGUMENT);
    CU_ASSERT_EQUAL(halo_cells_reader_rows(reader, 1, rows, 17), HALO_ARGUMENT);
    CU_ASSERT_EQUAL(halo_cells_reader_finish(reader), HALO_ARGUMENT);
    SUCCEEDS(halo_cells_reader_rows(reader, 0, rows, 16));
    SUCCEEDS(halo_cells_reader_rows(reader, 2, rows, 16));
    CU_ASSERT_EQUAL(halo_cells_reader_rows(reader, 1, rows, 16), HALO_ARGUMENT);
    SUCCEEDS(halo_cells_reader_finish(reader));
    CU_ASSERT(rows[0] == 1 && rows[1] == 0 && rows[2] == 1 && rows[3] == 0);
    halo_cells_reader_close(&reader);
    halo_cells_reader_close(&reader);
}
