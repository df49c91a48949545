#define _DEFAULT_SOURCE
#include "core/file.h"
#include "support/mpi_check.h"
#include "support/mpi_folder.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

/* Every rank writes `bytes` bytes of its own. */
static halo_status write_blocks(const char *name, size_t bytes)
{
    halo_world *world = mpi_check_world();
    int rank = halo_world_rank(world);
    halo_file *file = NULL;
    HALO_TRY(halo_file_create(&file, world, path_of(name)));
    unsigned char *block = calloc(bytes + 1, 1);
    halo_status status = HALO_OK;
    if (block == NULL) {
        status = halo_fail(HALO_MEMORY, "memory");
    } else {
        memset(block, 'a' + rank, bytes);
        /* A caller who does not look at his writes must still not get a broken file. */
        (void)halo_file_write(file, rank * (int64_t)bytes, block, bytes);
    }
    free(block);
    status = halo_file_commit(&file, status);
    expect(file == NULL, "a committed file is gone");
    return status;
}

static void test_places_that_cannot_be(void)
{
    static const char *const names[] = {"missing/x", "", "sub", "sub/", "plain/x"};
    int rank = halo_world_rank(mpi_check_world());
    if (rank == 0) {
        expect(mkdir(path_of("sub"), 0777) == 0, "%s", strerror(errno));
        FILE *plain = fopen(path_of("plain"), "w");
        expect(plain != NULL && fclose(plain) == 0, "%s", strerror(errno));
    }
    expect_together();
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        expect(halo_file_check(mpi_check_world(), path_of(names[i])) == HALO_FILE,
               "\"%s\" passed the check", names[i]);
        expect(write_blocks(names[i], 10) == HALO_FILE, "\"%s\" was written", names[i]);
        expect(strstr(halo_last_message(), path_of(names[i])) != NULL, "%s", halo_last_message());
    }
    char endless[400];
    memset(endless, 'n', sizeof endless);
    memcpy(endless + 250, "", 1);
    expect(halo_file_check(mpi_check_world(), path_of(endless)) == HALO_OK, "%s",
           halo_last_message());
    expect(write_blocks(endless, 10) == HALO_OK, "%s", halo_last_message());
    if (rank == 0) {
        expect(folder_files() == 3, "%d files instead of 3", folder_files());
        expect(unlink(path_of(endless)) == 0 && unlink(path_of("plain")) == 0 &&
                   rmdir(path_of("sub")) == 0,
               "%s", strerror(errno));
    }
    memset(endless, 'n', 300);
    memcpy(endless + 290, "", 1);
    expect(write_blocks(endless, 10) == HALO_FILE, "a name of 290 letters");
    expect_nothing_left();
    EXPECT_AGREED();
}

/* A limit on file sizes is what a full disk is to a program, without needing a disk. */
static void test_full_disk(void)
{
    struct rlimit before;
    halo_world *world = mpi_check_world();
    getrlimit(RLIMIT_FSIZE, &before);
    expect(write_blocks("old", 5) == HALO_OK, "%s", halo_last_message());
    struct rlimit tight = {5000, before.rlim_max};
    expect(setrlimit(RLIMIT_FSIZE, &tight) == 0, "%s", strerror(errno));
    halo_status status = write_blocks("old", 6000);
    setrlimit(RLIMIT_FSIZE, &before);
    expect(status == HALO_FILE, "no failure");
    expect(strstr(halo_last_message(), "cannot write") != NULL &&
               strstr(halo_last_message(), "large") != NULL,
           "%s", halo_last_message());
    if (halo_world_rank(world) == 0) {
        struct stat old;
        expect(folder_files() == 1, "%d files", folder_files());
        expect(stat(path_of("old"), &old) == 0 && old.st_size == 5 * halo_world_ranks(world),
               "the old file has changed");
        expect(unlink(path_of("old")) == 0, "%s", strerror(errno));
    }
    expect_nothing_left();
    EXPECT_AGREED();
}

/* A failing caller leaves the old file; a good one replaces it, through a link as well. */
static void test_replacing(void)
{
    halo_world *world = mpi_check_world();
    int rank = halo_world_rank(world);
    halo_file *file = NULL;
    if (rank == 0) {
        expect(symlink("real", path_of("link")) == 0, "%s", strerror(errno));
    }
    expect(write_blocks("real", 3) == HALO_OK, "%s", halo_last_message());
    expect(write_blocks("link", 7) == HALO_OK, "%s", halo_last_message());
    expect(halo_file_create(&file, world, path_of("real")) == HALO_OK, "%s", halo_last_message());
    bool failing = rank == halo_world_ranks(world) - 1;
    halo_status mine = failing ? halo_fail(HALO_RANKS, "mine went wrong") : HALO_OK;
    expect(file != NULL && halo_file_commit(&file, mine) == HALO_RANKS, "no failure");
    expect(strstr(halo_last_message(), "mine went wrong") != NULL, "%s", halo_last_message());
    if (rank == 0) {
        struct stat seen;
        expect(lstat(path_of("link"), &seen) == 0 && S_ISLNK(seen.st_mode), "the link is gone");
        expect(stat(path_of("real"), &seen) == 0 && seen.st_size == 7 * halo_world_ranks(world),
               "the file has changed");
        mode_t mask = umask(0);
        umask(mask);
        expect((seen.st_mode & 0777) == (0666 & ~mask), "permissions %o",
               (unsigned)seen.st_mode & 0777);
        expect(folder_files() == 2, "%d files", folder_files());
        unlink(path_of("link"));
        unlink(path_of("real"));
    }
    expect_nothing_left();
    EXPECT_AGREED();
}

/* Names that MPI libraries read meanings into. */
static void test_odd_names(void)
{
    static const char *const names[] = {"nfs:x", "a:b", " ", "-o", "%s%n", "\xc3\xa9"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        expect(write_blocks(names[i], 4) == HALO_OK, "%s", halo_last_message());
        if (halo_world_rank(mpi_check_world()) == 0) {
            expect(unlink(path_of(names[i])) == 0, "%s: %s", names[i], strerror(errno));
        }
        expect_nothing_left();
    }
    EXPECT_AGREED();
}

static void make_folder(void)
{
    /* Without this a write over the limit ends the program. */
    signal(SIGXFSZ, SIG_IGN);
    folder_make();
    EXPECT_AGREED();
}

static void remove_folder(void)
{
    folder_remove();
    EXPECT_AGREED();
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"a folder to write into", make_folder},
        {"places that cannot be written", test_places_that_cannot_be},
        {"a full disk", test_full_disk},
        {"old files", test_replacing},
        {"odd names", test_odd_names},
        {"nothing left behind", remove_folder},
        CU_TEST_INFO_NULL,
    };
    return mpi_check_run(argc, argv, "files", tests);
}
