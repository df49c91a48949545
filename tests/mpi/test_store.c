/* Checkpoints in parts, on hosts that share no disk: the ranks of a host work in a folder of its
 * own, and call it ".". */
#define _DEFAULT_SOURCE
#include "core/file/checkpoint_store.h"
#include "partition/cuts.h"
#include "support/checkpoint_array.h"
#include "support/host_folders.h"
#include "support/mpi_check.h"
#include "support/mpi_folder.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MAX_RANKS = 64, ROWS = 700, ROW_BYTES = 5001 };

static bool rows_again; /* may they come more than once? */

/* ---- an array ----------------------------------------------------------------------------------
 */

typedef struct {
    checkpoint_array array;
    int64_t requested, came; /* rows */
    bool fails;              /* after the first ones */
} content;

static halo_status fill(void *context, int64_t first, int64_t rows, void *out, size_t pitch)
{
    content *c = context;
    for (int64_t i = 0; i < rows; i++) {
        checkpoint_array_row(&c->array, first + i, (unsigned char *)out + (size_t)i * pitch);
    }
    c->requested += rows;
    return c->fails ? halo_fail(HALO_FORMAT, "row %d is out of reach", (int)first) : HALO_OK;
}

static halo_status take(void *context, int64_t first, int64_t rows, const void *data, size_t pitch)
{
    content *c = context;
    unsigned char row[ROW_BYTES + 8];
    for (int64_t i = 0; i < rows; i++) {
        checkpoint_array_row(&c->array, first + i, row);
        expect(memcmp(row, (const char *)data + (size_t)i * pitch, c->array.row_bytes) == 0,
               "row %d came back wrong", (int)(first + i));
    }
    c->came += rows;
    return HALO_OK;
}

static content content_of(uint64_t seed)
{
    return (content){.array = {.rows = ROWS, .row_bytes = ROW_BYTES, .seed = seed}};
}

/* Ranks of a host beside each other, or far apart. */
static int host_of(int rank, bool scattered)
{
    return scattered ? rank % host_count() : rank * host_count() / all_ranks();
}

/* Collective. The store of a world in which rank r is on host `place`. */
static halo_checkpoint_store *store_on(halo_world *world, int place)
{
    halo_checkpoint_store *store = NULL;
    expect(chdir(host_folder(place)) == 0, "%s", strerror(errno));
    expect_ok(halo_checkpoint_store_create(&store, world, ".", "state.halo", place));
    return store;
}

/* Uneven strips, of which one is empty. */
static void make_cuts(int ranks, int64_t *cuts)
{
    halo_cuts_even(ROWS, ranks, cuts);
    if (ranks > 3) {
        cuts[2] = cuts[1];
        cuts[ranks - 1] -= 3;
    }
}

static halo_status write_with(halo_checkpoint_store *store, content *c)
{
    int64_t cuts[MAX_RANKS + 1];
    const halo_checkpoint what = {.kernel = "life",
                                  .options = "{\"rule\": \"B3/S23\"}",
                                  .beat = (int64_t)c->array.seed,
                                  .rows = ROWS,
                                  .row_bytes = ROW_BYTES};
    const halo_rows rows = {.fill = fill, .context = c};
    make_cuts(all_ranks(), cuts);
    return halo_checkpoint_store_write(store, &what, cuts, &rows);
}

static void write_array(uint64_t seed, bool scattered)
{
    content c = content_of(seed);
    halo_checkpoint_store *store = store_on(mpi_check_world(), host_of(my_rank(), scattered));
    int64_t cuts[MAX_RANKS + 1];
    make_cuts(all_ranks(), cuts);
    if (store != NULL) {
        expect_ok(write_with(store, &c));
        expect(c.requested == cuts[my_rank() + 1] - cuts[my_rank()], "%d rows were asked for",
               (int)c.requested);
    }
    halo_checkpoint_store_destroy(&store);
}

