#define _GNU_SOURCE /* st_mtim */
#include "app/batch/folder.h"

#include "app/batch/name_set.h"
#include "base/names.h"
#include "base/option_values.h"
#include "core/world/clock.h"
#include "io/image/slices.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <time.h>
#include <unistd.h>

enum { TICK_MS = 100 };

static const double settled = 2;          /* seconds without a change */
static const double settled_watched = 30; /* the same of a file whose end the system would tell */
static const double look_again = 10;      /* between looks beside what the system tells */
static const double look_network = 2;

/* A file that is there and not complete. */
typedef struct {
    char *name;
    int64_t size, changed; /* bytes, ns */
    double since;          /* seconds of the clock, without a change */
    bool created;          /* while it was watched */
    bool closed;
    bool there;
} waiting_file;

struct batch_folder {
    const char *path;
    batch_folder_options options;
    int events; /* of inotify; -1: it is not used */
    double looked;
    bool lost; /* events: a look finds what they were about */
    waiting_file *waiting;
    int64_t count, room;
    batch_name_set taken; /* names that were given */
};

bool batch_is_image_name(const char *name)
{
    static const char endings[] =
        ".png|.jpg|.jpeg|.tif|.tiff|.pgm|.ppm|.pbm|.pnm|.npy|.npz|.nrrd|.mha|.nii|.h5|.hdf5|.mrc|"
        ".asc|.pgm.gz|.ppm.gz|.pbm.gz|.pnm.gz|.nii.gz";
    const char *ending = NULL;
    for (size_t n; (n = halo_list_next(endings, &ending)) > 0;) {
        if (halo_name_ends_by(name, strlen(name), ending, n)) {
            return true;
        }
    }
    return false;
}

halo_status batch_folder_pass(batch_folder *f, const char *name)
{
    return batch_name_set_add(&f->taken, name);
}

/* ---- files that are there -------------------------------------------------------------------- */

static bool path_of(const batch_folder *f, const char *name, char path[PATH_MAX])
{
    size_t length = strlen(f->path);
    const char *slash = length > 0 && f->path[length - 1] == '/' ? "" : "/";
    return snprintf(path, PATH_MAX, "%s%s%s", f->path, slash, name) < PATH_MAX;
}

static double age_of(const struct stat *there)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return (double)(now.tv_sec - there->st_mtim.tv_sec) +
           1e-9 * (double)(now.tv_nsec - there->st_mtim.tv_nsec);
}

static bool is_wanted(const batch_folder *f, const char *name)
{
    return name[0] != '.' && (f->options.any_name || batch_is_image_name(name)) &&
           !batch_name_set_has(&f->taken, name);
}

static halo_status find_waiting(batch_folder *f, const char *name, waiting_file **out)
{
    for (int64_t i = 0; i < f->count; i++) {
        if (strcmp(f->waiting[i].name, name) == 0) {
            *out = &f->waiting[i];
            return HALO_OK;
        }
    }
    HALO_TRY(halo_grow(&f->waiting, &f->room, f->count, sizeof *f->waiting, "names of files"));
    char *copy = strdup(name);
    HALO_FAIL_IF(copy == NULL, HALO_MEMORY, "out of memory: names of files");
    *out = &f->waiting[f->count++];
    **out = (waiting_file){.name = copy, .size = -1};
    return HALO_OK;
}

/* Looks at a file. One that has been there for long, as its time says, is complete. */
static halo_status meet(batch_folder *f, const char *name, bool created, bool closed)
{
    char path[PATH_MAX];
    struct stat there;
    waiting_file *file = NULL;
    if (!is_wanted(f, name) || !path_of(f, name, path) || stat(path, &there) != 0 ||
        !S_ISREG(there.st_mode)) {
        return HALO_OK;
    }
    HALO_TRY(find_waiting(f, name, &file));
    int64_t changed = (int64_t)there.st_mtim.tv_sec * 1000000000 + there.st_mtim.tv_nsec;
    bool first = file->size < 0;
    file->there = true;
    file->created = file->created || (created && there.st_nlink == 1);
    if (file->size != there.st_size || file->changed != changed) {
        file->since = halo_seconds();
        file->size = there.st_size;
        file->changed = changed;
    }
    file->closed = file->closed || closed || (first && !created && age_of(&there) > settled);
    return HALO_OK;
}

