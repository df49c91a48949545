#define _POSIX_C_SOURCE 200809L
#include "support/movie_check.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PIECE = 65536 };

static char folder[] = "/tmp/halobeat-movie-XXXXXX";
static char usual_path[MOVIE_PATH_SIZE];

void movie_folder_enter(void)
{
    const char *path = getenv("PATH");
    snprintf(usual_path, sizeof usual_path, "%s", path != NULL ? path : "/usr/bin:/bin");
    if (mkdtemp(folder) == NULL || chdir(folder) != 0) {
        perror(folder);
        exit(1);
    }
}

void movie_folder_remove(void)
{
    char command[sizeof folder + 16];
    movie_real_ffmpeg();
    snprintf(command, sizeof command, "rm -rf %s", folder);
    if (chdir("/") != 0 || system(command) != 0) {
        perror(folder);
    }
}

int movie_folder_files(void)
{
    int count = 0;
    DIR *open = opendir(folder);
    for (struct dirent *entry; open != NULL && (entry = readdir(open)) != NULL;) {
        count += strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0 &&
                 strcmp(entry->d_name, "fake") != 0;
    }
    if (open != NULL) {
        closedir(open);
    }
    return count;
}

static halo_buffer read_all(FILE *from)
{
    halo_buffer all = {0};
    for (size_t got = 1; got > 0 && halo_buffer_reserve(&all, PIECE + 1) == HALO_OK;) {
        got = from != NULL ? fread(all.data + all.size, 1, PIECE, from) : 0;
        all.size += got;
        all.data[all.size] = '\0';
    }
    return all;
}

halo_buffer movie_file(const char *name)
{
    FILE *from = fopen(name, "rb");
    halo_buffer all = read_all(from);
    if (from != NULL) {
        fclose(from);
    }
    return all;
}

halo_buffer movie_output(const char *command)
{
    FILE *from = popen(command, "r");
    halo_buffer all = read_all(from);
    if (from != NULL) {
        pclose(from);
    }
    return all;
}

void movie_put(const char *name, const char *text, bool program)
{
    FILE *to = fopen(name, "w");
    if (to == NULL || fputs(text, to) < 0 || fclose(to) != 0 ||
        (program && chmod(name, 0755) != 0)) {
        perror(name);
        exit(1);
    }
}

bool movie_has_ffmpeg(void)
{
    return system("ffmpeg -version >/dev/null 2>&1") == 0;
}

void movie_fake_ffmpeg(const char *lines)
{
    static const char script[] = "#!/bin/sh\nPATH='%s'\nreal=$(command -v ffmpeg)\n%s\n";
    char path[sizeof folder + 16], text[2 * MOVIE_PATH_SIZE];
    snprintf(path, sizeof path, "%s/fake", folder);
    mkdir(path, 0755);
    unlink("fake/ffmpeg");
    if (lines != NULL) {
        snprintf(text, sizeof text, script, usual_path, lines);
        movie_put("fake/ffmpeg", text, true);
    }
    setenv("PATH", path, 1);
}

void movie_real_ffmpeg(void)
{
    setenv("PATH", usual_path, 1);
}
