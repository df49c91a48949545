#define _DEFAULT_SOURCE
#include "core/file/checkpoint.h"
#include "partition/cuts.h"
#include "support/checkpoint_array.h"
#include "support/images.h"
#include "support/mpi_check.h"
#include "support/mpi_folder.h"

#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <string.h>
#include <unistd.h>
#include <xxhash.h>

enum { MAX_RANKS = 64 };

static const halo_checkpoint content = {
    .kernel = "life", .options = "{\"rule\": \"B3/S23\", \"density\": 0.35}", .beat = 12345};

/* Every rank's world of its own, for doing alone what all do together. */
static PER_RANK halo_world *alone;

static void begin(void)
{
    folder_make();
    expect_ok(halo_world_split(&alone, mpi_check_world(), my_rank(), NULL));
}

static void write_alone(checkpoint_array array, const char *name)
{
    const int64_t cuts[] = {0, array.rows};
    expect_ok(checkpoint_array_write(&array, alone, name, content, cuts));
}

static void remove_file(const char *name)
{
    expect_together();
    if (my_rank() == 0) {
        expect(unlink(path_of(name)) == 0, "%s: %s", name, strerror(errno));
    }
    expect_together();
}

static void expect_same_files(const char *one, const char *other)
{
    if (my_rank() == 0) {
        halo_buffer a = file_read(one), b = file_read(other);
        expect(a.data != NULL && a.size == b.size && memcmp(a.data, b.data, a.size) == 0,
               "%s has %zu bytes, %s %zu, and they differ", one, a.size, other, b.size);
        halo_buffer_free(&a);
        halo_buffer_free(&b);
    }
}

/* Written together on some cuts the file has the bytes of the one that rank 0 wrote alone, and
 * everyone can read it on other cuts. */
static void check_cuts(checkpoint_array array, const int64_t *cuts, const int64_t *others)
{
    halo_world *world = mpi_check_world();
    halo_checkpoint_reader *reader = NULL;
    expect_ok(checkpoint_array_write(&array, world, "together", content, cuts));
    expect_same_files("alone", "together");
    halo_status status = halo_checkpoint_open(&reader, world, path_of("together"));
    expect_ok(status);
    if (status == HALO_OK) {
        const halo_checkpoint *info = halo_checkpoint_info(reader);
        expect(strcmp(info->kernel, "life") == 0 && info->beat == 12345, "%s at %" PRId64,
               info->kernel, info->beat);
        for (int i = 0; i < 2; i++) {
            expect_ok(checkpoint_array_read(&array, reader, world, i == 0 ? others : cuts));
        }
    }
    halo_checkpoint_close(&reader);
    remove_file("together");
}

static void check_array(checkpoint_array array)
{
    halo_world *world = mpi_check_world();
    int ranks = halo_world_ranks(world);
    int64_t cuts[MAX_RANKS + 1], others[MAX_RANKS + 1];
    uint64_t state = array.seed;
    if (halo_world_rank(world) == 0) {
        write_alone(array, "alone");
    }
    expect_together();
    halo_cuts_even(array.rows, ranks, cuts);
    for (int i = 0; i < 4; i++) {
        random_cuts(&state, array.rows, ranks, 1, others);
        check_cuts(array, cuts, others);
        memcpy(cuts, others, sizeof cuts);
    }
    for (int r = 0; r < ranks; r++) { /* the last one owns all */
        cuts[r] = 0;
    }
    check_cuts(array, cuts, others);
    remove_file("alone");
}

/* Blocks hold about 1 MiB: many rows, a few, one that is longer; some that end with a strip. */
static void test_same_bytes(void)
{
    static const struct {
        int64_t rows;
        size_t row_bytes;
    } sizes[] = {{1, 1},
                 {7, 13},
                 {20, 1},
                 {5000, 300},
                 {40, 100000},
                 {9, 1 << 19},
                 {3, (1 << 20) + 1},
                 {1 << 16, 32},
                 {4, 1 << 20}};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        check_array((checkpoint_array){
            .rows = sizes[i].rows, .row_bytes = sizes[i].row_bytes, .seed = i + 1});
        EXPECT_AGREED();
    }
}

static void test_no_rows(void)
{
    halo_world *world = mpi_check_world();
    int64_t cuts[MAX_RANKS + 1] = {0};
    checkpoint_array array = {.rows = 0, .row_bytes = 8};
    expect(checkpoint_array_write(&array, world, "none", content, cuts) == HALO_OK &&
               checkpoint_array_check(&array, world, "none") == HALO_OK,
           "%s", halo_last_message());
    remove_file("none");
    expect_nothing_left();
    EXPECT_AGREED();
}

