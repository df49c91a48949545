#define _DEFAULT_SOURCE /* fdopen, flock, ftruncate */
#include "app/paths/append.h"

#include "core/file/atomic.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

enum { ANYBODY = 0666 }; /* but for the user's mask */

static halo_status fail_write(const char *path)
{
    return halo_fail(HALO_FILE, "cannot write \"%s\": %s", path, strerror(errno));
}

/* ---- looking --------------------------------------------------------------------------------- */

/* An existing file may be named through a link, since it is looked at. O_EXCL follows none: nobody
 * can choose by a link where a new file appears. */
static int open_or_create(const char *path)
{
    enum { FLAGS = O_RDWR | O_APPEND | O_CLOEXEC | O_NOCTTY };
    int file = open(path, FLAGS);
    return file < 0 && errno == ENOENT ? open(path, FLAGS | O_CREAT | O_EXCL, ANYBODY) : file;
}

static halo_status fail_kind(const char *path, const app_append_kind *kind)
{
    return halo_fail(HALO_FORMAT, "\"%s\" is no %s; use another file, or remove it", path,
                     kind->noun);
}

static halo_status fail_regular(const char *path, const app_append_kind *kind)
{
    return halo_fail(HALO_FILE,
                     "\"%s\" is not a regular file, which a %s must be; use another name", path,
                     kind->noun);
}

/* A file system may have no locks; files are then used without one. */
static halo_status lock(int file, const char *path, const app_append_kind *kind)
{
    HALO_FAIL_IF(flock(file, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK, HALO_FILE,
                 "another run writes the %s \"%s\"; wait for its end, or use another %s",
                 kind->noun, path, kind->noun);
    return HALO_OK;
}

/* Reads no more than a heading has: a file of another kind can be of any size. */
static halo_status check_heading(int file, const char *path, const app_append_kind *kind,
                                 bool *begun)
{
    char line[256] = "";
    size_t length = strlen(kind->heading);
    ssize_t count = pread(file, line, length, 0);
    HALO_FAIL_IF(count < 0, HALO_FILE, "cannot read \"%s\": %s", path, strerror(errno));
    *begun = count > 0;
    return count == 0 || ((size_t)count == length && memcmp(line, kind->heading, length) == 0)
               ? HALO_OK
               : fail_kind(path, kind);
}

static halo_status look(int file, const char *path, const app_append_kind *kind, bool *begun)
{
    struct stat there;
    if (fstat(file, &there) != 0) {
        return fail_write(path);
    }
    bool streams = S_ISCHR(there.st_mode) || S_ISFIFO(there.st_mode);
    if (!S_ISREG(there.st_mode)) {
        return streams && kind->streams ? HALO_OK : fail_regular(path, kind);
    }
    HALO_TRY(lock(file, path, kind));
    return check_heading(file, path, kind, begun);
}

/* Leaves the stream behind the heading that was seen. Takes over the descriptor. */
static halo_status make_stream(FILE **out, int file, const char *mode, halo_status seen,
                               const app_append_kind *kind, bool begun)
{
    *out = seen == HALO_OK ? fdopen(file, mode) : NULL;
    if (*out == NULL) {
        close(file);
        return seen != HALO_OK ? seen : halo_fail(HALO_MEMORY, "out of memory: a %s", kind->noun);
    }
    if (begun) {
        fseeko(*out, (off_t)strlen(kind->heading), SEEK_SET);
    }
    return HALO_OK;
}

halo_status app_append_open(FILE **out, const char *path, const app_append_kind *kind, bool *begun)
{
    *out = NULL;
    *begun = false;
    int file = open_or_create(path);
    if (file < 0) {
        return errno != EEXIST
                   ? fail_write(path)
                   : halo_fail(HALO_FILE,
                               "\"%s\" is a symbolic link to a file that is not there; name the "
                               "file itself",
                               path);
    }
    halo_status seen = look(file, path, kind, begun);
    if (seen == HALO_OK) {
        halo_atomic_clean(path);
    }
    return make_stream(out, file, "a+", seen, kind, *begun);
}

halo_status app_append_read(FILE **out, const char *path, const app_append_kind *kind, bool *begun)
{
    struct stat there;
    *out = NULL;
    *begun = false;
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    HALO_FAIL_IF(file < 0, HALO_FILE, "cannot read \"%s\": %s", path, strerror(errno));
    bool regular = fstat(file, &there) == 0 && S_ISREG(there.st_mode);
    halo_status seen = regular ? check_heading(file, path, kind, begun) : fail_regular(path, kind);
    return make_stream(out, file, "r", seen, kind, *begun);
}

/* ---- writing --------------------------------------------------------------------------------- */

static bool cut_unfinished(int file)
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
    return all >= 0 && (kept == all || ftruncate(file, kept) == 0);
}

