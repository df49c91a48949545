/* Files in a folder that only rank 0 and every second rank see. */
#define _DEFAULT_SOURCE
#include "core/file/file.h"
#include "core/file/folders.h"
#include "partition/cuts.h"
#include "support/checkpoint_array.h"
#include "support/mpi_check.h"
#include "support/mpi_folder.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

enum { MAX_RANKS = 64, BLOCK = (5 << 19) + 13 /* more than two pieces on their way */ };

static const halo_checkpoint content = {.kernel = "life", .beat = 12};
static const checkpoint_array small = {.rows = 300, .row_bytes = 10000, .seed = 3};

static void begin(void)
{
    folder_make();
    folder_split();
    signal(SIGXFSZ, SIG_IGN);
}

static void end(void)
{
    folder_join();
    folder_remove();
}

static void remove_here(const char *name)
{
    expect(unlink(path_of(name)) == 0, "%s: %s", name, strerror(errno));
}

static unsigned char byte_at(int64_t place)
{
    return (unsigned char)(place * 31 + (place >> 12));
}

/* Every rank writes its block, in two parts that do not begin where pieces do. */
static halo_status write_block(halo_file *file)
{
    int64_t first = (int64_t)my_rank() * BLOCK;
    unsigned char *block = malloc(BLOCK);
    expect(block != NULL, "memory");
    for (int64_t i = 0; block != NULL && i < BLOCK; i++) {
        block[i] = byte_at(first + i);
    }
    halo_status status = halo_file_write(file, first, block, 1000);
    status =
        halo_status_first(status, halo_file_write(file, first + 1000, block + 1000, BLOCK - 1000));
    if (block != NULL) {
        memset(block, 0, BLOCK); /* the caller's again */
    }
    free(block);
    return status;
}

static void expect_blocks(const char *name)
{
    if (my_rank() == 0) {
        halo_buffer bytes = file_read(name);
        size_t wrong = bytes.size == (size_t)all_ranks() * BLOCK ? 0 : 1;
        for (size_t i = 0; i < bytes.size; i++) {
            wrong += bytes.data[i] != byte_at((int64_t)i);
        }
        expect(wrong == 0, "%zu of %zu bytes of %s are wrong", wrong, bytes.size, name);
        halo_buffer_free(&bytes);
        remove_here(name);
    }
}

/* Two at a time, so that what belongs to one could get into the other. */
static void test_files(void)
{
    halo_world *world = mpi_check_world();
    halo_file *one = NULL, *two = NULL;
    expect_ok(halo_file_check(world, path_of("one")));
    expect_ok(halo_file_create(&one, world, path_of("one")));
    expect_ok(halo_file_create(&two, world, path_of("two")));
    if (one != NULL && two != NULL) {
        expect_ok(write_block(one));
        expect_ok(write_block(two));
        expect_together(); /* rank 0 writes for the others while it waits here, too */
        expect_ok(halo_file_commit(&two, HALO_OK));
        expect_ok(halo_file_commit(&one, HALO_OK));
    }
    expect_blocks("one");
    expect_blocks("two");
    expect_nothing_left();
    EXPECT_AGREED();
}

static void test_what_is_said(void)
{
    const halo_unshared_folder *apart = halo_folders_unshared(mpi_check_world(), 0);
    char host[64] = "";
    gethostname(host, sizeof host - 1);
    if (my_rank() == 0 && all_ranks() > 1) {
        expect(apart != NULL && strcmp(apart->name, "./") == 0 && strcmp(apart->hosts, host) == 0,
               "%s of %s", apart != NULL ? apart->name : "nothing",
               apart != NULL ? apart->hosts : "nobody");
    }
    if (my_rank() == 0) {
        expect(halo_folders_unshared(mpi_check_world(), all_ranks() > 1) == NULL, "too many");
    }
    EXPECT_AGREED();
}

