#include "io/cells/cells.h"
#include "io/npy/npy.h"
#include "support/unit_check.h"

#include <stdlib.h>
#include <string.h>

/* Files that are refused: the message has to name the file, the place, what stands there and what
 * is allowed. */

#define LARGEST "9223372036854775807"

/* text, name, the place, words that the message must have */
#define BAD_LIST(X)                                                                               \
    X("x = 3, y = 3\nbo$2bq", "a.rle", "line 2, column 7", "the end of the file")                 \
    X("x = 3, y = 3\nbo$2bz!", "a.rle", "line 2, column 6", "\"z\" stands where a count, b, o")   \
    X("x = 3, y = 3\nbo$\n 2b?!", "a.rle", "line 3, column 4", "\"?\"")                           \
    X("bo$2z!", "a.rle", "line 1, column 5", "\"z\" stands where b, o, a state")                  \
    X("bo$\x01!", "a.rle", "line 1, column 4", "the byte 0x01")                                   \
    X("3 4b!", "a", "line 1, column 3", "\"4\" stands where b, o")                                \
    X("3\n4b!", "a", "line 2, column 1", "\"4\"")                                                 \
    X("o3!", "a", "line 1, column 3", "\"!\" stands where b, o")                                  \
    X("o3", "a.rle", "line 1, column 3", "the end of the file")                                   \
    X("o0b!", "a", "line 1, column 3", "a count is 0")                                            \
    X("o00$!", "a", "line 1, column 4", "a count is 0")                                           \
    X("-1o!", "a.rle", "line 1, column 1", "\"-\"")                                               \
    X(LARGEST "$o!", "a", "line 1, column 13", "at most 1099511627776")                           \
    X("99999999999999999999999999b!", "a", "line 1, column 13", "a count is too large")           \
    X("18446744073709551619o!", "a", "line 1, column 13", "a count is too large") /* 2^64 + 3 */  \
    X("1099511627776b2b!", "a", "line 1, column 16", "2^40 columns")                              \
    X("1099511627776b\nb!", "a", "line 2, column 1", "2^40 columns")                              \
    X("1099511627776$$o!", "a", "line 1, column 15", "2^40 rows")                                 \
    X("ypA!", "a", "line 1, column 2", "A to O")                                                  \
    X("yP!", "a", "line 1, column 2", "\"P\" stands where a letter from A to O")                  \
    X("3pY!", "a.rle", "line 1, column 3", "A to X")                                              \
    X("pp!", "a", "line 1, column 2", "A to X")                                                   \
    X("p", "a", "line 1, column 2", "the end of the file")                                        \
    X("b #o\n!", "a.rle", "line 1, column 3", "\"#\"")                                            \
    X("x = , y = 3\no!", "a", "line 1, column 5", "\",\" stands where the width")                 \
    X("x 3, y = 3\no!", "a", "line 1, column 3", "where = is allowed")                            \
    X("x = -3, y = 3\no!", "a", "line 1, column 5", "\"-\"")                                      \
    X("x = 3\no!", "a", "line 1, column 6", "the end of the line stands where a comma")           \
    X("x = 3, z = 3\no!", "a", "line 1, column 8", "\"z\" stands where \"y = HEIGHT\"")           \
    X("x = 3, y = 3, colour = 2\no!", "a", "line 1, column 15", "\"c\" stands where \"rule = \"") \
    X("x = 3, y = 3; rule = B3/S23\no!", "a", "line 1, column 13", "\";\"")                       \
    X("x = 1099511627777, y = 3\no!", "a", "line 1, column 17", "the width is too large")         \
    X("x = 3, y = " LARGEST "0\no!", "a", "line 1, column 24", "the height is too large")         \
    X("#CXRLE Pos=1;2\no!", "a.rle", "line 1", "\"Pos=\"")                                        \
    X("#CXRLE Pos=9999999999999999999,1\no!", "a.rle", "line 1", "2^61")                          \
    X("#CXRLE Gen=-1\no!", "a.rle", "line 1", "\"Gen=\"")                                         \
    X("#CXRLE Gen=9223372036854775808\no!", "a.rle", "line 1", "2^63 - 1")                        \
    X("!a\n.O\n.X.\n", "a", "line 3, column 2", "\"X\" stands where ., O, *")                     \
    X(".O b\n", "a.cells", "line 1, column 4", "\"b\"")                                           \
    X("#Life 1.05\n#P 1\n*\n", "a", "line 2, column 5", "where a block's row")                    \
    X("#Life 1.05\n#P 1 2 3\n*\n", "a", "line 2, column 8", "the end of the line is allowed")     \
    X("#Life 1.05\n#P x 2\n*\n", "a", "line 2, column 4", "\"x\" stands where a block's column")  \
    X("#Life 1.05\n*O\n", "a", "line 2, column 2", "\"O\" stands where ., *")                     \
    X("#Life 1.05\n#P 2305843009213693953 0\n*", "a", "line 2, column 22", "too large")           \
    X("#Life 1.05\n#P 2305843009213693952 0\n**", "a", "line 3, column 2", "2^61")                \
    X("#Life 1.06\n1 x\n", "a", "line 2, column 3", "\"x\" stands where a cell's row")            \
    X("#Life 1.06\n1\n", "a", "line 2, column 2", "the end of the line stands where")             \
    X("#Life 1.06\n1,2\n", "a", "line 2, column 2", "\",\" stands where a blank")                 \
    X("#Life 1.06\n1 2 3\n", "a", "line 2, column 5", "the end of the line is allowed")           \
    X("#Life 1.06\n- 2\n", "a", "line 2, column 2", "a blank stands where a cell's column")       \
    X("#Life 1.06\n1 -2305843009213693953\n", "a", "line 2, column 22", "too large")              \
    X("#Life 1.06\n0 0\n1099511627776 0\n", "a", "a: ", "too far apart")                          \
    X("#Life 1.06\n0 -1\n0 1099511627775\n", "a", "a: ", "2^40")                                  \
    X("", "a", "a: ", "holds no cells")                                                           \
    X("#C only a remark\n", "a", "a: ", "holds no cells")                                         \
    X("Dear reader,\n", "a.txt", "a.txt: ", "RLE, .cells, Life 1.05")                             \
    X("[M2] (golly 2.0)\n", "a.rle", "a.rle: ", "macrocell")                                      \
    X("#MCell 4.0\n", "a.rle", "a.rle: ", "MCell")                                                \
    X("PK\x03\x04", "a.rle", "a.rle: ", "zip")                                                    \
    X("GIF89a", "a.png", "a.png: ", "GIF")                                                        \
    X("\x89PNG\r\n\x1a\n", "a.png", "a.png: ", "cut off")

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

