#define _DEFAULT_SOURCE
#include "io/array/chunks.h"
#include "io/array/npy_write.h"
#include "io/array/png_parallel.h"
#include "io/table/table.h"
#include "partition/cuts.h"
#include "support/images.h"
#include "support/mpi_check.h"
#include "support/mpi_folder.h"
#include "support/png_decode.h"

#include <errno.h>
#include <inttypes.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MAX_RANKS = 64, MAX_ROWS = 1000, FAILS_NEVER = -1 };

/* An image whose every byte is known from its place, so that each rank makes its own rows. */
typedef struct {
    halo_png_header header;
    uint64_t seed;
    int rank;     /* the calling one */
    int failing;  /* the rank whose rows cannot be had, or FAILS_NEVER */
    int64_t next; /* the row that has to be asked for next */
    int64_t end;  /* of the own strip */
} picture;

/* Runs of equal bytes, of 1 to 60. */
static void make_row(const picture *from, int64_t row, unsigned char *out)
{
    size_t bytes = halo_png_row_bytes(&from->header);
    uint64_t state = from->seed + (uint64_t)(row / 3) * 977;
    for (size_t i = 0; i < bytes;) {
        uint64_t value = random_next(&state);
        size_t length = 1 + (value >> 8) % 60;
        length = length < bytes - i ? length : bytes - i;
        memset(out + i, (int)(value & 255), length);
        i += length;
    }
}

/* The memory in which ranks of this process made each row, and the bytes from row to row. */
static atomic_uintptr_t places[MAX_ROWS];
static atomic_size_t distance;

static halo_status fill(void *context, int64_t first, int64_t rows, void *out, size_t pitch)
{
    picture *from = context;
    expect(first == from->next && rows > 0 && first + rows <= from->end,
           "asked for rows %" PRId64 " to %" PRId64 " instead of %" PRId64, first, first + rows,
           from->next);
    from->next = first + rows;
    if (from->rank == from->failing) {
        return halo_fail(HALO_FORMAT, "row %" PRId64 " is broken", first);
    }
    for (int64_t i = 0; i < rows; i++) {
        unsigned char *row = (unsigned char *)out + (size_t)i * pitch;
        make_row(from, first + i, row);
        atomic_store(&places[(first + i) % MAX_ROWS], (uintptr_t)row); /* arrays have more */
    }
    atomic_store(&distance, pitch);
    return HALO_OK;
}

/* The same file by one process, without MPI. */
static halo_buffer encode_alone(const picture *from)
{
    halo_buffer out = {0};
    halo_png_encoder *encoder = NULL;
    halo_png_sums sums = {1, 0};
    const halo_png_header *header = &from->header;
    size_t pitch = halo_png_row_bytes(header) + 8;
    int64_t step = halo_png_idat_rows(header);
    unsigned char *rows = malloc((size_t)step * pitch);
    bool good = rows != NULL && halo_png_encoder_create(&encoder, header) == HALO_OK &&
                halo_png_begin(encoder, &out) == HALO_OK;
    for (int64_t chunk = 0; good && chunk * step < header->height; chunk++) {
        halo_png_sums added = {0};
        for (int64_t i = 0; i < step && chunk * step + i < header->height; i++) {
            make_row(from, chunk * step + i, rows + (size_t)i * pitch);
        }
        good = halo_png_idat(encoder, &out, rows, pitch, chunk, &added) == HALO_OK;
        sums = halo_png_sums_join(sums, added);
    }
    expect(good && halo_png_end(encoder, &out, sums.adler) == HALO_OK, "encoding alone");
    halo_png_encoder_destroy(&encoder);
    free(rows);
    return out;
}

static halo_status write_picture(picture *from, const int64_t *cuts, const char *name)
{
    halo_world *world = mpi_check_world();
    from->rank = halo_world_rank(world);
    from->next = cuts[from->rank];
    from->end = cuts[from->rank + 1];
    const halo_rows rows = {fill, NULL, from};
    halo_status status = halo_png_write(world, path_of(name), &from->header, cuts, &rows);
    if (status == HALO_OK) {
        expect(from->next == from->end, "rows from %" PRId64 " on were not asked for", from->next);
    }
    return status;
}