/* The table, and its own checksum, as checkpoint.h describes them. */
static void expect_table(const checkpoint_array *array, const halo_buffer *file, size_t at,
                         int64_t block_rows)
{
    unsigned char row[1000];
    uint64_t sum = 0, entry = 0, written;
    for (int64_t y = 0, block = 0; y < array->rows; y++) {
        checkpoint_array_row(array, y, row);
        entry += XXH3_64bits_withSeed(row, array->row_bytes, (uint64_t)y);
        if ((y + 1) % block_rows == 0 || y + 1 == array->rows) {
            memcpy(&written, file->data + at, sizeof written);
            expect(written == entry, "the entry of block %" PRId64 " is wrong", block);
            sum += XXH3_64bits_withSeed(&entry, sizeof entry, (uint64_t)block++);
            at += sizeof entry;
            entry = 0;
        }
    }
    memcpy(&written, file->data + at, sizeof written);
    expect(written == sum && at + sizeof sum == file->size, "the end of the table is wrong");
}

static void expect_format(const checkpoint_array *array, const halo_buffer *file)
{
    json_error_t error;
    const char *kernel = "", *rule = "";
    json_int_t beat = 0, length = 0, table = 0, block_rows = 1, rows = 0;
    unsigned char row[1000];
    json_t *header = json_loadb((const char *)file->data, 4096, 0, &error);
    expect(header != NULL, "%s", error.text);
    int got = json_unpack_ex(header, &error, 0, "{s:s, s:I, s:I, s:I, s:I, s:I, s:{s:s}}", "kernel",
                             &kernel, "beat", &beat, "header_bytes", &length, "table_at", &table,
                             "block_rows", &block_rows, "rows", &rows, "options", "rule", &rule);
    expect(got == 0, "%s", error.text);
    expect(strcmp(kernel, "life") == 0 && strcmp(rule, "B3/S23") == 0 && beat == 12345 &&
               length == 4096 && rows == array->rows,
           "the header is wrong");
    for (int64_t y = 0; got == 0 && y < array->rows; y++) {
        checkpoint_array_row(array, y, row);
        expect(memcmp(file->data + length + y * (int64_t)array->row_bytes, row, array->row_bytes) ==
                   0,
               "row %" PRId64 " is not in its place", y);
    }
    if (got == 0) {
        expect_table(array, file, (size_t)table, block_rows);
    }
    json_decref(header);
}

/* Read the file as a program in another language would. */
static void test_format(void)
{
    checkpoint_array array = {.rows = 3333, .row_bytes = 999, .seed = 5};
    if (my_rank() == 0) {
        write_alone(array, "format");
        halo_buffer file = file_read("format");
        expect(file.size > 4096 + 3333 * 999, "%zu bytes", file.size);
        if (file.size > 4096 + 3333 * 999) {
            expect_format(&array, &file);
        }
        halo_buffer_free(&file);
    }
    remove_file("format");
    EXPECT_AGREED();
}

/* Spelled differently, the same options make the same file; and come back whole if they are long.
 */
static void test_options(void)
{
    halo_world *world = mpi_check_world();
    int64_t cuts[MAX_RANKS + 1];
    halo_cuts_even(50, halo_world_ranks(world), cuts);
    checkpoint_array array = {.rows = 50, .row_bytes = 10, .seed = 3};
    halo_checkpoint what = content;
    static char text[20000];
    snprintf(text, sizeof text, "{\"b\": [1, 2.5, null], \"a\": \"%019000d\", \"c\": \"\xc3\xa9\"}",
             7);
    what.options = text;
    expect_ok(checkpoint_array_write(&array, world, "one", what, cuts));
    halo_checkpoint_reader *reader = NULL;
    halo_status status = halo_checkpoint_open(&reader, world, path_of("one"));
    expect_ok(status);
    if (status == HALO_OK) {
        json_t *seen = json_loads(halo_checkpoint_info(reader)->options, 0, NULL);
        json_t *wanted = json_loads(text, 0, NULL);
        expect(seen != NULL && json_equal(seen, wanted), "other options came back");
        json_decref(seen);
        json_decref(wanted);
        what.options = halo_checkpoint_info(reader)->options;
        expect_ok(checkpoint_array_write(&array, world, "other", what, cuts));
        expect_same_files("one", "other");
        remove_file("other");
    }
    halo_checkpoint_close(&reader);
    expect_ok(checkpoint_array_check(&array, world, "one"));
    remove_file("one");
    EXPECT_AGREED();
}

