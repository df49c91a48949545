#define _POSIX_C_SOURCE 200809L /* fdopen, ftruncate */
#include "app/append.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static halo_status fail_write(const char *path)
{
    return halo_fail(HALO_FILE, "cannot write \"%s\": %s", path, strerror(errno));
}

/* Before there is a stream, which would remember what was cut off. */
static bool cut_unfinished(int file, long *size)
{
    enum { PIECE = 1 << 12 };
    char piece[PIECE];
    const off_t all = lseek(file, 0, SEEK_END);
    off_t kept = all;
    for (bool found = false; kept > 0 && !found;) {
        off_t from = kept > PIECE ? kept - PIECE : 0;
        if (pread(file, piece, (size_t)(kept - from), from) != kept - from) {
            return false;
        }
        while (kept > from && !found) {
            found = piece[kept - from - 1] == '\n';
            kept -= !found;
        }
    }
    *size = (long)kept;
    return all >= 0 && (kept == all || ftruncate(file, kept) == 0);
}

halo_status app_append_open(FILE **out, const char *path, long *size)
{
    enum { ANYBODY = 0666 }; /* but for the user's mask */
    struct stat there;
    *size = 0;
    *out = NULL;
    int file = open(path, O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC, ANYBODY);
    if (file < 0) {
        return fail_write(path);
    }
    bool is_file = fstat(file, &there) == 0 && S_ISREG(there.st_mode);
    *out = !is_file || cut_unfinished(file, size) ? fdopen(file, "a+") : NULL;
    if (*out == NULL) {
        halo_status status = fail_write(path);
        close(file);
        return status;
    }
    return HALO_OK;
}

halo_status app_append_flush(FILE *file, const char *path)
{
    return fflush(file) == 0 && !ferror(file) ? HALO_OK : fail_write(path);
}

/* Lines of beats that are computed again go, and names of columns behind the last that stays. */
static bool cut_log(FILE *log, int64_t first)
{
    char *line = NULL;
    size_t room = 0;
    int64_t beat;
    off_t end = 0;
    while (getline(&line, &room, log) >= 0) {
        bool counts = sscanf(line, "%" SCNd64 ",", &beat) == 1 ||
                      sscanf(line, "beat %" SCNd64 ",", &beat) == 1;
        if (counts && beat > first) {
            break;
        }
        end = counts ? ftello(log) : end;
    }
    bool good =
        ferror(log) == 0 && ftruncate(fileno(log), end) == 0 && fseeko(log, end, SEEK_SET) == 0;
    free(line);
    return good;
}

FILE *app_log_open(const char *path, int64_t first, bool resumed)
{
    struct stat there;
    /* A pipe has nothing to go on with. */
    bool goes_on = resumed && stat(path, &there) == 0 && S_ISREG(there.st_mode);
    FILE *log = fopen(path, goes_on ? "r+" : "w");
    if (log != NULL && goes_on && !cut_log(log, first)) {
        fclose(log);
        return NULL;
    }
    return log;
}
