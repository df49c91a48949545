#define _DEFAULT_SOURCE
#include "support/host_folders.h"

#include "support/mpi_check.h"
#include "support/mpi_folder.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MAX_HOSTS = 4 };

static int hosts; /* in this world */

const char *host_folder(int host)
{
    static char path[1100];
    snprintf(path, sizeof path, "%s/host%d", path_of("x"), host);
    return path;
}

int host_count(void)
{
    return hosts;
}

void host_folders_make(void)
{
    hosts = all_ranks() < MAX_HOSTS ? all_ranks() : MAX_HOSTS;
    folder_make();
    if (my_rank() == 0) {
        expect(mkdir(path_of("x"), 0777) == 0, "%s", strerror(errno));
        for (int h = 0; h < hosts; h++) {
            expect(mkdir(host_folder(h), 0777) == 0, "%s", strerror(errno));
        }
    }
    expect_together();
}

int host_files(int host, void (*use)(const char *path))
{
    char path[2000];
    int count = 0;
    DIR *open = opendir(host_folder(host));
    for (struct dirent *file; open != NULL && (file = readdir(open)) != NULL;) {
        if (strcmp(file->d_name, ".") != 0 && strcmp(file->d_name, "..") != 0) {
            count++;
            snprintf(path, sizeof path, "%s/%s", host_folder(host), file->d_name);
            if (use != NULL) {
                use(path);
            }
        }
    }
    if (open != NULL) {
        closedir(open);
    }
    return count;
}

void host_file_remove(const char *path)
{
    expect(unlink(path) == 0, "%s: %s", path, strerror(errno));
}

void host_folders_empty(void)
{
    expect_together();
    for (int h = 0; h < hosts && my_rank() == 0; h++) {
        host_files(h, host_file_remove);
    }
    expect_together();
}

void host_folders_remove(void)
{
    host_folders_empty();
    expect(chdir("/") == 0, "%s", strerror(errno));
    expect_together();
    if (my_rank() == 0) {
        for (int h = 0; h < hosts; h++) {
            expect(rmdir(host_folder(h)) == 0, "%s", strerror(errno));
        }
        expect(rmdir(path_of("x")) == 0, "%s", strerror(errno));
    }
    folder_remove();
}

/* By renaming. */
static void change_disk(int host, bool back)
{
    char from[1200], to[1210];
    expect_together();
    if (my_rank() == 0) {
        snprintf(from, sizeof from, "%s", host_folder(host));
        snprintf(to, sizeof to, "%s.lost", from);
        if (back) {
            expect(rmdir(from) == 0 && rename(to, from) == 0, "%s", strerror(errno));
        } else {
            expect(rename(from, to) == 0 && mkdir(from, 0777) == 0, "%s", strerror(errno));
        }
    }
    expect_together();
}

void host_loses_disk(int host)
{
    change_disk(host, false);
}

void host_finds_disk(int host)
{
    change_disk(host, true);
}
