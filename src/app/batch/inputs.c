#include "app/batch/batch_internal.h"
#include "app/frame_internal.h"
#include "base/names.h"
#include "base/wildcards.h"
#include "core/world/collect.h"
#include "io/image/slices.h"

#include <string.h>

/* The pictures of a folder, or of a pattern with a number, each with what is chosen behind its
 * name. */
static halo_status list_pictures(halo_buffer *names, const char *text)
{
    halo_slices found;
    halo_status status = halo_slices_find(&found, text, NULL, 0);
    const char *chosen = text + halo_name_chosen(text);
    for (int64_t i = 0; status == HALO_OK && i < found.count; i++) {
        status = halo_buffer_append(names, found.name[i], strlen(found.name[i]));
        HALO_IF_OK(status, halo_buffer_append(names, chosen, strlen(chosen) + 1));
    }
    halo_slices_free(&found);
    return status;
}

/* On rank 0. */
static halo_status list_names(const app_run *run, halo_buffer *names)
{
    const app_inputs *inputs = &run->arguments->image;
    for (int64_t i = 0; i < inputs->count; i++) {
        const char *text = inputs->list[i];
        bool each = app_batch_arguments(run)->each && !halo_wildcards_are_in(text);
        HALO_TRY(halo_wildcards_are_in(text) ? halo_wildcards_expand(names, text)
                 : each && halo_slices_are_named(text)
                     ? list_pictures(names, text)
                     : halo_buffer_append(names, text, strlen(text) + 1));
    }
    return HALO_OK;
}

/* Finds where each name begins. */
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
        halo_bcast_buffer(world, first ? list_names(batch->run, &names) : HALO_OK, &names);
    batch->text = (char *)names.data;
    HALO_TRY(status);
    return halo_agree(world, find_beginnings(batch, names.size));
}