static void read_back(const halo_buffer *file, const picture *from)
{
    decoded_png seen;
    bool good = decode_with_libpng(&seen, file->data, file->size);
    expect(good && seen.height == from->header.height, "libpng cannot read it");
    decoded_png_free(&seen);
    if (decode_has_spng()) {
        expect(decode_with_spng(&seen, file->data, file->size), "libspng cannot read it");
        decoded_png_free(&seen);
    }
}

/* Threads make the rows of a chunk where it is encoded, whoever has them. */
static void check_places(const picture *from)
{
    int64_t chunk = halo_png_idat_rows(&from->header), height = from->header.height, copied = 0;
    if (!halo_world_is_process(mpi_check_world()) || height <= chunk) {
        return;
    }
    for (int64_t row = 0; row < height; row++) {
        size_t before = (size_t)(row % chunk) * distance;
        copied += places[row] != places[row - row % chunk] + before;
    }
    expect(copied == 0, "%" PRId64 " rows were copied", copied);
}

/* Written together, the file has the bytes of the one encoded alone; for one of several cuts it is
 * decoded as well. */
static void check_picture(picture from, const int64_t *cuts, bool decode)
{
    halo_world *world = mpi_check_world();
    from.failing = FAILS_NEVER;
    halo_status status = write_picture(&from, cuts, "together.png");
    expect_ok(status);
    if (halo_world_rank(world) == 0 && status == HALO_OK) {
        check_places(&from);
        halo_buffer alone = encode_alone(&from);
        halo_buffer together = file_read("together.png");
        expect(alone.data != NULL && together.data != NULL && alone.size == together.size &&
                   memcmp(alone.data, together.data, alone.size) == 0,
               "%" PRId64 " x %" PRId64 " kind %d: %zu bytes written, %zu expected",
               from.header.width, from.header.height, (int)from.header.kind, together.size,
               alone.size);
        if (decode) {
            read_back(&together, &from);
        }
        expect(folder_files() == 1, "%d files instead of one", folder_files());
        expect(unlink(path_of("together.png")) == 0, "%s", strerror(errno));
        halo_buffer_free(&alone);
        halo_buffer_free(&together);
    }
    expect_together();
}

static unsigned char palette[256 * 3];

static const halo_png_kind kinds[] = {HALO_PNG_GREY8, HALO_PNG_GREY16, HALO_PNG_PALETTE,
                                      HALO_PNG_BITS,  HALO_PNG_RGB8,   HALO_PNG_RGBA8,
                                      HALO_PNG_RGB16};
enum { KINDS = sizeof kinds / sizeof kinds[0] };

static picture picture_of(size_t kind, int64_t width, int64_t height)
{
    return (picture){.header = {width, height, kinds[kind], 256, palette, {0}},
                     .seed = (uint64_t)(width * 7919 + height) + kind};
}

static void test_small_pngs(void)
{
    static const int64_t widths[] = {1, 63, 64, 65};
    static const int64_t heights[] = {1, 2, 7, 100};
    int ranks = all_ranks();
    int64_t cuts[MAX_RANKS + 1];
    for (size_t kind = 0; kind < KINDS; kind++) {
        for (size_t w = 0; w < sizeof widths / sizeof widths[0]; w++) {
            for (size_t h = 0; h < sizeof heights / sizeof heights[0]; h++) {
                halo_cuts_even(heights[h], ranks, cuts);
                check_picture(picture_of(kind, widths[w], heights[h]), cuts, true);
            }
        }
    }
    EXPECT_AGREED();
}