static void test_texts(void)
{
    static const struct {
        const char *text, *name, *place, *words;
    } cases[] = {
#define CASE(text, name, place, words) {text, name, place, words},
        BAD_LIST(CASE)
#undef CASE
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        refused(cases[i].text, strlen(cases[i].text), cases[i].name, cases[i].place, cases[i].words,
                (int)i);
    }
}

static void test_long_rule(void)
{
    char text[3000] = "x = 1, y = 1, rule = ";
    memset(text + strlen(text), 'B', 2000);
    strcat(text, "\no!");
    refused(text, strlen(text), "a", "line 1", "the rule is longer than", 0);
}

/* --- Arrays --- */

/* dictionary, words that the message must have */
#define BAD_ARRAY_LIST(X)                                                                      \
    X("{'descr': '|u1', 'fortran_order': True, 'shape': (1, 1), }", "ascontiguousarray")       \
    X("{'descr': '|u1', 'fortran_order': Maybe, 'shape': (1, 1), }", "fortran_order")          \
    X("{'descr': '|u1', 'fortran_order': False, 'shape': (1,), }", "1 axes")                   \
    X("{'descr': '|u1', 'fortran_order': False, 'shape': (), }", "0 axes")                     \
    X("{'descr': '|u1', 'fortran_order': False, 'shape': (1, 1, 1), }", "reshape")             \
    X("{'descr': '|u1', 'fortran_order': False, 'shape': (1, -1), }", "shape")                 \
    X("{'descr': '|u1', 'fortran_order': False, 'shape': (1 1), }", "shape")                   \
    X("{'descr': '|u1', 'fortran_order': False, 'shape': 1, }", "shape")                       \
    X("{'descr': '|u1', 'fortran_order': False, 'shape': (1, " LARGEST "), }", "too large")    \
    X("{'descr': '|u1', 'fortran_order': False, 'shape': (1, " LARGEST "9), }", "2^63 - 1")    \
    X("{'descr': '|u1', 'fortran_order': False, 'shape': (4294967296, 4294967296), }", "2^59") \
    X("{'descr': '|u1', 'fortran_order': False, 'shape': (1, 2199023255552), }", "2^40")       \
    X("{'descr': '<c8', 'fortran_order': False, 'shape': (1, 1), }", "\"<c8\"")                \
    X("{'descr': '<f2', 'fortran_order': False, 'shape': (1, 1), }", "astype")                 \
    X("{'descr': '', 'fortran_order': False, 'shape': (1, 1), }", "\"\"")                      \
    X("{'descr': [('a', '<i4')], 'fortran_order': False, 'shape': (1, 1), }", "one field")     \
    X("{'descr': '|u1', 'shape': (1, 1), }", "lacks")                                          \
    X("{'descr': '|u1', 'order': 'C', 'shape': (1, 1), }", "an entry that is not")             \
    X("{'descr': '|u1', 'fortran_order': False, 'shape': (1, 1)", "no dictionary")             \
    X("{'descr: '|u1', 'fortran_order': False, 'shape': (1, 1), }", "no dictionary")           \
    X("[]", "no dictionary")                                                                   \
    X("", "no dictionary")                                                                     \
    X("{'descr': '|u1', 'fortran_order': False, 'shape': (3, 2), }", "1 of 3 rows")            \
    X("{'descr': '|i1', 'fortran_order': False, 'shape': (1, 3), }", "row 0, column 2")        \
    X("{'descr': '<i2', 'fortran_order': False, 'shape': (1, 1), }", "from 0 to 255")          \
    X("{'descr': '>u2', 'fortran_order': False, 'shape': (1, 1), }", "row 0, column 0")

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

