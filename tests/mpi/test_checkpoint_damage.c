#define _DEFAULT_SOURCE
#include "core/file/checkpoint.h"
#include "partition/cuts.h"
#include "support/checkpoint_array.h"
#include "support/mpi_check.h"
#include "support/mpi_folder.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

/* A checkpoint of three blocks, of 104, 104 and 92 rows. */
enum {
    MAX_RANKS = 64,
    ROWS = 300,
    ROW_BYTES = 10000,
    HEADER = 4096,
    BLOCK = 104 * ROW_BYTES,
    TABLE = HEADER + ROWS * ROW_BYTES,
    WHOLE = TABLE + 4 * 8,
    DIGITS = 16,
    SEALED = HEADER - DIGITS - 3 /* bytes of the header that its checksum covers */
};

static const checkpoint_array whole = {.rows = ROWS, .row_bytes = ROW_BYTES, .seed = 77};

static PER_RANK halo_world *alone;

static bool is_first(void)
{
    return my_rank() == 0;
}

static void begin(void)
{
    int64_t cuts[MAX_RANKS + 1];
    checkpoint_array array = whole;
    const halo_checkpoint what = {.kernel = "life", .options = "{\"rule\": \"B3/S23\"}", .beat = 9};
    folder_make();
    halo_world *world = mpi_check_world();
    expect_ok(halo_world_split(&alone, mpi_check_world(), my_rank(), NULL));
    halo_cuts_even(ROWS, halo_world_ranks(world), cuts);
    expect_ok(checkpoint_array_write(&array, world, "x", what, cuts));
    struct stat seen;
    expect(stat(path_of("x"), &seen) == 0 && seen.st_size == WHOLE,
           "this test does not know the format");
}

/* Rank 0 only: bytes of the file. */
static void peek(void *out, size_t bytes, int64_t at)
{
    int file = open(path_of("x"), O_RDONLY);
    expect(file >= 0 && pread(file, out, bytes, at) == (ssize_t)bytes, "%s", strerror(errno));
    close(file);
}

static void poke(const void *data, size_t bytes, int64_t at)
{
    int file = open(path_of("x"), O_WRONLY);
    expect(file >= 0 && pwrite(file, data, bytes, at) == (ssize_t)bytes, "%s", strerror(errno));
    close(file);
}

static void flip(int64_t at)
{
    unsigned char byte = 0;
    peek(&byte, 1, at);
    byte ^= 4;
    poke(&byte, 1, at);
}

/* All ranks refuse the file, and say why. */
static void expect_refused(const char *name, halo_status wanted, const char *reason)
{
    checkpoint_array array = whole;
    expect_together();
    halo_status status = checkpoint_array_check(&array, mpi_check_world(), name);
    expect(status == wanted && strstr(halo_last_message(), reason) != NULL &&
               strstr(halo_last_message(), path_of(name)) != NULL &&
               strstr(halo_last_message(), "; ") != NULL,
           "%s, but it said %d: %s", reason, (int)status, halo_last_message());
    expect_together();
}

static void expect_whole(void)
{
    checkpoint_array array = whole;
    expect_together();
    expect_ok(checkpoint_array_check(&array, mpi_check_world(), "x"));
}

static void test_flipped_bytes(void)
{
    static const struct {
        int64_t at;
        const char *reason;
    } places[] = {
        {0, "is not a checkpoint"},
        {10, "is not a checkpoint"},
        {24, "the header at the start"},
        {45, "the header at the start"},
        {HEADER / 2, "the header at the start"},
        {HEADER - 10, "the header at the start"},
        {HEADER - 1, "the header at the start"},
        {HEADER, "block 0 of"},
        {HEADER + BLOCK - 1, "(rows 0 to 103, bytes 4096 to 1044095) is damaged"},
        {HEADER + BLOCK, "block 1 of"},
        {HEADER + 3 * BLOCK / 2, "(rows 104 to 207, bytes 1044096 to 2084095) is damaged"},
        {TABLE - 1, "(rows 208 to 299, bytes 2084096 to 3004095) is damaged"},
        {TABLE, "the table of checksums"},
        {TABLE + 23, "the table of checksums"},
        {WHOLE - 8, "(its bytes 3004096 to 3004127) is damaged"},
        {WHOLE - 1, "the table of checksums"},
    };
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        if (is_first()) {
            flip(places[i].at);
        }
        expect_refused("x", HALO_FORMAT, places[i].reason);
        if (is_first()) {
            flip(places[i].at);
        }
    }
    expect_whole();
    EXPECT_AGREED();
}

