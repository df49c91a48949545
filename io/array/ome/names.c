#include "io/array/ome/ome_internal.h"

#include "base/names.h"

#include <stdio.h>
#include <string.h>

/* Choices stand behind the name of an image: FILE.ome.zarr:version=0.5,shards=no. */

static halo_status fail_choice(const char *path, const char *choice, size_t length)
{
    return halo_fail(HALO_ARGUMENT,
                     "%s: \"%.*s\" is no choice of OME-Zarr; it is version=0.4, version=0.5, "
                     "shards=yes or shards=no",
                     path, (int)length, choice);
}

static bool is(const char *choice, size_t length, const char *word)
{
    return strlen(word) == length && strncmp(choice, word, length) == 0;
}

static halo_status take_choice(halo_ome_name *out, const char *path, const char *choice,
                               size_t length)
{
    halo_ome_version version = is(choice, length, "version=0.4")   ? HALO_OME_04
                               : is(choice, length, "version=0.5") ? HALO_OME_05
                                                                   : HALO_OME_ANY;
    bool yes = is(choice, length, "shards=yes"), no = is(choice, length, "shards=no");
    bool twice =
        version != HALO_OME_ANY ? out->version != HALO_OME_ANY : out->sharded || out->unsharded;
    if (version == HALO_OME_ANY && !yes && !no) {
        return fail_choice(path, choice, length);
    }
    out->version = version != HALO_OME_ANY ? version : out->version;
    out->sharded = out->sharded || yes;
    out->unsharded = out->unsharded || no;
    return HALO_REQUIRE(!twice, HALO_ARGUMENT, "%s: two choices of \"%.*s\"; give one", path,
                        (int)strcspn(choice, "="), choice);
}

halo_status halo_ome_name_parse(halo_ome_name *out, const char *path)
{
    size_t length = halo_name_file(path);
    *out = (halo_ome_name){.image = halo_name_layer(path)};
    HALO_FAIL_IF(length >= sizeof out->path, HALO_FILE,
                 "cannot write %.100s...: the name is too long; give a shorter one", path);
    memcpy(out->path, path, length);
    for (const char *at = path + length; *at != '\0';) {
        size_t bytes = strcspn(++at, ",");
        HALO_TRY(take_choice(out, path, at, bytes));
        at += bytes;
    }
    HALO_FAIL_IF(out->sharded && out->version == HALO_OME_04, HALO_ARGUMENT,
                 "%s: there are no shards in version 0.4, which is zarr 2; add version=0.5", path);
    return HALO_OK;
}