/* On each rank alone: all ranks at once, in the middle of writing. */
static void look_at_old_one(void)
{
    halo_checkpoint_reader *reader = NULL;
    halo_status status = halo_checkpoint_open(&reader, alone, path_of("kept"));
    expect_ok(status);
    if (status == HALO_OK) {
        expect(halo_checkpoint_info(reader)->beat == 12345, "not the old one");
    }
    halo_checkpoint_close(&reader);
}

/* An older checkpoint can be read until the new one is there, and after one has failed. */
static void test_replacing(void)
{
    halo_world *world = mpi_check_world();
    int last = halo_world_ranks(world) - 1;
    int64_t cuts[MAX_RANKS + 1];
    checkpoint_array old = {.rows = 100, .row_bytes = 1000, .seed = 8};
    checkpoint_array new = {.rows = 80, .row_bytes = 50000, .seed = 9};
    halo_cuts_even(old.rows, last + 1, cuts);
    expect_ok(checkpoint_array_write(&old, world, "kept", content, cuts));
    halo_checkpoint later = content;
    later.beat = 20000;
    new.failing = halo_world_rank(world) == last;
    new.meanwhile = look_at_old_one;
    halo_cuts_even(new.rows, last + 1, cuts);
    expect(checkpoint_array_write(&new, world, "kept", later, cuts) == HALO_ELSEWHERE &&
               strstr(halo_last_message(), "is out of reach") != NULL,
           "%s", halo_last_message());
    expect_ok(checkpoint_array_check(&old, world, "kept"));
    expect_together();
    expect(folder_files() == 1, "%d files", folder_files());
    expect_together();
    new.failing = false;
    expect_ok(checkpoint_array_write(&new, world, "kept", later, cuts));
    new.failing = halo_world_rank(world) == last;
    expect(checkpoint_array_check(&new, world, "kept") == HALO_ELSEWHERE, "a failing reader");
    new.failing = false;
    expect_ok(checkpoint_array_check(&new, world, "kept"));
    remove_file("kept");
    expect_nothing_left();
    EXPECT_AGREED();
}

static void expect_refused(const char *name, halo_checkpoint what, checkpoint_array array,
                           const int64_t *cuts, const char *reason)
{
    halo_status wanted = strcmp(name, "missing/x") == 0 ? HALO_FILE : HALO_ARGUMENT;
    halo_status status = checkpoint_array_write(&array, mpi_check_world(), name, what, cuts);
    expect(status == wanted && strstr(halo_last_message(), reason) != NULL, "%s: %d, %s", reason,
           (int)status, halo_last_message());
}

static void test_impossible(void)
{
    int ranks = all_ranks();
    int64_t cuts[MAX_RANKS + 1];
    const checkpoint_array array = {.rows = 10, .row_bytes = 10};
    checkpoint_array other = array;
    halo_checkpoint what = content;
    halo_cuts_even(10, ranks, cuts);
    expect_refused("missing/x", what, array, cuts, "No such file");
    other.row_bytes = 0;
    expect_refused("x", what, other, cuts, "10 rows of 0 bytes");
    other.row_bytes = (size_t)1 << 31;
    expect_refused("x", what, other, cuts, "10 rows of 2147483648 bytes");
    other = array;
    other.rows = INT64_MAX / 100;
    expect_refused("x", what, other, cuts, "below 2^59");
    what.options = "[1]";
    expect_refused("x", what, array, cuts, "must be a JSON object");
    what.options = "{\"a\": ";
    expect_refused("x", what, array, cuts, "must be a JSON object");
    what = content;
    what.kernel = "";
    expect_refused("x", what, array, cuts, "needs the name of its kernel");
    what.kernel = "\xff";
    expect_refused("x", what, array, cuts, "UTF-8");
    what = content;
    what.beat = -1;
    expect_refused("x", what, array, cuts, "beat -1");
    cuts[ranks] = 9;
    expect_refused("x", content, array, cuts, "cuts must rise");
    expect_nothing_left();
    EXPECT_AGREED();
}

static void end(void)
{
    halo_world_destroy(&alone);
    folder_remove();
}

MPI_CHECK_MAIN_HOOKED("checkpoint", begin, end, {"the same bytes on all cuts", test_same_bytes},
                      {"no rows", test_no_rows}, {"the format", test_format},
                      {"options", test_options}, {"old checkpoints", test_replacing},
                      {"what cannot be", test_impossible})
