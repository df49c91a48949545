#define _DEFAULT_SOURCE /* glob */
#include "base/wildcards.h"

#include "base/names.h"
#include "base/standard.h"

#include <glob.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool halo_wildcards_are_in(const char *text)
{
    return strcspn(text, "*?[") < halo_name_chosen(text) && access(text, F_OK) != 0;
}

/* A file that is called as standard input is gets a name that means the file. A choice of a part
 * behind the pattern, `chosen`, is that of each file. */
static halo_status add_name(halo_buffer *names, const char *name, const char *chosen)
{
    HALO_TRY(halo_buffer_append(names, "./", halo_is_standard(name) ? 2 : 0));
    HALO_TRY(halo_buffer_append(names, name, strlen(name)));
    return halo_buffer_append(names, chosen, strlen(chosen) + 1);
}

static halo_status expand(halo_buffer *names, const char *pattern, const char *stem)
{
    glob_t found;
    int code = glob(stem, 0, NULL, &found);
    const char *chosen = pattern + strlen(stem);
    halo_status status = HALO_OK;
    if (code == GLOB_NOMATCH) {
        status = halo_fail(HALO_ARGUMENT,
                           "no file's name is like \"%.300s\"; name one that is there, or another "
                           "pattern",
                           pattern);
    } else if (code != 0) {
        status = halo_fail(code == GLOB_NOSPACE ? HALO_MEMORY : HALO_FILE,
                           "the files that \"%.300s\" stands for cannot be listed%s", pattern,
                           code == GLOB_NOSPACE ? ": out of memory" : "");
    }
    for (size_t i = 0; code == 0 && i < found.gl_pathc && status == HALO_OK; i++) {
        status = add_name(names, found.gl_pathv[i], chosen);
    }
    if (code == 0) {
        globfree(&found);
    }
    return status;
}

halo_status halo_wildcards_expand(halo_buffer *names, const char *pattern)
{
    char *stem = strndup(pattern, halo_name_chosen(pattern));
    halo_status status = stem != NULL ? expand(names, pattern, stem)
                                      : halo_fail(HALO_MEMORY, "out of memory: names of files");
    free(stem);
    return status;
}