/* Several chunks, cut anywhere: strips within a chunk, over many chunks, and empty. */
static void test_chunked_pngs(void)
{
    int ranks = all_ranks();
    int64_t cuts[MAX_RANKS + 1];
    uint64_t state = 5;
    for (size_t kind = 0; kind < KINDS; kind++) {
        picture from = picture_of(kind, 3001, 800);
        if (kinds[kind] == HALO_PNG_BITS) {
            from = picture_of(kind, 24001, 800);
        }
        halo_cuts_even(from.header.height, ranks, cuts);
        check_picture(from, cuts, true);
        for (int i = 0; i < 4; i++) {
            random_cuts(&state, from.header.height, ranks, 1, cuts);
            check_picture(from, cuts, false);
        }
    }
    picture one_row_chunks = picture_of(0, 1100000, 5);
    random_cuts(&state, 5, ranks, 1, cuts);
    check_picture(one_row_chunks, cuts, true);
    EXPECT_AGREED();
}

/* Everything on one rank, be it the first, the last or one between. */
static void test_single_owner(void)
{
    int ranks = all_ranks();
    int64_t cuts[MAX_RANKS + 1];
    for (int owner = 0; owner < ranks; owner++) {
        for (int r = 0; r <= ranks; r++) {
            cuts[r] = r <= owner ? 0 : 900;
        }
        check_picture(picture_of(1, 1500, 900), cuts, owner == 0);
    }
    EXPECT_AGREED();
}

static void test_failing_rows(void)
{
    int ranks = all_ranks();
    int64_t cuts[MAX_RANKS + 1];
    halo_cuts_even(900, ranks, cuts);
    for (int failing = 0; failing < ranks; failing++) {
        picture from = picture_of(1, 1500, 900);
        from.failing = failing;
        expect(write_picture(&from, cuts, "failing.png") == HALO_FORMAT, "no failure");
        expect(strstr(halo_last_message(), "is broken") != NULL, "%s", halo_last_message());
        expect_nothing_left();
        const halo_npy_header array = {.width = 3000, .height = 900, .type = HALO_SAMPLE_U8};
        from.next = cuts[from.rank];
        from.header = (halo_png_header){3000, 900, HALO_PNG_GREY8, 0, NULL, {0}};
        const halo_rows rows = {fill, NULL, &from};
        expect(halo_npy_write(mpi_check_world(), path_of("failing.npy"), &array, cuts, &rows) ==
                   HALO_FORMAT,
               "no failure");
        expect_nothing_left();
    }
    EXPECT_AGREED();
}

static void test_bad_arguments(void)
{
    int ranks = all_ranks();
    int64_t cuts[MAX_RANKS + 1];
    halo_cuts_even(10, ranks, cuts);
    picture from = picture_of(0, 0, 10);
    from.failing = FAILS_NEVER;
    expect(write_picture(&from, cuts, "x.png") == HALO_ARGUMENT, "no width");
    from = picture_of(0, 10, 11);
    expect(write_picture(&from, cuts, "x.png") == HALO_ARGUMENT, "cuts of another height");
    const halo_npy_header array = {.width = 5, .height = 11, .type = HALO_SAMPLE_I32};
    const halo_rows rows = {fill, NULL, &from};
    expect(halo_npy_write(mpi_check_world(), path_of("x.npy"), &array, cuts, &rows) ==
               HALO_ARGUMENT,
           "cuts of another height");
    expect_nothing_left();
    EXPECT_AGREED();
}

/* Row i of an array of bytes is a picture's row. */
/* Compressed files are compressed in chunks. */
static halo_status check_chunk(void *context, int64_t chunk, const unsigned char *data,
                               size_t bytes)
{
    const picture *from = context;
    size_t width = (size_t)from->header.width;
    int64_t first = chunk * ((1 << 20) / from->header.width), wrong = 0;
    unsigned char *row = malloc(width);
    for (size_t at = 0; row != NULL && at < bytes; at += width) {
        make_row(from, first + (int64_t)(at / width), row);
        wrong += memcmp(row, data + at, width) != 0;
    }
    expect(row != NULL && wrong == 0, "%" PRId64 " rows of chunk %" PRId64 " are wrong", wrong,
           chunk);
    free(row);
    return HALO_OK;
}

