#define _DEFAULT_SOURCE
#include "support/mpi_folder.h"

#include "core/world/collect.h"
#include "support/mpi_check.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static PER_RANK char folder[200];
/* While it is split: the folder's name, and where ranks were. */
static PER_RANK char whole[200], before[1000];

void folder_make(void)
{
    if (my_rank() == 0) {
        const char *place = getenv("TMPDIR");
        snprintf(folder, sizeof folder, "%.150s/halobeat-test-XXXXXX",
                 place != NULL ? place : "/tmp");
        expect(mkdtemp(folder) != NULL, "%s: %s", folder, strerror(errno));
    }
    expect_ok(halo_bcast(mpi_check_world(), folder, sizeof folder, 0));
}

void folder_remove(void)
{
    if (my_rank() == 0) {
        expect(rmdir(folder) == 0, "%s: %s", folder, strerror(errno));
    }
    expect_together();
}

void folder_split(void)
{
    char own[] = "/tmp/halobeat-test-apart-XXXXXX";
    memcpy(whole, folder, sizeof whole);
    bool there = my_rank() % 2 == 0 || mkdtemp(own) != NULL;
    expect(there && getcwd(before, sizeof before) != NULL &&
               chdir(my_rank() % 2 == 0 ? folder : own) == 0,
           "%s", strerror(errno));
    snprintf(folder, sizeof folder, ".");
}

void folder_join(void)
{
    char own[200];
    expect(folder_files() == 0, "%d files left behind", folder_files());
    expect(getcwd(own, sizeof own) != NULL && chdir(before) == 0, "%s", strerror(errno));
    expect(my_rank() % 2 == 0 || rmdir(own) == 0, "%s: %s", own, strerror(errno));
    memcpy(folder, whole, sizeof folder);
    expect_together(); /* nobody is there any more */
}

const char *path_of(const char *name)
{
    static PER_RANK char path[1000];
    snprintf(path, sizeof path, "%s/%.700s", folder, name);
    return path;
}

halo_buffer file_read(const char *name)
{
    halo_buffer out = {0};
    unsigned char block[4096];
    FILE *file = fopen(path_of(name), "rb");
    for (size_t got = 1; file != NULL && got > 0;) {
        got = fread(block, 1, sizeof block, file);
        expect_ok(halo_buffer_append(&out, block, got));
    }
    if (file != NULL) {
        fclose(file);
    }
    return out;
}

int folder_files(void)
{
    int count = 0;
    DIR *open = opendir(folder);
    for (struct dirent *entry = NULL; open != NULL && (entry = readdir(open)) != NULL;) {
        count += strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
    }
    if (open != NULL) {
        closedir(open);
    }
    return open == NULL ? -1 : count;
}

unsigned folder_modes(void)
{
    unsigned modes = 0;
    struct stat there;
    DIR *open = opendir(folder);
    for (struct dirent *entry = NULL; open != NULL && (entry = readdir(open)) != NULL;) {
        bool is_file = fstatat(dirfd(open), entry->d_name, &there, AT_SYMLINK_NOFOLLOW) == 0 &&
                       S_ISREG(there.st_mode);
        modes |= is_file ? there.st_mode & 07777 : 0;
    }
    if (open != NULL) {
        closedir(open);
    }
    return modes;
}

void expect_together(void)
{
    expect_ok(halo_agree(mpi_check_world(), HALO_OK));
}

void expect_nothing_left(void)
{
    /* Others may be ahead of rank 0, or behind: nobody goes on before it has looked. */
    expect_together();
    if (my_rank() == 0) {
        expect(folder_files() == 0, "%d files left behind", folder_files());
    }
    expect_together();
}