halo_status app_append_begin(FILE *file, const char *path, const app_append_kind *kind, bool begun)
{
    if (!begun) {
        fputs(kind->heading, file);
        return app_append_flush(file, path);
    }
    /* The stream forgets what it has read, also of the line that is cut off. */
    bool good = fflush(file) == 0 && cut_unfinished(fileno(file)) && fseeko(file, 0, SEEK_END) == 0;
    return good ? HALO_OK : fail_write(path);
}

halo_status app_append_flush(FILE *file, const char *path)
{
    return fflush(file) == 0 && !ferror(file) ? HALO_OK : fail_write(path);
}

/* ---- logs of beats --------------------------------------------------------------------------- */

static bool counts_beats(const char *line, int64_t *beat)
{
    return sscanf(line, "%" SCNd64 ",", beat) == 1 || sscanf(line, "beat %" SCNd64 ",", beat) == 1;
}

/* Removes lines of beats that are computed again, and names of columns after the last line that
 * remains. Lines are read in pieces, since a damaged file may have a line of any length. */
static bool cut_log(FILE *log, int64_t first)
{
    char piece[256];
    int64_t beat;
    off_t end = 0;
    bool begins = true, counts = false;
    rewind(log);
    while (fgets(piece, sizeof piece, log) != NULL) {
        counts = begins ? counts_beats(piece, &beat) : counts;
        if (begins && counts && beat > first) {
            break;
        }
        begins = strchr(piece, '\n') != NULL;
        end = begins && counts ? ftello(log) : end;
    }
    return ferror(log) == 0 && fflush(log) == 0 && ftruncate(fileno(log), end) == 0 &&
           fseeko(log, end, SEEK_SET) == 0;
}

/* Only the first bytes of it, since a file of another kind may have no lines. */
static bool is_log(FILE *log, const app_log_options *options)
{
    char line[256];
    return fgets(line, sizeof line, log) != NULL && options->begins(line);
}

/* Looks at a regular file, and takes what it goes on with. */
static halo_status take_log(FILE *log, const char *path, const app_log_options *options,
                            bool *continued)
{
    struct stat there;
    if (fstat(fileno(log), &there) != 0) {
        return fail_write(path);
    }
    bool known = is_log(log, options);
    HALO_FAIL_IF(there.st_size > 0 && !known, HALO_FORMAT,
                 "\"%s\" is no %s; use another file, or remove it", path, options->noun);
    rewind(log);
    bool good =
        known && options->continues ? cut_log(log, options->first) : ftruncate(fileno(log), 0) == 0;
    *continued = good && ftello(log) > 0;
    return good ? HALO_OK : fail_write(path);
}

halo_status app_log_open(FILE **out, const char *path, const app_log_options *options,
                         bool *continued)
{
    struct stat there;
    *continued = false;
    /* A pipe has nothing to look at. */
    bool looks = stat(path, &there) != 0 || S_ISREG(there.st_mode);
    int file = looks ? open_or_create(path) : -1;
    *out = !looks ? fopen(path, "we") : file >= 0 ? fdopen(file, "r+") : NULL;
    if (*out == NULL) {
        halo_status status = halo_fail(HALO_FILE, "the %s \"%s\" cannot be written: %s",
                                       options->noun, path, strerror(errno));
        if (file >= 0) {
            close(file);
        }
        return status;
    }
    halo_status status = looks ? take_log(*out, path, options, continued) : HALO_OK;
    if (looks && status == HALO_OK) {
        halo_atomic_clean(path);
    }
    if (status != HALO_OK) {
        fclose(*out);
        *out = NULL;
    }
    return status;
}