/* Threads make the rows that other ranks have of this rank's last chunk where it has room. */
static void check_rest(const picture *from, const int64_t *cuts, const void *rest)
{
    int64_t width = from->header.width, chunk = (1 << 20) / width, copied = 0;
    int64_t lo = cuts[from->rank], hi = cuts[from->rank + 1],
            end = (hi + chunk - 1) / chunk * chunk;
    bool owns = hi > lo && (hi - 1) / chunk * chunk >= lo;
    for (int64_t row = hi; owns && row < end && row < from->header.height; row++) {
        copied += places[row] != (uintptr_t)rest + (size_t)((row - hi) * width);
    }
    expect(copied == 0 || !halo_world_is_process(mpi_check_world()),
           "%" PRId64 " rows of chunks were copied", copied);
}

static void test_chunks(void)
{
    halo_world *world = mpi_check_world();
    int64_t cuts[MAX_RANKS + 1];
    uint64_t state = 9;
    for (int i = 0; i < 8; i++) {
        picture from = picture_of(0, 3001, 800);
        const halo_npy_header array = {.width = 3001, .height = 800, .type = HALO_SAMPLE_U8};
        random_cuts(&state, 800, all_ranks(), 1, cuts);
        from.failing = FAILS_NEVER;
        from.rank = my_rank();
        from.next = cuts[from.rank];
        from.end = cuts[from.rank + 1];
        const halo_rows rows = {fill, NULL, &from};
        halo_chunks chunks;
        expect_ok(halo_chunks_open(&chunks, world, &array, cuts, 1 << 20, false));
        expect_ok(halo_chunks_exchange(&chunks, world, &rows));
        check_rest(&from, cuts, chunks.rest);
        expect_ok(halo_chunks_each(&chunks, &rows, check_chunk, &from));
        halo_chunks_close(&chunks);
        expect(from.next == from.end, "rows from %" PRId64 " on were not asked for", from.next);
        expect_together();
    }
    EXPECT_AGREED();
}

static void check_npy(int64_t width, int64_t height, const int64_t *cuts)
{
    halo_world *world = mpi_check_world();
    picture from = {.header = {width, height, HALO_PNG_GREY8, 0, NULL, {0}}, .seed = 3};
    from.rank = halo_world_rank(world);
    from.failing = FAILS_NEVER;
    from.next = cuts[from.rank];
    from.end = cuts[from.rank + 1];
    const halo_npy_header header = {.width = width, .height = height, .type = HALO_SAMPLE_U8};
    const halo_rows rows = {fill, NULL, &from};
    expect_ok(halo_npy_write(world, path_of("a.npy"), &header, cuts, &rows));
    if (from.rank == 0) {
        halo_buffer want = {0};
        halo_buffer have = file_read("a.npy");
        expect(halo_npy_begin(&want, &header) == HALO_OK &&
                   halo_buffer_reserve(&want, (size_t)(width * height)) == HALO_OK,
               "memory");
        for (int64_t y = 0; y < height; y++) {
            make_row(&from, y, want.data + want.size);
            want.size += (size_t)width;
        }
        expect(want.data != NULL && have.data != NULL && want.size == have.size &&
                   memcmp(want.data, have.data, want.size) == 0,
               "%" PRId64 " x %" PRId64 ": %zu bytes, %zu expected", width, height, have.size,
               want.size);
        expect(unlink(path_of("a.npy")) == 0, "%s", strerror(errno));
        halo_buffer_free(&want);
        halo_buffer_free(&have);
    }
    expect_nothing_left();
}

static void test_npy(void)
{
    int ranks = all_ranks();
    int64_t cuts[MAX_RANKS + 1];
    uint64_t state = 11;
    static const struct {
        int64_t width, height;
    } sizes[] = {{1, 1}, {70, 0}, {3, 100}, {4000, 3000}, {5000000, 3}};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        halo_cuts_even(sizes[i].height, ranks, cuts);
        check_npy(sizes[i].width, sizes[i].height, cuts);
        if (sizes[i].height > 0) {
            random_cuts(&state, sizes[i].height, ranks, 1, cuts);
            check_npy(sizes[i].width, sizes[i].height, cuts);
        }
    }
    EXPECT_AGREED();
}

static const halo_table_column columns[] = {{"label", HALO_TABLE_INTEGER},
                                            {"mean", HALO_TABLE_RATIO}};