static bool is_complete(const batch_folder *f, const waiting_file *file)
{
    double enough = file->created && f->events >= 0 ? settled_watched : settled;
    return file->closed || halo_seconds() - file->since > enough;
}

/* Files that are gone are no longer waited for. */
static void drop_missing(batch_folder *f)
{
    int64_t kept = 0;
    for (int64_t i = 0; i < f->count; i++) {
        if (f->waiting[i].there) {
            f->waiting[kept++] = f->waiting[i];
        } else {
            free(f->waiting[i].name);
        }
    }
    f->count = kept;
}

static halo_status list(DIR **out, const char *path)
{
    *out = opendir(path);
    return HALO_REQUIRE(*out != NULL, HALO_FILE,
                        "the watched folder \"%.1000s\" cannot be listed: %s; name a folder that "
                        "files arrive in",
                        path, strerror(errno));
}

halo_status batch_folder_check(const char *path)
{
    DIR *folder;
    HALO_TRY(list(&folder, path));
    closedir(folder);
    return HALO_OK;
}

static halo_status look(batch_folder *f)
{
    DIR *folder;
    HALO_TRY(list(&folder, f->path));
    halo_status status = HALO_OK;
    for (int64_t i = 0; i < f->count; i++) {
        f->waiting[i].there = false;
    }
    for (const struct dirent *entry; status == HALO_OK && (entry = readdir(folder)) != NULL;) {
        status = meet(f, entry->d_name, false, false);
    }
    closedir(folder);
    drop_missing(f);
    f->looked = halo_seconds();
    f->lost = false;
    return status;
}

/* ---- what the system tells ------------------------------------------------------------------- */

/* Other hosts write to these disks, of which the system of this one is not told. */
static bool is_network(const char *path)
{
    static const unsigned long kinds[] = {0x6969 /* NFS */,
                                          0x517b /* SMB */,
                                          0xff534d42 /* CIFS */,
                                          0xfe534d42 /* SMB2 */,
                                          0x65735546 /* FUSE */,
                                          0x01021997 /* 9P */,
                                          0x5346414f /* AFS */,
                                          0x00c36400 /* Ceph */,
                                          0x0bd00bd0 /* Lustre */,
                                          0x47504653 /* GPFS */,
                                          0x19830326 /* BeeGFS */};
    struct statfs about;
    if (statfs(path, &about) != 0) {
        return true;
    }
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        if (((unsigned long)about.f_type & UINT32_MAX) == kinds[i]) {
            return true;
        }
    }
    return false;
}

/* The folder is looked at if there are no more watches to have. */
static void begin_events(batch_folder *f)
{
    f->events = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
    const uint32_t what =
        IN_CREATE | IN_CLOSE_WRITE | IN_MOVED_TO | IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR;
    if (f->events >= 0 && inotify_add_watch(f->events, f->path, what) < 0) {
        close(f->events);
        f->events = -1;
    }
}

static halo_status take_event(batch_folder *f, const struct inotify_event *event)
{
    bool closed = (event->mask & (IN_CLOSE_WRITE | IN_MOVED_TO)) != 0;
    if ((event->mask & (IN_Q_OVERFLOW | IN_DELETE_SELF | IN_MOVE_SELF | IN_IGNORED)) != 0) {
        f->lost = true;
    }
    return event->len > 0 && (event->mask & IN_ISDIR) == 0
               ? meet(f, event->name, (event->mask & IN_CREATE) != 0, closed)
               : HALO_OK;
}

