#define _POSIX_C_SOURCE 200809L
#include "core/file/folders.h"

#include "base/memory.h"
#include "core/world/clock.h"
#include "core/world/collect.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include <xxhash.h>

enum { HOST_SIZE = 64, HOSTS_NAMED = 3 };

static const double PATIENCE = 1;              /* seconds */
static const long LOOK_NANOSECONDS = 50000000; /* from one look to the next */

typedef struct {
    uint64_t key; /* of its name */
    bool all, mine;
    halo_unshared_folder apart; /* on rank 0, unless all see it */
} folder;

struct halo_folders {
    int64_t numbers; /* given out */
    int64_t count;
    folder list[]; /* [count] */
};

halo_status halo_folder_make(const char *path)
{
    struct stat there;
    if (mkdir(path, 0777) != 0 && errno != EEXIST) {
        const char *remedy = errno == ENOENT ? "; make the folder that it is in first" : "";
        return halo_fail(HALO_FILE, "the folder \"%.300s\" cannot be made: %s%s", path,
                         strerror(errno), remedy);
    }
    if (stat(path, &there) != 0 || !S_ISDIR(there.st_mode)) {
        return halo_fail(HALO_FILE, "\"%s\" is not a folder; give another name", path);
    }
    if (access(path, W_OK | X_OK) != 0) {
        return halo_fail(HALO_FILE, "the folder \"%s\" cannot be written to: %s", path,
                         strerror(errno));
    }
    return HALO_OK;
}

static size_t folder_length(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash == NULL ? 0 : (size_t)(slash - path) + 1;
}

/* Returns the folders kept with the world; NULL before the first one. */
static struct halo_folders *folders_of(halo_world *world)
{
    return *halo_world_keep(world, free);
}

static folder *find(halo_world *world, const char *path)
{
    struct halo_folders *folders = folders_of(world);
    uint64_t key = XXH3_64bits(path, folder_length(path));
    for (int64_t i = 0; folders != NULL && i < folders->count; i++) {
        if (folders->list[i].key == key) {
            return &folders->list[i];
        }
    }
    return NULL;
}

bool halo_folders_know(halo_world *world, const char *path)
{
    return find(world, path) != NULL;
}

/* Local. Room for a folder that is not known yet. */
static halo_status add(halo_world *world, const char *path, folder **out)
{
    void **kept = halo_world_keep(world, free);
    const struct halo_folders *before = *kept;
    bool first = before == NULL;
    size_t count = first ? 0 : (size_t)before->count;
    struct halo_folders *more = realloc(*kept, sizeof *more + (count + 1) * sizeof more->list[0]);
    if (more == NULL) {
        return halo_fail(HALO_MEMORY, "out of memory: names of folders");
    }
    more->numbers = first ? 0 : more->numbers;
    *kept = more;
    *out = &more->list[count];
    **out = (folder){.key = XXH3_64bits(path, folder_length(path))};
    snprintf((*out)->apart.name, sizeof(*out)->apart.name, "%.*s",
             folder_length(path) > 0 ? (int)folder_length(path) : 2,
             folder_length(path) > 0 ? path : "./");
    more->count = (int64_t)count + 1;
    return HALO_OK;
}

/* Only what says that the file is elsewhere, or is not this user's there: of other failures, such
 * as too many open files, the one who opens it will speak. */
static bool sees(const char *path)
{
    int handle = open(path, O_WRONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (handle >= 0) {
        close(handle);
        return true;
    }
    return errno == EMFILE || errno == ENFILE || errno == ENOMEM;
}

/* Opening the folder makes network file systems ask their server again. */
static bool sees_in_time(const char *path)
{
    char name[sizeof(((folder *)NULL)->apart.name)];
    double begun = halo_seconds();
    bool seen = sees(path);
    snprintf(name, sizeof name, "%.*s", (int)folder_length(path), path);
    while (!seen && halo_seconds() - begun < PATIENCE) {
        nanosleep(&(struct timespec){.tv_nsec = LOOK_NANOSECONDS}, NULL);
        DIR *again = opendir(name[0] == '\0' ? "." : name);
        if (again != NULL) {
            closedir(again);
        }
        seen = sees(path);
    }
    return seen;
}

typedef struct {
    char host[HOST_SIZE];
    bool sees;
} answer;

/* Does a lower rank of that host not see it either? */
static bool was_named(const answer *answers, int rank)
{
    for (int r = 0; r < rank; r++) {
        if (!answers[r].sees && strcmp(answers[r].host, answers[rank].host) == 0) {
            return true;
        }
    }
    return false;
}

static void name_hosts(const answer *answers, int ranks, char *out, size_t size)
{
    size_t used = 0;
    int hosts = 0;
    for (int r = 0; r < ranks; r++) {
        if (answers[r].sees || was_named(answers, r)) {
            continue;
        }
        if (hosts++ < HOSTS_NAMED && used < size) {
            used += (size_t)snprintf(out + used, size - used, "%s%s", hosts > 1 ? ", " : "",
                                     answers[r].host);
        }
    }
    if (hosts > HOSTS_NAMED && used < size) {
        snprintf(out + used, size - used, " and %d more", hosts - HOSTS_NAMED);
    }
}

/* Collective. Rank 0 gets to know the hosts of those who do not see it. */
static halo_status gather_hosts(halo_world *world, folder *looked)
{
    int ranks = halo_world_ranks(world);
    bool first = halo_world_rank(world) == 0;
    answer mine = {.sees = looked->mine};
    answer *answers = NULL;
    gethostname(mine.host, sizeof mine.host - 1);
    halo_status status =
        halo_agree(world, first ? HALO_ALLOCATE(answers, ranks, "names of hosts") : HALO_OK);
    if (status == HALO_OK) {
        status = halo_gather(world, &mine, sizeof mine, answers);
    }
    if (status == HALO_OK && first) {
        name_hosts(answers, ranks, looked->apart.hosts, sizeof looked->apart.hosts);
    }
    free(answers);
    return status;
}

/* Collective. Do all ranks see the file in a folder that has just been added? */
static halo_status look(halo_world *world, const char *path, folder *looked)
{
    if (halo_world_is_process(world)) {
        looked->all = looked->mine = true;
        return HALO_OK;
    }
    looked->mine = halo_world_rank(world) == 0 || sees_in_time(path);
    int64_t blind = looked->mine ? 0 : 1;
    HALO_TRY(halo_allreduce_sum(world, &blind, 1));
    looked->all = blind == 0;
    return looked->all ? HALO_OK : gather_hosts(world, looked);
}

halo_status halo_folders_look(halo_world *world, const char *path, bool *all, bool *mine)
{
    folder *looked = find(world, path);
    if (looked == NULL) {
        halo_status added = add(world, path, &looked), status = halo_agree(world, added);
        if (status == HALO_OK) {
            status = look(world, path, looked);
        }
        if (status != HALO_OK && added == HALO_OK) {
            folders_of(world)->count--; /* all ranks know a folder, or none */
        }
        HALO_TRY(status);
    }
    *all = looked->all;
    *mine = looked->mine;
    return HALO_OK;
}

int64_t halo_folders_number(halo_world *world)
{
    return folders_of(world)->numbers++;
}

const halo_unshared_folder *halo_folders_unshared(halo_world *world, int number)
{
    const struct halo_folders *folders = folders_of(world);
    for (int64_t i = 0; folders != NULL && i < folders->count; i++) {
        if (!folders->list[i].all && number-- == 0) {
            return &folders->list[i].apart;
        }
    }
    return NULL;
}