/* No byte of the header is without guard. */
static void test_every_header_byte(void)
{
    for (int at = 0; is_first() && at < HEADER; at++) {
        halo_checkpoint_reader *reader = NULL;
        flip(at);
        expect(halo_checkpoint_open(&reader, alone, path_of("x")) == HALO_FORMAT, "byte %d", at);
        expect(strstr(halo_last_message(), "the header at the start") != NULL ||
                   strstr(halo_last_message(), "is not a checkpoint") != NULL ||
                   strstr(halo_last_message(), "its header alone") != NULL,
               "byte %d: %s", at, halo_last_message());
        halo_checkpoint_close(&reader);
        flip(at);
    }
    expect_whole();
    EXPECT_AGREED();
}

/* Rows that have changed places, and a block that has. */
static void test_moved_rows(void)
{
    static PER_RANK unsigned char one[ROW_BYTES], other[ROW_BYTES];
    const int64_t first = HEADER + 150 * ROW_BYTES, second = HEADER + 160 * ROW_BYTES;
    if (is_first()) {
        peek(one, ROW_BYTES, first);
        peek(other, ROW_BYTES, second);
        poke(one, ROW_BYTES, second);
        poke(other, ROW_BYTES, first);
    }
    expect_refused("x", HALO_FORMAT, "block 1 of");
    if (is_first()) {
        poke(one, ROW_BYTES, first);
        poke(other, ROW_BYTES, second);
    }
    expect_whole();
    EXPECT_AGREED();
}

/* Copy the first bytes of the checkpoint, and after its end some more, to "short". */
static void copy_start(int64_t bytes)
{
    halo_buffer file = file_read("x");
    FILE *out = fopen(path_of("short"), "wb");
    for (int64_t i = 0; out != NULL && i < bytes; i++) {
        fputc(i < (int64_t)file.size ? file.data[i] : 'x', out);
    }
    expect(out != NULL && fclose(out) == 0, "%s", strerror(errno));
    halo_buffer_free(&file);
}

static void test_wrong_lengths(void)
{
    static const struct {
        int64_t bytes;
        const char *reason;
    } lengths[] = {
        {0, "is not a checkpoint"},
        {1, "is cut short: it has 1 bytes, and its header alone has 4096"},
        {30, "is cut short: it has 30 bytes, and its header alone has 4096"},
        {HEADER - 1, "is cut short: it has 4095 bytes, and its header alone has 4096"},
        {HEADER, "is cut short: the last 3000032 of its 3004128 bytes are missing"},
        {HEADER + BLOCK + 5, "the last 1960027 of"},
        {TABLE, "the last 32 of"},
        {WHOLE - 1, "the last 1 of"},
        {WHOLE + 1, "3004129 bytes instead of 3004128"},
        {WHOLE + 5000, "3009128 bytes instead of"},
    };
    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
        if (is_first()) {
            copy_start(lengths[i].bytes);
        }
        expect_refused("short", HALO_FORMAT, lengths[i].reason);
    }
    if (is_first()) {
        expect(unlink(path_of("short")) == 0, "%s", strerror(errno));
    }
    EXPECT_AGREED();
}

static void test_other_files(void)
{
    if (is_first()) {
        FILE *png = fopen(path_of("png"), "wb");
        expect(png != NULL && fputs("\x89PNG\r\n\x1a\n and so on", png) > 0 && fclose(png) == 0,
               "%s", strerror(errno));
        FILE *json = fopen(path_of("json"), "wb");
        for (int i = 0; json != NULL && i < 1000; i++) {
            fputs("{\"halobeat\": 1}\n", json);
        }
        expect(json != NULL && fclose(json) == 0, "%s", strerror(errno));
        expect(mkdir(path_of("folder"), 0777) == 0 && mkfifo(path_of("pipe"), 0666) == 0, "%s",
               strerror(errno));
    }
    expect_refused("png", HALO_FORMAT, "is not a checkpoint");
    expect_refused("json", HALO_FORMAT, "is not a checkpoint");
    expect_refused("folder", HALO_FORMAT, "it is a folder");
    expect_refused("pipe", HALO_FORMAT, "or a pipe");
    expect_refused("missing", HALO_FILE, "No such file");
    expect_refused("png/x", HALO_FILE, "Not a directory");
    if (is_first()) {
        expect(unlink(path_of("png")) == 0 && unlink(path_of("json")) == 0 &&
                   unlink(path_of("pipe")) == 0 && rmdir(path_of("folder")) == 0,
               "%s", strerror(errno));
    }
    EXPECT_AGREED();
}