static halo_status take_events(batch_folder *f)
{
    enum { BYTES = 1 << 14 };
    _Alignas(struct inotify_event) char buffer[BYTES];
    ssize_t got;
    while (f->events >= 0 && (got = read(f->events, buffer, sizeof buffer)) > 0) {
        for (const char *at = buffer; at < buffer + got;) {
            const struct inotify_event *event = (const struct inotify_event *)(const void *)at;
            HALO_TRY(take_event(f, event));
            at += sizeof *event + event->len;
        }
    }
    return HALO_OK;
}

/* ---- opening and waiting --------------------------------------------------------------------- */

halo_status batch_folder_open(batch_folder **out, const char *path,
                              const batch_folder_options *options)
{
    HALO_TRY(HALO_ALLOCATE(*out, 1, "a watched folder"));
    batch_folder *f = *out;
    f->path = path;
    f->options = *options;
    f->events = -1;
    if (options->every <= 0 && !is_network(path)) {
        begin_events(f); /* before the first look: no file comes between */
    }
    return look(f);
}

void batch_folder_close(batch_folder **folder)
{
    batch_folder *f = *folder;
    if (f == NULL) {
        return;
    }
    if (f->events >= 0) {
        close(f->events);
    }
    for (int64_t i = 0; i < f->count; i++) {
        free(f->waiting[i].name);
    }
    free(f->waiting);
    batch_name_set_free(&f->taken);
    free(f);
    *folder = NULL;
}

static int compare(const void *a, const void *b)
{
    return halo_natural_order(((const waiting_file *)a)->name, ((const waiting_file *)b)->name);
}

/* Those that are complete go to `paths`. */
static halo_status take_complete(batch_folder *f, halo_buffer *paths)
{
    char path[PATH_MAX];
    if (f->count > 0) {
        qsort(f->waiting, (size_t)f->count, sizeof *f->waiting, compare);
    }
    for (int64_t i = 0; i < f->count; i++) {
        waiting_file *file = &f->waiting[i];
        file->there = batch_name_set_has(&f->taken, file->name) ? false : file->there;
        if (file->there && is_complete(f, file) && path_of(f, file->name, path)) {
            file->there = false;
            HALO_TRY(batch_folder_pass(f, file->name));
            HALO_TRY(halo_buffer_append(paths, path, strlen(path) + 1));
        }
    }
    drop_missing(f);
    return HALO_OK;
}

/* A file that is waited for without events shows by its size that it is complete. */
static double next_look(const batch_folder *f)
{
    double every = f->options.every > 0 ? f->options.every
                   : f->events >= 0     ? look_again
                                        : look_network;
    double soon = f->count > 0 && every > settled / 2 ? settled / 2 : every;
    return f->lost ? 0 : f->looked + soon;
}

halo_status batch_folder_next(batch_folder *f, halo_buffer *paths)
{
    struct pollfd events = {.fd = f->events, .events = POLLIN};
    while (!f->options.stops(f->options.context)) {
        HALO_TRY(take_events(f));
        if (halo_seconds() >= next_look(f)) {
            HALO_TRY(look(f));
        }
        HALO_TRY(take_complete(f, paths));
        if (paths->size > 0) {
            return HALO_OK;
        }
        (void)poll(&events, 1, TICK_MS);
    }
    return HALO_OK;
}

bool batch_lies_in(const char *path, const char *folder)
{
    char text[PATH_MAX];
    struct stat one, other;
    size_t length = halo_name_file(path);
    while (length > 0 && path[length - 1] != '/') {
        length--;
    }
    snprintf(text, sizeof text, "%.*s", (int)(length < sizeof text ? length : 0), path);
    return stat(length > 0 ? text : ".", &one) == 0 && stat(folder, &other) == 0 &&
           one.st_dev == other.st_dev && one.st_ino == other.st_ino;
}
