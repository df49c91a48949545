#define _DEFAULT_SOURCE
#include "core/file/file.h"
#include "support/mpi_check.h"
#include "support/mpi_folder.h"

#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
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
    int rank = my_rank();
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
    expect_ok(halo_file_check(mpi_check_world(), path_of(endless)));
    expect_ok(write_blocks(endless, 10));
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
    expect_ok(write_blocks("old", 5));
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
    expect_ok(write_blocks("real", 3));
    expect_ok(write_blocks("link", 7));
    expect_ok(halo_file_create(&file, world, path_of("real")));
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
        expect_ok(write_blocks(names[i], 4));
        if (my_rank() == 0) {
            expect(unlink(path_of(names[i])) == 0, "%s: %s", names[i], strerror(errno));
        }
        expect_nothing_left();
    }
    EXPECT_AGREED();
}

/* Rank 0 only: the name of the hidden file that is being written, without process and attempt. */
static void find_partial(char *prefix)
{
    char own[32];
    DIR *open = opendir(path_of(""));
    snprintf(own, sizeof own, "-%ld-0", (long)getpid());
    prefix[0] = '\0';
    for (struct dirent *entry = NULL; open != NULL && (entry = readdir(open)) != NULL;) {
        size_t length = strlen(entry->d_name), end = strlen(own);
        if (entry->d_name[0] == '.' && length > end &&
            strcmp(entry->d_name + length - end, own) == 0) {
            snprintf(prefix, 256, "%.*s", (int)(length - end), entry->d_name);
        }
    }
    expect(open != NULL && closedir(open) == 0 && prefix[0] != '\0', "no hidden file");
}

static void name_partial(char *name, const char *prefix, long process)
{
    snprintf(name, 400, "%.300s-%ld-0", prefix, process);
}

static void expect_there(const char *name, bool there)
{
    expect((access(path_of(name), F_OK) == 0) == there, "%s is %s", name,
           there ? "gone" : "still there");
}

/* What the files of others begin with: of another host, of somebody who names them in another way,
 * and of a machine of the same name that was started at another time. */
enum { OTHERS = 3 };

static void find_others(const char *prefix, char others[OTHERS][300])
{
    char boot[37] = "";
    FILE *from = fopen("/proc/sys/kernel/random/boot_id", "r");
    expect(from != NULL && fread(boot, 1, 36, from) == 36 && fclose(from) == 0, "no boot id");
    snprintf(others[0], 300, "%.250selsewhere", prefix);
    snprintf(others[1], 300, "%.250s-x", prefix);
    snprintf(others[2], 300, "%.250s", prefix);
    char *at = strstr(others[2], boot);
    expect(at != NULL, "%s does not tell when the machine was started", prefix);
    if (at != NULL) {
        *at = *at == '0' ? '1' : '0';
    }
}

/* An empty file, called as one that `process` is writing. */
static void leave_partial(const char *prefix, long process)
{
    char name[400];
    name_partial(name, prefix, process);
    FILE *file = fopen(path_of(name), "w");
    expect(file != NULL && fclose(file) == 0, "%s: %s", name, strerror(errno));
}

/* Rank 0 only. */
static void leave_behind(const char *prefix, pid_t child)
{
    char others[OTHERS][300];
    find_others(prefix, others);
    leave_partial(prefix, child);
    for (int i = 0; i < OTHERS; i++) {
        leave_partial(others[i], child);
    }
}

static void expect_left(const char *prefix, pid_t child, bool alive)
{
    char name[400], others[OTHERS][300];
    find_others(prefix, others);
    name_partial(name, prefix, child);
    expect_there(name, alive);
    for (int i = 0; i < OTHERS; i++) {
        name_partial(name, others[i], child);
        expect_there(name, true);
        expect(alive || unlink(path_of(name)) == 0, "%s", strerror(errno));
    }
}

/* What a killed run has left is removed by the next one, and nothing else is. */
static void test_killed_runs(void)
{
    halo_world *world = mpi_check_world();
    bool first = halo_world_rank(world) == 0;
    char prefix[256] = "";
    halo_file *file = NULL;
    pid_t child = -1;
    expect_ok(halo_file_create(&file, world, path_of("x")));
    if (first) {
        find_partial(prefix);
        child = fork();
        if (child == 0) {
            for (;;) {
                pause();
            }
        }
        expect(child > 0, "%s", strerror(errno));
        leave_behind(prefix, child);
    }
    expect_ok(write_blocks("x", 4));
    if (first) {
        expect_left(prefix, child, true);
        expect(kill(child, SIGKILL) == 0 && waitpid(child, NULL, 0) == child, "%s",
               strerror(errno));
    }
    expect_ok(write_blocks("other", 4));
    if (first) {
        char name[400];
        name_partial(name, prefix, child);
        expect_there(name, true); /* of another target */
    }
    expect_together();
    expect_ok(write_blocks("x", 4));
    if (first) {
        expect_left(prefix, child, false);
    }
    expect(file != NULL && halo_file_commit(&file, HALO_OK) == HALO_OK, "%s", halo_last_message());
    if (first) {
        expect(unlink(path_of("x")) == 0 && unlink(path_of("other")) == 0, "%s", strerror(errno));
    }
    expect_nothing_left();
    EXPECT_AGREED();
}

static void make_folder(void)
{
    /* Without this a write over the limit ends the program. */
    signal(SIGXFSZ, SIG_IGN);
    folder_make();
}

MPI_CHECK_MAIN_HOOKED("files", make_folder, folder_remove,
                      {"places that cannot be written", test_places_that_cannot_be},
                      {"a full disk", test_full_disk}, {"old files", test_replacing},
                      {"odd names", test_odd_names}, {"killed runs", test_killed_runs})
