#define _GNU_SOURCE /* dirfd, fchown */
#include "core/file/partial.h"

#include <dirent.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    NAME_KEPT = 200, /* of the target's name: with all the rest 255 bytes at most */
    DIGITS = 16
};

static const char PARTIAL[] = ".partial-";

void halo_partial_folder(const char *path, char *folder)
{
    const char *slash = strrchr(path, '/');
    size_t bytes = slash == NULL ? 0 : (size_t)(slash - path) + 1;
    memcpy(folder, path, bytes);
    folder[bytes] = '\0';
}

static const char *base_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash == NULL ? path : slash + 1;
}

bool halo_partial_name(char *out, const char *target, const char *word)
{
    uint64_t number;
    if (strlen(target) >= HALO_PARTIAL_PATH_SIZE ||
        getrandom(&number, sizeof number, 0) != (ssize_t)sizeof number) {
        return false;
    }
    halo_partial_folder(target, out);
    size_t folder = strlen(out), room = HALO_PARTIAL_PATH_SIZE - folder;
    int length = snprintf(out + folder, room, ".%.*s.%s-%0*" PRIx64, NAME_KEPT, base_of(target),
                          word, DIGITS, number);
    return length >= 0 && (size_t)length < room;
}

/* The bytes of `name` before ".partial-" and 16 digits, behind its dot; 0: it is another name. */
static size_t length_of_target(const char *name)
{
    const size_t end = sizeof PARTIAL - 1 + DIGITS;
    size_t length = strlen(name);
    if (name[0] != '.' || length < end + 2) {
        return 0;
    }
    const char *mark = name + length - end, *digits = mark + sizeof PARTIAL - 1;
    bool is = strncmp(mark, PARTIAL, sizeof PARTIAL - 1) == 0 &&
              strspn(digits, "0123456789abcdef") == DIGITS;
    return is ? length - end - 1 : 0;
}

static bool is_own(int around, const char *name)
{
    struct stat there;
    return fstatat(around, name, &there, AT_SYMLINK_NOFOLLOW) == 0 && there.st_uid == geteuid();
}

static bool is_for(const char *name, const char *base, bool all)
{
    size_t length = length_of_target(name), wanted = strlen(base);
    wanted = wanted < NAME_KEPT ? wanted : NAME_KEPT;
    return length > 0 && (all || (length == wanted && memcmp(name + 1, base, wanted) == 0));
}

void halo_partial_each(const char *target, bool all, halo_partial_use *use)
{
    char folder[HALO_PARTIAL_PATH_SIZE];
    if (strlen(target) >= sizeof folder) {
        return; /* nobody can have written there */
    }
    halo_partial_folder(target, folder);
    DIR *open = opendir(folder[0] == '\0' ? "." : folder);
    if (open == NULL) {
        return;
    }
    for (const struct dirent *entry = readdir(open); entry != NULL; entry = readdir(open)) {
        if (is_for(entry->d_name, base_of(target), all) && is_own(dirfd(open), entry->d_name)) {
            use(dirfd(open), entry->d_name);
        }
    }
    closedir(open);
}

halo_partial_rights halo_partial_rights_of(const char *target)
{
    struct stat there;
    if (stat(target, &there) != 0) {
        return (halo_partial_rights){.known = false};
    }
    return (halo_partial_rights){
        .known = true, .mode = there.st_mode & 07777, .owner = there.st_uid, .group = there.st_gid};
}

void halo_partial_rights_give(const halo_partial_rights *rights, int handle)
{
    struct stat own;
    if (!rights->known) {
        return;
    }
    /* Giving it away takes bits of the mode with it. */
    int given = fchown(handle, geteuid() == 0 ? rights->owner : (uid_t)-1, rights->group);
    mode_t mode = rights->mode;
    if (given != 0 && fstat(handle, &own) == 0 && own.st_gid != rights->group) {
        mode = (mode & ~(mode_t)(S_IRWXG | S_ISGID)) | (mode & S_IRWXO) << 3;
    }
    int kept = fchmod(handle, mode);
    (void)kept;
}