/* `context` is the number of the rank's first row. */
static void table_row(const void *context, int64_t row, halo_table_value *values)
{
    int64_t number = *(const int64_t *)context + row;
    values[0].numerator = number;
    values[1] = (halo_table_value){number * number, number % 97 + 1};
}

static void check_table(const char *name, halo_table_format format, int64_t rows,
                        const int64_t *cuts, int64_t limit)
{
    halo_world *world = mpi_check_world();
    int rank = halo_world_rank(world);
    halo_table table = {columns, 2, cuts[rank + 1] - cuts[rank], table_row, &cuts[rank], limit};
    expect_ok(halo_table_write(world, path_of(name), &table));
    if (rank == 0) {
        const int64_t zero = 0;
        halo_buffer want = {0};
        halo_buffer have = file_read(name);
        table.rows = rows;
        table.context = &zero;
        expect(halo_table_begin(&want, &table, format) == HALO_OK &&
                   halo_table_append(&want, &table, format, 0, rows, 1) == HALO_OK &&
                   halo_table_end(&want, &table, format) == HALO_OK,
               "memory");
        expect(want.data != NULL && have.data != NULL && want.size == have.size &&
                   memcmp(want.data, have.data, want.size) == 0,
               "%s of %" PRId64 " rows: %zu bytes, %zu expected", name, rows, have.size, want.size);
        expect(unlink(path_of(name)) == 0, "%s", strerror(errno));
        halo_buffer_free(&want);
        halo_buffer_free(&have);
    }
    expect_nothing_left();
}

static void test_tables(void)
{
    static const int64_t lengths[] = {0, 1, 3, 1000, 50000};
    int ranks = all_ranks();
    int64_t cuts[MAX_RANKS + 1];
    uint64_t state = 21;
    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
        halo_cuts_even(lengths[i], ranks, cuts);
        check_table("t.csv", HALO_TABLE_CSV, lengths[i], cuts, 0);
        check_table("t.json", HALO_TABLE_JSON, lengths[i], cuts, 0);
        if (lengths[i] > 0) {
            random_cuts(&state, lengths[i], ranks, 1, cuts);
            /* More text than may be kept, here and there. */
            check_table("t.csv", HALO_TABLE_CSV, lengths[i], cuts, 100000);
            check_table("t.json", HALO_TABLE_JSON, lengths[i], cuts, 1);
        }
    }
    EXPECT_AGREED();
}

/* One rank only has a row without a value. */
static void bad_row(const void *context, int64_t row, halo_table_value *values)
{
    values[0].numerator = row;
    values[1] = (halo_table_value){1, *(const int *)context};
}

static void test_bad_tables(void)
{
    halo_world *world = mpi_check_world();
    for (int failing = 0; failing < halo_world_ranks(world); failing++) {
        int denominator = halo_world_rank(world) == failing ? 0 : 1;
        const halo_table table = {columns, 2, 10, bad_row, &denominator, 0};
        expect(halo_table_write(world, path_of("t.csv"), &table) == HALO_ARGUMENT, "no failure");
        expect(strstr(halo_last_message(), "mean") != NULL, "%s", halo_last_message());
        expect_nothing_left();
        expect_fails(halo_table_write(world, path_of("t.csv.gz"), &table), HALO_ARGUMENT,
                     "end it in .csv or .json");
        expect_nothing_left();
    }
    EXPECT_AGREED();
}

static void make_folder(void)
{
    for (size_t i = 0; i < sizeof palette; i++) {
        palette[i] = (unsigned char)(i * 37);
    }
    folder_make();
}

MPI_CHECK_MAIN_HOOKED("writers", make_folder, folder_remove,
                      {"small PNGs of every kind", test_small_pngs},
                      {"PNGs of several chunks, random cuts", test_chunked_pngs},
                      {"chunks of arrays, random cuts", test_chunks},
                      {"one rank owns the image", test_single_owner},
                      {"rows that fail on one rank", test_failing_rows},
                      {"arguments that cannot be", test_bad_arguments}, {"arrays", test_npy},
                      {"tables", test_tables},
                      {"tables with a bad row on one rank", test_bad_tables})