/* Rank 0 only: put `text` in the place of another of the same length, and the checksum right. */
static void forge(const char *from, const char *to)
{
    char header[HEADER + 1] = "", digits[DIGITS + 1];
    peek(header, HEADER, 0);
    char *place = strstr(header, from);
    expect(place != NULL && strlen(from) == strlen(to), "%s is not in the header", from);
    if (place != NULL) {
        memcpy(place, to, strlen(to));
        snprintf(digits, sizeof digits, "%016" PRIx64, (uint64_t)XXH3_64bits(header, SEALED));
        memcpy(header + SEALED, digits, DIGITS);
        poke(header, HEADER, 0);
    }
}

/* Headers that are as they were written, but not by this version or by none that makes sense. */
static void test_foreign_headers(void)
{
    static const struct {
        const char *from, *to, *reason;
    } forgeries[] = {
        {"checkpoint\": 1,", "checkpoint\": 2,",
         "version 2 of the format, and this Halobeat reads"},
        {"\"xxh3_64\"", "\"sha_512\"", "checksums of the kind sha_512"},
        {"\"little\"", "\"middle\"", "middle-endian"},
        {"\"rows\": 300", "\"rows\": -30", "contradict"},
        {"\"rows\": 300", "\"rows\": 299", "contradict"},
        {"\"rows\": 300", "\"rows\": 3e2", "damaged"},
        {"\"row_bytes\": 10000", "\"row_bytes\": 00000", "damaged"},
        {"\"row_bytes\": 10000", "\"row_bytes\":     0", "contradict"},
        {"\"block_rows\": 104", "\"block_rows\":   0", "contradict"},
        {"\"block_rows\": 104", "\"block_rows\": 999", "contradict"},
        {"\"beat\": 9", "\"bear\": 9", "beat"},
        {"{\"rule\": \"B3/S23\"}", "[\"rule\", \"B3/S23\"]", "contradict"},
        {"\"kernel\": \"life\"", "\"kernel\": 123456", "damaged"},
    };
    for (size_t i = 0; i < sizeof forgeries / sizeof forgeries[0]; i++) {
        if (is_first()) {
            forge(forgeries[i].from, forgeries[i].to);
        }
        expect_refused("x", HALO_FORMAT, forgeries[i].reason);
        if (is_first()) {
            forge(forgeries[i].to, forgeries[i].from);
        }
    }
    expect_whole();
    EXPECT_AGREED();
}

/* Who does not read the damage himself hears of it, also when it comes after opening; cuts are
 * checked here too. */
static void test_reading(void)
{
    halo_world *world = mpi_check_world();
    int ranks = halo_world_ranks(world);
    int64_t cuts[MAX_RANKS + 1];
    halo_checkpoint_reader *reader = NULL;
    halo_status status = halo_checkpoint_open(&reader, world, path_of("x"));
    expect_ok(status);
    if (status == HALO_OK) {
        checkpoint_array array = whole;
        halo_cuts_even(ROWS, ranks, cuts);
        if (is_first()) {
            flip(TABLE - 1); /* only the last rank's rows, with more ranks than blocks */
        }
        expect_together();
        expect(checkpoint_array_read(&array, reader, world, cuts) == HALO_FORMAT &&
                   strstr(halo_last_message(), "block 2 of") != NULL,
               "%s", halo_last_message());
        expect_together();
        if (is_first()) {
            flip(TABLE - 1);
        }
        expect_together();
        expect_ok(checkpoint_array_read(&array, reader, world, cuts));
        cuts[ranks]++;
        expect(checkpoint_array_read(&array, reader, world, cuts) == HALO_ARGUMENT, "wrong cuts");
        cuts[ranks]--;
        if (is_first()) {
            expect(truncate(path_of("x"), TABLE - 5) == 0, "%s", strerror(errno));
        }
        expect_together();
        expect(checkpoint_array_read(&array, reader, world, cuts) == HALO_FORMAT &&
                   strstr(halo_last_message(), "is cut short") != NULL,
               "%s", halo_last_message());
    }
    halo_checkpoint_close(&reader);
    EXPECT_AGREED();
}

static void end(void)
{
    halo_world_destroy(&alone);
    expect_together();
    if (is_first()) {
        expect(unlink(path_of("x")) == 0, "%s", strerror(errno));
    }
    expect_nothing_left();
    folder_remove();
}

MPI_CHECK_MAIN_HOOKED("checkpoint_damage", begin, end, {"flipped bytes", test_flipped_bytes},
                      {"every byte of the header", test_every_header_byte},
                      {"moved rows", test_moved_rows}, {"wrong lengths", test_wrong_lengths},
                      {"other files", test_other_files}, {"foreign headers", test_foreign_headers},
                      {"damage on one rank", test_reading})
