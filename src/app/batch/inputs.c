#include "app/batch/batch_internal.h"
#include "base/standard.h"
#include "base/wildcards.h"
#include "core/world/collect.h"

#include <stdlib.h>
#include <string.h>

halo_status app_parse_input(const char *text, void *into)
{
    app_inputs *inputs = into;
    if (*text == '\0') {
        return HALO_ARGUMENT;
    }
    HALO_TRY(strcmp(text, "-") == 0 ? halo_standard_input_check() : HALO_OK);
    if (inputs->count == inputs->room) {
        int64_t room = 2 * inputs->room + 4;
        const char **list = realloc(inputs->list, (size_t)room * sizeof *list);
        if (list == NULL) {
            return halo_fail(HALO_MEMORY, "out of memory: names of files");
        }
        inputs->list = list;
        inputs->room = room;
    }
    inputs->list[inputs->count++] = text;
    inputs->first = inputs->list[0];
    return HALO_OK;
}

/* On rank 0. */
static halo_status list_names(const app_inputs *inputs, halo_buffer *names)
{
    for (int64_t i = 0; i < inputs->count; i++) {
        const char *text = inputs->list[i];
        HALO_TRY(halo_wildcards_are_in(text) ? halo_wildcards_expand(names, text)
                                             : halo_buffer_append(names, text, strlen(text) + 1));
    }
    return HALO_OK;
}

/* Where each begins. */
static halo_status find_beginnings(app_batch *batch, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++) {
        batch->count += batch->text[i] == '\0';
    }
    HALO_TRY(HALO_ALLOCATE(batch->image, batch->count + 1, "names of images"));
    const char *at = batch->text;
    for (int64_t i = 0; i < batch->count; i++) {
        batch->image[i] = at;
        at += strlen(at) + 1;
    }
    return HALO_OK;
}

halo_status batch_find_images(app_batch *batch)
{
    halo_world *world = batch->run->world;
    halo_buffer names = {0};
    bool first = halo_world_rank(world) == 0;
    halo_status status =
        halo_agree(world, first ? list_names(&batch->run->arguments->image, &names) : HALO_OK);
    int64_t bytes = (int64_t)names.size;
    if (status == HALO_OK) {
        status = halo_bcast(world, &bytes, sizeof bytes, 0);
    }
    if (status == HALO_OK) {
        status = halo_agree(world, HALO_ALLOCATE(batch->text, bytes + 1, "names of images"));
    }
    if (status == HALO_OK && first && bytes > 0) {
        memcpy(batch->text, names.data, (size_t)bytes);
    }
    halo_buffer_free(&names);
    HALO_TRY(status);
    HALO_TRY(halo_bcast(world, batch->text, (size_t)bytes, 0));
    return halo_agree(world, find_beginnings(batch, (size_t)bytes));
}
