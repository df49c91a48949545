#define _GNU_SOURCE /* F_OFD_SETLK */
#include "core/file/file.h"
#include "support/mpi_check.h"
#include "support/mpi_folder.h"

#include <errno.h>
#include <fcntl.h>
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

/* Collective. Threads have one limit. */
static void limit_files(struct rlimit limit)
{
    expect_together();
    if (!halo_world_is_process(mpi_check_world()) || my_rank() == 0) {
        expect(setrlimit(RLIMIT_FSIZE, &limit) == 0, "%s", strerror(errno));
    }
    expect_together();
}

/* A limit on file sizes is what a full disk is to a program, without needing a disk. */
static void test_full_disk(void)
{
    struct rlimit before;
    halo_world *world = mpi_check_world();
    getrlimit(RLIMIT_FSIZE, &before);
    expect_ok(write_blocks("old", 5));
    limit_files((struct rlimit){5000, before.rlim_max});
    halo_status status = write_blocks("old", 6000);
    limit_files(before);
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

static void expect_there(const char *name, bool there)
{
    expect((access(path_of(name), F_OK) == 0) == there, "%s is %s", name,
           there ? "gone" : "still there");
}

static void leave(const char *name)
{
    FILE *file = fopen(path_of(name), "w");
    expect(file != NULL && fclose(file) == 0, "%s: %s", name, strerror(errno));
}

/* Another process that writes a file, as every process does: it holds a lock on it. Returns when it
 * has it. */
static pid_t hold(const char *name)
{
    int ends[2];
    char word = 'x';
    expect(pipe(ends) == 0, "%s", strerror(errno));
    pid_t child = fork();
    if (child == 0) {
        struct flock beyond = {
            .l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = INT64_MAX - 1, .l_len = 1};
        int file = open(path_of(name), O_WRONLY | O_CREAT, 0666);
        bool held = file >= 0 && fcntl(file, F_OFD_SETLK, &beyond) == 0;
        _exit(held && write(ends[1], &word, 1) == 1 ? pause() : 1);
    }
    close(ends[1]);
    expect(child > 0 && read(ends[0], &word, 1) == 1, "no process holds %s", name);
    close(ends[0]);
    return child;
}

/* Temporary files of a killed run are removed by the next run that writes there, on whatever host
 * it was, and no other files are. */
static void test_killed_runs(void)
{
    static const char *const old[] = {".x.partial-0123456789abcdef", ".x.partial-fedcba9876543210"};
    /* These belong to other files, or to programs with almost the same names for theirs. */
    static const char *const others[] = {".y.partial-0123456789abcdef",
                                         ".x.part",
                                         "x.partial-1",
                                         ".x.partial-backup",
                                         ".x.partial-0123456789ABCDEF",
                                         ".x.partial-00123456789abcdef",
                                         ".x.partial-0123456789abcde"};
    enum { OTHERS = sizeof others / sizeof others[0] };
    static const char held[] = ".x.partial-00000000000000ff";
    halo_world *world = mpi_check_world();
    bool first = halo_world_rank(world) == 0;
    halo_file *file = NULL;
    pid_t child = -1;
    expect_ok(halo_file_create(&file, world, path_of("x")));
    if (first) {
        child = hold(held);
        leave(old[0]);
        leave(old[1]);
        for (int i = 0; i < OTHERS; i++) {
            leave(others[i]);
        }
    }
    expect_ok(write_blocks("x", 4));
    if (first) {
        expect_there(old[0], false);
        expect_there(old[1], false);
        expect_there(held, true);
        expect(kill(child, SIGKILL) == 0 && waitpid(child, NULL, 0) == child, "%s",
               strerror(errno));
    }
    expect_together();
    expect_ok(write_blocks("x", 4));
    if (first) {
        expect_there(held, false);
        for (int i = 0; i < OTHERS; i++) {
            expect_there(others[i], true);
            expect(unlink(path_of(others[i])) == 0, "%s", strerror(errno));
        }
    }
    /* The first file is still being written, and was not taken for left behind. */
    expect(file != NULL && halo_file_commit(&file, HALO_OK) == HALO_OK, "%s", halo_last_message());
    if (first) {
        expect(unlink(path_of("x")) == 0, "%s", strerror(errno));
    }
    expect_nothing_left();
    EXPECT_AGREED();
}

/* A file that is replaced keeps who may do what with it. */
static void test_rights(void)
{
    bool first = my_rank() == 0;
    struct stat kept = {0};
    if (first) {
        leave("x");
        expect(chmod(path_of("x"), 0640) == 0, "%s", strerror(errno));
        expect(geteuid() != 0 || chown(path_of("x"), 12, 34) == 0, "%s", strerror(errno));
    }
    expect_together();
    expect_ok(write_blocks("x", 4));
    if (first) {
        expect(stat(path_of("x"), &kept) == 0 && (kept.st_mode & 07777) == 0640, "mode %o",
               (unsigned)kept.st_mode);
        expect(geteuid() != 0 || (kept.st_uid == 12 && kept.st_gid == 34), "of %d, %d",
               (int)kept.st_uid, (int)kept.st_gid);
        expect(unlink(path_of("x")) == 0, "%s", strerror(errno));
    }
    expect_nothing_left();
    EXPECT_AGREED();
}

/* While a file replaces one that only its owner may read, nobody else may read it either. */
static void test_rights_meanwhile(void)
{
    halo_world *world = mpi_check_world();
    bool first = my_rank() == 0;
    halo_file *file = NULL;
    if (first) {
        leave("x");
        expect(chmod(path_of("x"), 0600) == 0, "%s", strerror(errno));
    }
    expect_together();
    expect_ok(halo_file_create(&file, world, path_of("x")));
    if (first) {
        expect(folder_modes() == 0600, "modes %o", folder_modes());
    }
    expect_ok(halo_file_commit(&file, HALO_OK));
    if (first) {
        expect(unlink(path_of("x")) == 0, "%s", strerror(errno));
    }
    expect_nothing_left();
    EXPECT_AGREED();
}

static void expect_text(const char *name, const char *text)
{
    halo_buffer is = file_read(name);
    expect(is.size == strlen(text) && memcmp(is.data, text, is.size) == 0,
           "%s has %zu other bytes than \"%s\"", name, is.size, text);
    halo_buffer_free(&is);
}

/* Two files that belong together; the last rank fails if it is asked to. */
static halo_status write_both(const char *text, bool failing)
{
    halo_world *world = mpi_check_world();
    halo_file *data = NULL, *head = NULL;
    halo_status status = HALO_OK;
    HALO_TRY(halo_file_create(&data, world, path_of("data")));
    HALO_TRY(halo_file_create(&head, world, path_of("head")));
    if (my_rank() == 0) {
        status = halo_file_write(data, 0, text, strlen(text));
        status = halo_status_first(status, halo_file_write(head, 0, text, strlen(text)));
    }
    if (failing && my_rank() == halo_world_ranks(world) - 1) {
        status = halo_fail(HALO_RANKS, "mine went wrong");
    }
    status = halo_file_commit_both(&data, &head, status);
    expect(data == NULL && head == NULL, "committed files are gone");
    return status;
}

static void test_both(void)
{
    bool first = my_rank() == 0;
    expect_ok(write_both("old", false));
    expect(write_both("new", true) == HALO_RANKS, "no failure");
    if (first) {
        expect_text("data", "old");
        expect_text("head", "old");
        expect(folder_files() == 2, "%d files", folder_files());
    }
    expect_ok(write_both("new", false));
    if (first) {
        expect_text("data", "new");
        expect_text("head", "new");
        expect(folder_files() == 2, "%d files", folder_files());
        /* The header cannot have its name: the samples do not get theirs. */
        expect(unlink(path_of("head")) == 0, "%s", strerror(errno));
    }
    expect_together();
    halo_world *world = mpi_check_world();
    halo_file *data = NULL, *head = NULL;
    expect_ok(halo_file_create(&data, world, path_of("data")));
    expect_ok(halo_file_create(&head, world, path_of("head")));
    expect(!first || mkdir(path_of("head"), 0777) == 0, "%s", strerror(errno));
    expect_together();
    expect(halo_file_commit_both(&data, &head, HALO_OK) == HALO_FILE, "no failure");
    if (first) {
        expect_text("data", "new");
        expect(rmdir(path_of("head")) == 0 && unlink(path_of("data")) == 0, "%s", strerror(errno));
    }
    expect_nothing_left();
    EXPECT_AGREED();
}

/* In a folder for all, links that somebody else has put there are not followed. */
static void test_links_of_others(void)
{
    char protects = '0';
    FILE *from = fopen("/proc/sys/fs/protected_symlinks", "r");
    bool known = from != NULL && fread(&protects, 1, 1, from) == 1;
    if (from != NULL) {
        fclose(from);
    }
    if (geteuid() != 0 || !known || protects != '1') {
        return; /* who is not root cannot make such a link */
    }
    if (my_rank() == 0) {
        leave("victim");
        expect(mkdir(path_of("all"), 0777) == 0 && chmod(path_of("all"), 01777) == 0 &&
                   chown(path_of("all"), 12, 12) == 0 &&
                   symlink("../victim", path_of("all/link")) == 0 &&
                   lchown(path_of("all/link"), 34, 34) == 0,
               "%s", strerror(errno));
    }
    expect_together();
    expect_fails(write_blocks("all/link", 4), HALO_FILE, "all/link");
    if (my_rank() == 0) {
        struct stat victim;
        expect(stat(path_of("victim"), &victim) == 0 && victim.st_size == 0, "it was replaced");
        expect(unlink(path_of("all/link")) == 0 && rmdir(path_of("all")) == 0 &&
                   unlink(path_of("victim")) == 0,
               "%s", strerror(errno));
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
                      {"odd names", test_odd_names}, {"killed runs", test_killed_runs},
                      {"rights are kept", test_rights}, {"rights meanwhile", test_rights_meanwhile},
                      {"two files", test_both}, {"links of others", test_links_of_others})