/* Collective over `world`. Read it, and expect the one with this seed; 0: whatever comes. */
static halo_status read_in(halo_world *world, int place, uint64_t seed)
{
    halo_checkpoint_store *store = store_on(world, place);
    halo_checkpoint_reader *reader = NULL;
    content c = content_of(seed);
    int64_t cuts[MAX_RANKS + 1];
    halo_cuts_even(ROWS, halo_world_ranks(world), cuts);
    halo_status status = store != NULL ? halo_checkpoint_store_open(&reader, store) : HALO_MEMORY;
    if (status == HALO_OK) {
        const halo_checkpoint *info = halo_checkpoint_info(reader);
        expect(strcmp(info->kernel, "life") == 0 && info->rows == ROWS &&
                   info->row_bytes == ROW_BYTES && strstr(info->options, "B3/S23") != NULL,
               "%s, %s", info->kernel, info->options);
        expect(info->beat == (int64_t)seed, "at beat %d", (int)info->beat);
        status = halo_checkpoint_read(reader, cuts, take, &c);
        int rank = halo_world_rank(world);
        int64_t own = cuts[rank + 1] - cuts[rank];
        expect(status != HALO_OK || c.came == own || (rows_again && c.came > own), "%d rows came",
               (int)c.came);
    }
    halo_checkpoint_close(&reader);
    halo_checkpoint_store_destroy(&store);
    return status;
}

/* On as many ranks, of other hosts than those that wrote the same rows. */
static halo_status read_array(uint64_t seed)
{
    return read_in(mpi_check_world(), (host_of(my_rank(), true) + 1) % host_count(), seed);
}

/* ---- tests -------------------------------------------------------------------------------------
 */

/* On each of several hosts; half as many where one host has no other to copy to. */
static void expect_files(int each)
{
    for (int h = 0; h < host_count(); h++) {
        int files = host_files(h, NULL);
        expect(files == (host_count() > 1 ? each : each / 2), "%d files on host %d", files, h);
    }
}

static void test_round_trip(void)
{
    for (int scattered = 0; scattered < 2; scattered++) {
        write_array(3, scattered != 0);
        expect_together();
        expect_files(2);
        expect_ok(read_array(3));
        host_folders_empty();
    }
    EXPECT_AGREED();
}

static void test_lost_disks(void)
{
    write_array(4, true);
    for (int h = 0; h < host_count() && host_count() > 1; h++) {
        host_loses_disk(h);
        expect_case_ok("one disk", read_array(4));
        host_finds_disk(h);
    }
    if (host_count() > 2) {
        host_loses_disk(1);
        host_loses_disk(2);
        halo_status status = read_array(4);
        char part[20];
        snprintf(part, sizeof part, "part 2 of %d (", host_count());
        expect_fails(status, HALO_FILE, part);
        expect_fails(status, HALO_FILE, "is not whole");
        host_finds_disk(1);
        host_finds_disk(2);
    }
    host_folders_empty();
    expect_fails(read_array(0), HALO_FILE, "there is no part of a checkpoint \"state.halo\"");
    EXPECT_AGREED();
}

/* All ranks of the world but the last ones, on all hosts or on all but one; and one rank that has
 * all the folders' files in one. */
static void test_fewer_ranks(void)
{
    write_array(5, true);
    host_loses_disk(0);
    for (int ranks = host_count() - 1; ranks <= all_ranks() && ranks > 0; ranks++) {
        halo_world *world = NULL;
        bool takes_part = my_rank() < ranks;
        expect_ok(halo_world_split(&world, mpi_check_world(), takes_part, NULL));
        if (takes_part && world != NULL) {
            expect_ok(read_in(world, host_count() > 1 ? 1 + my_rank() % (host_count() - 1) : 0, 5));
        }
        halo_world_destroy(&world);
        expect_together();
    }
    host_finds_disk(0);
    host_folders_empty();
    EXPECT_AGREED();
}

static uint64_t newest; /* of the files of a folder, by name */

static void note_newest(const char *path)
{
    uint64_t generation = strtoull(strstr(path, "state.halo.") + 11, NULL, 16);
    newest = generation > newest ? generation : newest;
}

static void remove_newest(const char *path)
{
    if (strtoull(strstr(path, "state.halo.") + 11, NULL, 16) == newest) {
        host_file_remove(path);
    }
}

/* The last two are there; when a host has failed in the middle of the last one, the one before is
 * read. */
static void test_generations(void)
{
    for (uint64_t seed = 6; seed < 9; seed++) {
        write_array(seed, true);
    }
    expect_together();
    expect_files(4);
    expect_ok(read_array(8));
    expect_together();
    if (my_rank() == 0) {
        newest = 0;
        host_files(0, note_newest);
        host_files(0, remove_newest);
        host_files(1 % host_count(), remove_newest);
    }
    expect_together();
    expect_ok(read_array(7));
    write_array(9, false);
    expect_ok(read_array(9));
    expect_files(4);
    host_folders_empty();
    EXPECT_AGREED();
}

