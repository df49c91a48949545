#define _DEFAULT_SOURCE /* glob */
#include "base/wildcards.h"

#include "base/standard.h"

#include <glob.h>
#include <string.h>
#include <unistd.h>

bool halo_wildcards_are_in(const char *text)
{
    return strpbrk(text, "*?[") != NULL && access(text, F_OK) != 0;
}

/* A file that is called as standard input is gets a name that means the file. */
static halo_status add_name(halo_buffer *names, const char *name)
{
    HALO_TRY(halo_buffer_append(names, "./", halo_is_standard(name) ? 2 : 0));
    return halo_buffer_append(names, name, strlen(name) + 1);
}

halo_status halo_wildcards_expand(halo_buffer *names, const char *pattern)
{
    glob_t found;
    int code = glob(pattern, 0, NULL, &found);
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
        status = add_name(names, found.gl_pathv[i]);
    }
    if (code == 0) {
        globfree(&found);
    }
    return status;
}
