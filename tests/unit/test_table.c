#include "io/table/table.h"
#include "support/images.h"
#include "support/unit_check.h"

#include <jansson.h>

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
