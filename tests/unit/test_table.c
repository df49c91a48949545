#include "io/table/table.h"
#include "support/images.h"
#include "support/scratch.h"
#include "support/unit_check.h"

#include <jansson.h>
#include <math.h>

/* Rows as they are, one after the other. */
typedef struct {
    const halo_table_value *values;
    int columns;
} list;

static void row_of_list(const void *context, int64_t row, halo_table_value *values)
{
    const list *from = context;
    memcpy(values, from->values + row * from->columns, (size_t)from->columns * sizeof *values);
}

static char *text_of(halo_buffer *out, const halo_table *table, halo_table_format format)
{
    out->size = 0;
    SUCCEEDS(halo_table_begin(out, table, format));
    SUCCEEDS(halo_table_append(out, table, format, 0, table->rows, 1));
    SUCCEEDS(halo_table_end(out, table, format));
    SUCCEEDS(halo_buffer_append(out, "", 1));
    return (char *)out->data;
}

static const halo_table_column columns[] = {
    {"label", HALO_TABLE_INTEGER}, {"area", HALO_TABLE_INTEGER}, {"mean_grey", HALO_TABLE_RATIO}};

TEST("both formats, byte for byte")
{
    const halo_table_value values[] = {{1, 0}, {-5, 0},        {2, 3},
                                       {2, 0}, {INT64_MIN, 0}, {INT64_MAX, 1},
                                       {3, 0}, {INT64_MAX, 0}, {0, 7}};
    const list from = {values, 3};
    const halo_table table = {columns, 3, 3, row_of_list, &from, 0};
    halo_buffer out = {0};
    CU_ASSERT_STRING_EQUAL(text_of(&out, &table, HALO_TABLE_CSV),
                           "label,area,mean_grey\n"
                           "1,-5,0.666667\n"
                           "2,-9223372036854775808,9223372036854775807.000000\n"
                           "3,9223372036854775807,0.000000\n");
    CU_ASSERT_STRING_EQUAL(
        text_of(&out, &table, HALO_TABLE_JSON),
        "[\n"
        "{\"label\": 1, \"area\": -5, \"mean_grey\": 0.666667},\n"
        "{\"label\": 2, \"area\": -9223372036854775808, "
        "\"mean_grey\": 9223372036854775807.000000},\n"
        "{\"label\": 3, \"area\": 9223372036854775807, \"mean_grey\": 0.000000}\n"
        "]\n");
    halo_buffer_free(&out);
}

TEST("no rows")
{
    const halo_table table = {columns, 3, 0, row_of_list, NULL, 0};
    halo_buffer out = {0};
    CU_ASSERT_STRING_EQUAL(text_of(&out, &table, HALO_TABLE_CSV), "label,area,mean_grey\n");
    json_error_t error;
    json_t *root = json_loads(text_of(&out, &table, HALO_TABLE_JSON), 0, &error);
    CU_ASSERT(json_is_array(root) && json_array_size(root) == 0);
    json_decref(root);
    halo_buffer_free(&out);
}

/* Another way to the same decimal: long division, a digit at a time. */
static void divide_by_hand(char *out, uint64_t numerator, uint64_t denominator)
{
    __extension__ typedef unsigned __int128 wide;
    uint64_t whole = numerator / denominator;
    uint64_t rest = numerator % denominator;
    uint64_t decimals = 0;
    for (int i = 0; i < 6; i++) {
        decimals = decimals * 10 + (uint64_t)((wide)rest * 10 / denominator);
        rest = (uint64_t)((wide)rest * 10 % denominator);
    }
    wide twice = (wide)rest * 2;
    if (twice > denominator || (twice == denominator && decimals % 2 == 1)) {
        decimals++;
    }
    whole += decimals / 1000000;
    sprintf(out, "%" PRIu64 ".%06" PRIu64 "\n", whole, decimals % 1000000);
}

/* One value as CSV; the digits of a number below 0 are those of the number above it. */
static void check_ratio(halo_buffer *out, int64_t numerator, int64_t denominator)
{
    static const halo_table_column mean[] = {{"mean", HALO_TABLE_RATIO}};
    char want[110];
    const halo_table_value value = {numerator, denominator};
    const list from = {&value, 1};
    const halo_table table = {mean, 1, 1, row_of_list, &from, 0};
    divide_by_hand(want, (uint64_t)llabs(numerator), (uint64_t)denominator);
    const char *text = text_of(out, &table, HALO_TABLE_CSV) + strlen("mean\n");
    bool minus = numerator < 0 && strcmp(want, "0.000000\n") != 0;
    check(strncmp(text, "-", minus) == 0 && strcmp(text + minus, want) == 0, "%s is not %s", text,
          want);
}

TEST("reals that are none")
{
    static const halo_table_column length[] = {{"length", HALO_TABLE_REAL}};
    const halo_table_value values[] = {halo_table_real((double)NAN), halo_table_real(2.5)};
    const list from = {values, 1};
    const halo_table table = {length, 1, 2, row_of_list, &from, 0};
    halo_buffer out = {0};
    CU_ASSERT_STRING_EQUAL(text_of(&out, &table, HALO_TABLE_CSV), "length\nnan\n2.5\n");
    json_error_t error;
    json_t *root = json_loads(text_of(&out, &table, HALO_TABLE_JSON), 0, &error);
    CU_ASSERT(json_is_null(json_object_get(json_array_get(root, 0), "length")));
    json_decref(root);
    halo_buffer_free(&out);
}