static void test_arrays(void)
{
    static const struct {
        const char *dictionary, *words;
    } cases[] = {
#define CASE(dictionary, words) {dictionary, words},
        BAD_ARRAY_LIST(CASE)
#undef CASE
    };
    unsigned char file[400];
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        size_t bytes = make_array(file, 1 + (int)(i % 3), cases[i].dictionary);
        refused(file, bytes, "a.npy", "a.npy: ", cases[i].words, (int)i);
    }
}

/* Cut off anywhere, an array is refused; whole, it is read. */
static void test_cut_arrays(void)
{
    unsigned char file[400];
    for (int version = 1; version <= 3; version++) {
        size_t bytes = make_array(file, version,
                                  "{'shape': (2,1), \"fortran_order\": False, 'descr': '=u1' }\n");
        for (size_t cut = 6; cut < bytes - 1; cut++) {
            refused(file, cut, "a", "a: ", "a", (int)cut);
        }
        halo_cells_reader *reader = NULL;
        CU_ASSERT_EQUAL(halo_cells_reader_open_memory(&reader, file, bytes, "a"), HALO_OK);
        halo_cells_reader_close(&reader);
        file[6] = 4;
        refused(file, bytes, "a", "version 4", "1 to 3", version);
    }
}

/* Not-a-number is neither dead nor alive. */
static void test_nan(void)
{
    const halo_npy_header header = {.width = 2, .height = 1, .type = HALO_NPY_F64};
    const uint64_t samples[] = {UINT64_C(0x7ff0000000000000), UINT64_C(0x7ff8000000000000)};
    halo_buffer file = {0};
    CU_ASSERT_EQUAL(halo_npy_begin(&file, &header), HALO_OK);
    CU_ASSERT_EQUAL(halo_buffer_append(&file, samples, sizeof samples), HALO_OK);
    refused(file.data, file.size, "a", "row 0, column 1", "no state", 0);
    halo_buffer_free(&file);
}

/* --- Wrong calls --- */

static void test_calls(void)
{
    static const char text[] = "x = 65, y = 2\no$o!";
    uint64_t rows[4];
    halo_cells_reader *reader = NULL;
    CU_ASSERT_EQUAL_FATAL(halo_cells_reader_open_memory(&reader, text, strlen(text), "a"), HALO_OK);
    CU_ASSERT_EQUAL(halo_cells_reader_rows(reader, 3, rows, 16), HALO_ARGUMENT);
    CU_ASSERT_EQUAL(halo_cells_reader_rows(reader, -1, rows, 16), HALO_ARGUMENT);
    CU_ASSERT_EQUAL(halo_cells_reader_rows(reader, 1, rows, 8), HALO_ARGUMENT);
    CU_ASSERT_EQUAL(halo_cells_reader_rows(reader, 1, rows, 17), HALO_ARGUMENT);
    CU_ASSERT_EQUAL(halo_cells_reader_finish(reader), HALO_ARGUMENT);
    CU_ASSERT_EQUAL(halo_cells_reader_rows(reader, 0, rows, 16), HALO_OK);
    CU_ASSERT_EQUAL(halo_cells_reader_rows(reader, 2, rows, 16), HALO_OK);
    CU_ASSERT_EQUAL(halo_cells_reader_rows(reader, 1, rows, 16), HALO_ARGUMENT);
    CU_ASSERT_EQUAL(halo_cells_reader_finish(reader), HALO_OK);
    CU_ASSERT(rows[0] == 1 && rows[1] == 0 && rows[2] == 1 && rows[3] == 0);
    halo_cells_reader_close(&reader);
    halo_cells_reader_close(&reader);
}

UNIT_CHECK_MAIN("cells_bad", {"texts", test_texts}, {"a long rule", test_long_rule},
                {"arrays", test_arrays}, {"arrays cut off", test_cut_arrays}, {"NaN", test_nan},
                {"wrong calls", test_calls})
