#include "base/names.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

bool halo_name_ends_by(const char *name, size_t length, const char *ending, size_t count)
{
    return length > count && strncasecmp(name + length - count, ending, count) == 0;
}

bool halo_name_ends(const char *name, const char *ending)
{
    return halo_name_ends_by(name, strlen(name), ending, strlen(ending));
}

void halo_names_list(const char *const *names, int count, char *text, size_t size)
{
    size_t used = 0;
    text[0] = '\0';
    for (int i = 0; i < count && used < size; i++) {
        const char *before = i == 0 ? "" : i < count - 1 ? ", " : " or ";
        used += (size_t)snprintf(text + used, size - used, "%s%s", before, names[i]);
    }
}

halo_status halo_names_find(const char *what, const char *const *names, int count, const char *name,
                            int *index)
{
    for (*index = 0; *index < count; ++*index) {
        if (name == NULL || strcmp(names[*index], name) == 0) {
            return HALO_OK;
        }
    }
    char all[HALO_MESSAGE_SIZE / 2];
    halo_names_list(names, count, all, sizeof all);
    return halo_fail(HALO_ARGUMENT, "unknown %s \"%.40s\"; use %s", what, name, all);
}
