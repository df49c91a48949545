#define _XOPEN_SOURCE 700 /* mkdtemp */
#include "support/scratch.h"

#include "support/unit_check.h"

#include <dirent.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PIECE = 65536, PATH_SIZE = 512 };

int scratch_run(void)
{
    char folder[PATH_SIZE], command[PATH_SIZE + 16];
    const char *parent = getenv("TMPDIR");
    snprintf(folder, sizeof folder, "%.400s/halobeat-XXXXXX", parent != NULL ? parent : "/tmp");
    if (mkdtemp(folder) == NULL || chdir(folder) != 0) {
        perror(folder);
        exit(1);
    }
    int status = unit_check_run();
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    if (chdir("/") != 0 || system(command) != 0) {
        perror(folder);
    }
    return status;
}

int scratch_files(void)
{
    int count = 0;
    DIR *open = opendir(".");
    for (struct dirent *entry; open != NULL && (entry = readdir(open)) != NULL;) {
        count += strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0 &&
                 strcmp(entry->d_name, "fake") != 0;
    }
    if (open != NULL) {
        closedir(open);
    }
    return count;
}

void scratch_write(const char *name, const void *data, size_t bytes)
{
    char folder[PATH_SIZE];
    for (const char *slash = name; (slash = strchr(slash + 1, '/')) != NULL;) {
        snprintf(folder, sizeof folder, "%.*s", (int)(slash - name), name);
        mkdir(folder, 0755);
    }
    FILE *file = fopen(name, "wb");
    if (file == NULL || fwrite(data, 1, bytes, file) != bytes || fclose(file) != 0) {
        perror(name);
        exit(1);
    }
}

void scratch_text(const char *name, const char *text)
{
    scratch_write(name, text, strlen(text));
}

void scratch_script(const char *name, const char *text)
{
    unlink(name);
    scratch_text(name, text);
    chmod(name, 0755);
}

int scratch_pipe(char name[SCRATCH_PIPE], const void *data, size_t bytes)
{
    int ends[2];
    if (pipe(ends) != 0 || write(ends[1], data, bytes) != (ssize_t)bytes || close(ends[1]) != 0) {
        perror("a pipe");
        exit(1);
    }
    snprintf(name, SCRATCH_PIPE, "/dev/fd/%d", ends[0]);
    return ends[0];
}

static halo_buffer read_and_close(FILE *from, int (*close_it)(FILE *))
{
    halo_buffer all = {0};
    for (size_t got = 1; got > 0 && halo_buffer_reserve(&all, PIECE + 1) == HALO_OK;) {
        got = from != NULL ? fread(all.data + all.size, 1, PIECE, from) : 0;
        all.size += got;
        all.data[all.size] = '\0';
    }
    if (from != NULL) {
        close_it(from);
    }
    return all;
}

halo_buffer scratch_read(const char *name)
{
    return read_and_close(fopen(name, "rb"), fclose);
}

halo_buffer scratch_output(const char *command)
{
    return read_and_close(popen(command, "r"), pclose);
}