TEST("ratios rounded half to even")
{
    static const int64_t known[][2] = {{1, 2000000},       /* ties: to 0.000000, */
                                       {3, 2000000},       /* to 0.000002, */
                                       {1999999, 2000000}, /* and over to 1.000000 */
                                       {9999999, 10000000},
                                       {INT64_MAX, INT64_MAX},
                                       {INT64_MAX - 1, INT64_MAX},
                                       {0, INT64_MAX},
                                       {0, 1},
                                       {-1, 2000000},
                                       {-3, 2000000}};
    halo_buffer out = {0};
    uint64_t state = 12;
    for (size_t i = 0; i < COUNT(known); i++) {
        check_ratio(&out, known[i][0], known[i][1]);
    }
    for (int i = 0; i < 200000; i++) {
        int64_t sign = i % 2 == 0 ? 1 : -1;
        int64_t numerator = (int64_t)(random_next(&state) >> (1 + random_below(&state, 62)));
        int64_t denominator = (int64_t)(random_next(&state) >> (1 + random_below(&state, 62)));
        check_ratio(&out, sign * numerator, denominator + (denominator == 0));
        check_ratio(&out, sign * (2 * random_below(&state, 1 << 30) + 1), 2000000); /* a tie */
    }
    halo_buffer_free(&out);
}

TEST("integers of every length")
{
    static const halo_table_column one[] = {{"n", HALO_TABLE_INTEGER}};
    halo_buffer out = {0};
    uint64_t state = 8;
    for (int i = 0; i < 100000; i++) {
        int64_t number = (int64_t)random_next(&state) >> random_below(&state, 64);
        char want[60];
        sprintf(want, "n\n%" PRId64 "\n", number);
        const halo_table_value value = {number, 0};
        const list from = {&value, 1};
        const halo_table table = {one, 1, 1, row_of_list, &from, 0};
        CU_ASSERT_STRING_EQUAL(text_of(&out, &table, HALO_TABLE_CSV), want);
    }
    halo_buffer_free(&out);
}

TEST("ratios without a value")
{
    static const halo_table_value bad[] = {{1, 0}, {1, -2}, {-1, -2}};
    static const halo_table_column mean[] = {{"mean", HALO_TABLE_RATIO}};
    for (size_t i = 0; i < COUNT(bad); i++) {
        const list from = {&bad[i], 1};
        const halo_table table = {mean, 1, 1, row_of_list, &from, 0};
        halo_buffer out = {0};
        FAILS(HALO_ARGUMENT, "mean", halo_table_append(&out, &table, HALO_TABLE_JSON, 0, 1, 1));
        halo_buffer_free(&out);
    }
}

/* ---- reading --------------------------------------------------------------------------------- */

static const halo_table_column pair[] = {{"n", HALO_TABLE_INTEGER}, {"m_2", HALO_TABLE_INTEGER}};

typedef struct {
    int64_t values[8][2];
    int rows;
    bool full; /* the next row fails */
} taken;

static halo_status take_pair(void *context, const int64_t *values)
{
    taken *all = context;
    if (all->full) {
        return halo_fail(HALO_MEMORY, "full");
    }
    memcpy(all->values[all->rows++], values, sizeof all->values[0]);
    return HALO_OK;
}

static halo_status read_text(const char *path, const void *text, size_t bytes, taken *all)
{
    scratch_write(path, text, bytes);
    all->rows = 0;
    return halo_table_read(path, pair, 2, take_pair, all);
}

TEST("what was written is read again, and nothing else")
{
    static const halo_table_value values[] = {{INT64_MIN, 0}, {0, 0}, {-3, 0}, {INT64_MAX, 0}};
    static const char *const paths[] = {
        [HALO_TABLE_CSV] = "read.csv", [HALO_TABLE_JSON] = "read.json"};
    const list from = {values, 2};
    halo_buffer out = {0};
    taken all = {0};
    for (int format = HALO_TABLE_CSV; format <= HALO_TABLE_JSON; format++) {
        for (int rows = 0; rows <= 2; rows++) {
            const halo_table table = {pair, 2, rows, row_of_list, &from, 0};
            const char *text = text_of(&out, &table, (halo_table_format)format);
            SUCCEEDS(read_text(paths[format], text, strlen(text), &all));
            CU_ASSERT(all.rows == rows);
            for (int i = 0; i < 2 * rows; i++) {
                CU_ASSERT(all.values[i / 2][i % 2] == values[i].numerator);
            }
            FAILS(HALO_FORMAT, "line 1", read_text(paths[1 - format], text, strlen(text), &all));
        }
        /* Any byte that is another one: another number, or a line that is none. */
        for (size_t i = 0; i + 1 < out.size; i++) {
            char *byte = (char *)out.data + i, before = *byte;
            *byte = '#';
            FAILS(HALO_FORMAT, "line ", read_text(paths[format], out.data, out.size - 1, &all));
            *byte = before;
        }
        all.full = true;
        FAILS(HALO_MEMORY, "full", read_text(paths[format], out.data, out.size - 1, &all));
        all.full = false;
        FAILS(HALO_FORMAT, "empty", read_text(paths[format], "", 0, &all));
    }
    FAILS(HALO_FORMAT, "line 2", read_text("read.csv", "n,m_2\n1,2", 9, &all));
    FAILS(HALO_FORMAT, "line 2", read_text("read.csv", "n,m_2\n1,9223372036854775808\n", 28, &all));
    FAILS(HALO_FILE, "nowhere", halo_table_read("nowhere/t.csv", pair, 2, take_pair, &all));
    FAILS(HALO_ARGUMENT, "table.txt", halo_table_read("table.txt", pair, 2, take_pair, &all));
    halo_buffer_free(&out);
}

int main(void)
{
    return scratch_run();
}