static void damage_header(const char *path)
{
    int file = open(path, O_WRONLY);
    expect(file >= 0 && pwrite(file, "x", 1, 100) == 1 && close(file) == 0, "%s", strerror(errno));
}

/* The other copy is taken. */
static void test_damage(void)
{
    write_array(10, true);
    expect_together();
    if (my_rank() == 0 && host_count() > 1) {
        host_files(0, damage_header);
    }
    expect_together();
    expect_ok(read_array(10));
    expect_together();
    if (my_rank() == 0) {
        host_files(host_count() > 1 ? 1 : 0,
                   damage_header); /* then there is no good copy of one part */
    }
    expect_together();
    expect_fails(read_array(10), HALO_FILE, host_count() > 1 ? "is not whole" : "there is no part");
    host_folders_empty();
    EXPECT_AGREED();
}

/* One byte of the rows, not far from the end. */
static void damage_rows(const char *path)
{
    int file = open(path, O_RDWR);
    off_t at = lseek(file, 0, SEEK_END) - 2 * ROW_BYTES;
    char byte = 0;
    if (file >= 0 && at < ROW_BYTES) { /* a part without rows */
        close(file);
        return;
    }
    expect(file >= 0 && pread(file, &byte, 1, at) == 1, "%s", strerror(errno));
    byte ^= 1;
    expect(pwrite(file, &byte, 1, at) == 1 && close(file) == 0, "%s", strerror(errno));
}

/* It is found while rows are read, and the other copy is read instead. */
static void test_damaged_rows(void)
{
    write_array(13, true);
    expect_together();
    if (my_rank() == 0 && host_count() > 1) {
        host_files(0, damage_rows);
    }
    expect_together();
    rows_again = true;
    expect_ok(read_array(13));
    rows_again = false;
    expect_together();
    if (my_rank() == 0) {
        host_files(host_count() > 1 ? 1 : 0, damage_rows);
    }
    expect_together();
    expect_fails(read_array(13), HALO_FORMAT, "damaged");
    host_folders_empty();
    EXPECT_AGREED();
}

/* A failure leaves the one before, and nothing of its own. */
static void test_failing(void)
{
    write_array(11, true);
    content c = content_of(12);
    c.fails = my_rank() == all_ranks() - 1;
    halo_checkpoint_store *store = store_on(mpi_check_world(), host_of(my_rank(), true));
    if (store != NULL) {
        expect_fails(write_with(store, &c), HALO_FORMAT, "is out of reach");
    }
    halo_checkpoint_store_destroy(&store);
    expect_together();
    expect_files(2);
    expect_ok(read_array(11));
    host_folders_empty();
    EXPECT_AGREED();
}

static void test_folders(void)
{
    halo_checkpoint_store *store = store_on(mpi_check_world(), host_of(my_rank(), false));
    if (store != NULL) {
        expect_ok(halo_checkpoint_store_check(store));
        expect(!halo_checkpoint_store_has(store), "there are parts");
    }
    halo_checkpoint_store_destroy(&store);
    expect_ok(halo_checkpoint_store_create(&store, mpi_check_world(), path_of("x"), "s",
                                           host_of(my_rank(), false)));
    if (store != NULL && host_count() > 1) {
        expect_fails(halo_checkpoint_store_check(store), HALO_ARGUMENT, "is one folder for");
    }
    halo_checkpoint_store_destroy(&store);
    expect_ok(halo_checkpoint_store_create(&store, mpi_check_world(), "/proc/none/x", "s",
                                           host_of(my_rank(), false)));
    if (store != NULL) {
        expect_fails(halo_checkpoint_store_check(store), HALO_FILE, "cannot be made");
    }
    halo_checkpoint_store_destroy(&store);
    EXPECT_AGREED();
}

MPI_CHECK_MAIN_HOOKED("store", host_folders_make, host_folders_remove,
                      {"round trip", test_round_trip}, {"lost disks", test_lost_disks},
                      {"fewer ranks", test_fewer_ranks}, {"generations", test_generations},
                      {"damage", test_damage}, {"damaged rows", test_damaged_rows},
                      {"failing", test_failing}, {"folders", test_folders})
