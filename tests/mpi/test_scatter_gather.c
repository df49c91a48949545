#include "core/move/scatter_gather.h"
#include "partition/cuts.h"
#include "support/images.h"
#include "support/mpi_check.h"

#include <inttypes.h>

enum { MAX_RANKS = 64, FAILS_NEVER = -1 };

/* Rows whose every byte is known from its place; row `failing` cannot be had. */
typedef struct {
    size_t row_bytes;
    int64_t next, failing; /* global rows */
    int64_t delivered;     /* local rows */
} rows_made;

static unsigned char byte_at(int64_t row, size_t x)
{
    return (unsigned char)(row * 7 + (int64_t)x * 3 + 1);
}

static halo_status make(void *context, int64_t first, int64_t rows, void *out, size_t pitch)
{
    rows_made *made = context;
    expect(first == made->next && rows > 0, "asked for row %" PRId64 " instead of %" PRId64, first,
           made->next);
    made->next = first + rows;
    for (int64_t y = 0; y < rows; y++) {
        if (first + y == made->failing) {
            return halo_fail(HALO_FORMAT, "row %" PRId64 " is broken", made->failing);
        }
        for (size_t x = 0; x < made->row_bytes; x++) {
            ((unsigned char *)out)[(size_t)y * pitch + x] = byte_at(first + y, x);
        }
    }
    return HALO_OK;
}

static void take(void *context, int64_t first, int64_t rows)
{
    rows_made *made = context;
    expect(first == made->delivered && rows > 0, "row %" PRId64 " came instead of %" PRId64, first,
           made->delivered);
    made->delivered = first + rows;
}

static void check_rows(const halo_view *into, size_t row_bytes)
{
    int64_t wrong = 0;
    for (int64_t y = 0; y < into->owned.n[0]; y++) {
        const unsigned char *row = halo_row(into, y);
        for (size_t x = 0; x < row_bytes; x++) {
            wrong += row[x] != byte_at(into->owned.lo[0] + y, x);
        }
    }
    expect(wrong == 0, "%" PRId64 " bytes are wrong", wrong);
}

static void check_scatter(int64_t height, int64_t width, const int64_t *cuts, int64_t failing)
{
    halo_world *world = mpi_check_world();
    int rank = halo_world_rank(world);
    const halo_domain domain = {.axes = 2, .n = {height, width, 1}};
    const halo_box owned = {.lo = {cuts[rank]}, .n = {cuts[rank + 1] - cuts[rank], width, 1}};
    halo_field *field;
    expect_ok(halo_field_create(&field, &domain, &owned, 8, 0));
    rows_made made = {.row_bytes = (size_t)width, .failing = failing};
    const halo_rows_input input = {.source = make, .sink = take, .context = &made};
    halo_clock clock = {0};
    halo_status status =
        halo_rows_scatter_field(world, cuts, halo_field_view(field), &input, &clock);
    expect(status == (failing < 0 ? HALO_OK : HALO_FORMAT), "row %" PRId64 " fails: status %d, %s",
           failing, (int)status, halo_last_message());
    if (failing < 0) {
        expect(made.delivered == owned.n[0], "%" PRId64 " rows came of %" PRId64, made.delivered,
               owned.n[0]);
        check_rows(halo_field_view(field), (size_t)width);
    }
    halo_field_destroy(&field);
}

/* A chunk is about 1 MiB: small strips are one, others many, and long rows one each. */
static void test_rows(void)
{
    static const struct {
        int64_t height, width;
    } sizes[] = {{1, 1}, {7, 100}, {300, 20000}, {23, 1500000}};
    int ranks = all_ranks();
    int64_t cuts[MAX_RANKS + 1];
    uint64_t random = 4;
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        int64_t height = sizes[i].height, width = sizes[i].width;
        halo_cuts_even(height, ranks, cuts);
        check_scatter(height, width, cuts, FAILS_NEVER);
        for (int n = 0; n < 3; n++) {
            random_cuts(&random, height, ranks, 1, cuts);
            check_scatter(height, width, cuts, FAILS_NEVER);
        }
    }
    EXPECT_AGREED();
}

/* Receivers wait for several chunks at a time: a source may fail before any of them. */
static void test_failing_source(void)
{
    int ranks = all_ranks();
    int64_t cuts[MAX_RANKS + 1];
    uint64_t random = 9;
    for (int64_t failing = 0; failing < 23; failing++) {
        random_cuts(&random, 23, ranks, 1, cuts);
        check_scatter(23, 600000, cuts, failing);
    }
    EXPECT_AGREED();
}

static halo_status make_nothing(void *context, int64_t first, int64_t rows, void *out, size_t pitch)
{
    (void)context, (void)first, (void)rows, (void)out, (void)pitch;
    return HALO_OK;
}

/* One row of just over what MPI counts for each rank; nothing touches the cells. */
static void test_long_rows(void)
{
    halo_world *world = mpi_check_world();
    int ranks = halo_world_ranks(world);
    int64_t cuts[MAX_RANKS + 1];
    halo_cuts_even(ranks, ranks, cuts);
    const int64_t width = INT64_C(1) << 30;
    const halo_view nowhere = {.stride = {(ptrdiff_t)1 << 31, 2},
                               .owned = {.lo = {halo_world_rank(world)}, .n = {1, width, 1}},
                               .axes = 2,
                               .cell_bits = 16};
    const halo_rows_input input = {.source = make_nothing};
    halo_clock clock = {0};
    halo_status status = halo_rows_scatter_field(world, cuts, &nowhere, &input, &clock);
    expect(status == (ranks == 1 ? HALO_OK : HALO_ARGUMENT), "status %d, %s", (int)status,
           halo_last_message());
    EXPECT_AGREED();
}

MPI_CHECK_MAIN("scatter and gather", {"rows, for any cuts", test_rows},
               {"a source that fails at any row", test_failing_source},
               {"rows too long for a message", test_long_rows})