/* Rank 0 cannot write what others send. */
static void test_full_disk(void)
{
    struct rlimit before;
    getrlimit(RLIMIT_FSIZE, &before);
    struct rlimit tight = {BLOCK / 2, before.rlim_max};
    halo_file *file = NULL;
    halo_status status = halo_file_create(&file, mpi_check_world(), path_of("full"));
    expect_ok(status);
    expect(my_rank() > 0 || setrlimit(RLIMIT_FSIZE, &tight) == 0, "%s", strerror(errno));
    if (file != NULL) {
        (void)write_block(file);
        status = halo_file_commit(&file, HALO_OK);
    }
    setrlimit(RLIMIT_FSIZE, &before);
    expect_fails(status, HALO_FILE, "cannot write ./full");
    expect_nothing_left();
    EXPECT_AGREED();
}

static void write_alone(checkpoint_array array, const char *name)
{
    const int64_t cuts[] = {0, array.rows};
    halo_world *alone = NULL;
    expect_ok(halo_world_create_alone(&alone, mpi_check_world()));
    expect_ok(checkpoint_array_write(&array, alone, name, content, cuts));
    halo_world_destroy(&alone);
}

/* All ranks together write the same file as rank 0 alone, and all can read it. */
static void test_checkpoints(void)
{
    checkpoint_array array = small;
    int64_t cuts[MAX_RANKS + 1];
    halo_cuts_even(array.rows, all_ranks(), cuts);
    expect_ok(checkpoint_array_write(&array, mpi_check_world(), "all", content, cuts));
    if (my_rank() == 0) {
        write_alone(small, "alone");
        halo_buffer one = file_read("all"), other = file_read("alone");
        expect(one.size == other.size && memcmp(one.data, other.data, one.size) == 0,
               "%zu and %zu bytes differ", one.size, other.size);
        halo_buffer_free(&one);
        halo_buffer_free(&other);
        remove_here("alone");
    }
    expect_ok(checkpoint_array_check(&array, mpi_check_world(), "all"));
    expect_together();
    if (my_rank() == 0) {
        remove_here("all");
    }
    EXPECT_AGREED();
}

/* Others have a file of that name, too, of another run: rank 0's counts. */
static void test_another_file(void)
{
    checkpoint_array array = small, other = {.rows = 70, .row_bytes = 99, .seed = 5};
    if (my_rank() < 2) {
        write_alone(my_rank() == 0 ? small : other, "same");
    }
    expect_together();
    expect_ok(checkpoint_array_check(&array, mpi_check_world(), "same"));
    expect_together();
    if (my_rank() < 2) {
        remove_here("same");
    }
    EXPECT_AGREED();
}

static void test_damage(void)
{
    checkpoint_array array = small;
    if (my_rank() == 0) {
        write_alone(small, "damaged");
        FILE *file = fopen(path_of("damaged"), "r+b");
        expect(file != NULL && fseek(file, 2000000, SEEK_SET) == 0 && fputs("damage", file) > 0 &&
                   fclose(file) == 0,
               "%s", strerror(errno));
    }
    expect_together();
    expect_fails(checkpoint_array_check(&array, mpi_check_world(), "damaged"), HALO_FORMAT,
                 "is damaged");
    expect_together();
    if (my_rank() == 0) {
        remove_here("damaged");
    }
    EXPECT_AGREED();
}

/* The file is on another host than rank 0's. */
static void test_only_elsewhere(void)
{
    checkpoint_array array = small;
    if (my_rank() == 1) {
        write_alone(small, "there");
    }
    expect_together();
    halo_status status = checkpoint_array_check(&array, mpi_check_world(), "there");
    expect_fails(status, HALO_FILE, "No such file");
    if (all_ranks() > 1) {
        expect_fails(status, HALO_FILE, "rank 1 on ");
    }
    expect_together();
    if (my_rank() == 1) {
        remove_here("there");
    }
    EXPECT_AGREED();
}

MPI_CHECK_MAIN_HOOKED("disks", begin, end, {"files", test_files},
                      {"what is said", test_what_is_said}, {"full disk", test_full_disk},
                      {"checkpoints", test_checkpoints}, {"another file", test_another_file},
                      {"damage", test_damage}, {"only elsewhere", test_only_elsewhere})
