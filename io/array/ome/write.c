#include "io/array/ome/ome_internal.h"

#include "base/memory.h"
#include "base/minmax.h"
#include "base/names.h"
#include "core/world/collect.h"
#include "io/array/zarr_tree.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Images of OME-Zarr, and label layers in images that are there. Ranks write the bands of a level
 * side by side; then each makes bands of the next one from those. */

static const char *const marks[] = {".zgroup", "zarr.json", ".zarray", NULL};
static const halo_zarr_kind kind = {marks, "an image of OME-Zarr"};

typedef struct {
    halo_world *world;
    halo_ome_name name;
    halo_ome_image image;
    halo_ome_levels levels;
    halo_array_components components;
    halo_zarr_folder folder;
    int64_t *cuts; /* [ranks + 1] of levels behind the first one */
} writer;

/* ---- levels ---------------------------------------------------------------------------------- */

/* Collective. Writes a level, or a channel of it. */
static halo_status write_bands(const writer *w, halo_ome_tiles *tiles, const int64_t *cuts,
                               const halo_rows *rows, halo_status made)
{
    const halo_npy_header header = halo_ome_header(&w->levels, tiles->number, w->image.type);
    const int64_t *tile = tiles->level->tile;
    halo_chunks bands = {.header = NULL};
    halo_status status = made;
    HALO_IF_OK(status, halo_chunks_open_as(&bands, w->world, &header, cuts, tile[0], tile[1]));
    tiles->bands = &bands;
    HALO_IF_OK(status, halo_ome_tiles_open(tiles));
    HALO_TRY_OR(done, halo_agree(w->world, status));
    HALO_TRY_OR(done, halo_chunks_exchange(&bands, w->world, rows));
    status = halo_agree(w->world, halo_chunks_each(&bands, rows, halo_ome_tiles_put, tiles));
done:
    halo_ome_tiles_close(tiles);
    halo_chunks_close(&bands);
    return status;
}

/* Collective. The level before is whole. */
static halo_status write_smaller(const writer *w, halo_ome_tiles *tiles)
{
    char before[HALO_ATOMIC_PATH_SIZE];
    halo_ome_sampler *sampler = NULL;
    bool fits = snprintf(before, sizeof before, "%s/%d", w->folder.temporary, tiles->number - 1) <
                (int)sizeof before;
    bool nearest = w->image.layer || w->image.about->labels;
    halo_status status =
        fits ? halo_ome_sampler_create(&sampler, before, &w->levels, tiles->number, tiles->channel,
                                       nearest)
             : halo_fail(HALO_FILE, "cannot write %s: the name is too long", w->folder.path);
    const halo_rows rows = {.fill = halo_ome_sampler_fill, .context = sampler};
    halo_ome_cuts(tiles->level, halo_world_ranks(w->world), w->cuts);
    status = write_bands(w, tiles, w->cuts, &rows, status);
    halo_ome_sampler_destroy(&sampler);
    return status;
}

/* Collective. */
static halo_status write_level(writer *w, int level, const int64_t *cuts)
{
    bool first = halo_world_rank(w->world) == 0;
    HALO_TRY(halo_agree(w->world,
                        first ? halo_ome_describe_level(&w->image, level, &w->folder) : HALO_OK));
    for (int64_t channel = 0; channel < w->components.count; channel++) {
        halo_ome_tiles tiles = {.image = &w->image,
                                .folder = &w->folder,
                                .level = &w->levels.level[level],
                                .number = level,
                                .channel = w->image.channels > 0 ? channel : -1};
        HALO_TRY(level == 0 ? write_bands(w, &tiles, cuts, &w->components.rows[channel], HALO_OK)
                            : write_smaller(w, &tiles));
    }
    return HALO_OK;
}

/* Local, on rank 0, when all levels are there: says how viewers are to show the image. */
static halo_status describe_channels(writer *w)
{
    char last[HALO_ATOMIC_PATH_SIZE];
    HALO_FAIL_IF(snprintf(last, sizeof last, "%s/%d", w->folder.temporary, w->levels.count - 1) >=
                     (int)sizeof last,
                 HALO_FILE, "cannot write %s: the name is too long", w->folder.path);
    HALO_TRY(HALO_ALLOCATE(w->image.ranges, halo_max(w->image.channels, 1), "ranges of channels"));
    HALO_TRY(halo_ome_find_ranges(&w->image, last, w->image.ranges));
    return halo_ome_describe_group_again(&w->image, &w->folder);
}

static bool is_shown(const writer *w)
{
    const int64_t *n = w->levels.level[0].n;
    return !w->image.layer && !w->image.about->labels && n[0] * n[1] * n[2] > 0;
}

/* Collective. */
static halo_status write_levels(writer *w, const int64_t *cuts)
{
    bool first = halo_world_rank(w->world) == 0;
    HALO_TRY(
        halo_agree(w->world, first ? halo_ome_describe_group(&w->image, &w->folder) : HALO_OK));
    for (int level = 0; level < w->levels.count; level++) {
        HALO_TRY(write_level(w, level, cuts));
    }
    return halo_agree(w->world, first && is_shown(w) ? describe_channels(w) : HALO_OK);
}

/* ---- an image -------------------------------------------------------------------------------- */

/* Local. Everything that can fail before there is a folder. */
static halo_status prepare(writer *w, const halo_array_file *file, const halo_rows *rows)
{
    const halo_npy_header *header = file->header;
    const halo_array_about *about = file->about;
    HALO_TRY(halo_ome_name_parse(&w->name, file->path));
    w->image =
        (halo_ome_image){.about = about,
                         .levels = &w->levels,
                         .type = header->type == HALO_SAMPLE_BIT ? HALO_SAMPLE_U8 : header->type,
                         .channels = halo_array_has_pixels(header) ? header->pixel : 0,
                         .version = w->name.version == HALO_OME_05 ? HALO_OME_05 : HALO_OME_04,
                         .layer = w->name.image > 0};
    HALO_TRY(about->packing == HALO_ARRAY_PACKING_LZ4 ? halo_packer_load(file->path) : HALO_OK);
    HALO_TRY(halo_array_components_open(&w->components, file, rows));
    halo_ome_plan(&w->levels, &w->components.header);
    return HALO_ALLOCATE(w->cuts, halo_world_ranks(w->world) + 1, "cuts of an image");
}

/* Collective. A layer has the version of its image. *made: the group of layers is new. */
static halo_status find_version(writer *w, bool *made)
{
    bool first = halo_world_rank(w->world) == 0;
    halo_ome_version version = w->image.version;
    halo_status status = HALO_OK;
    if (w->image.layer && first) {
        status = halo_ome_find_image(&w->name, &version);
        HALO_IF_OK(status, halo_ome_make_group(&w->name, version, made));
    }
    HALO_TRY(halo_agree(w->world, status));
    HALO_TRY(halo_bcast(w->world, &version, sizeof version, 0));
    w->image.version = version;
    w->image.sharded = version == HALO_OME_05 && !w->name.unsharded;
    return HALO_OK;
}

/* Collective. */
static halo_status list_layer(const writer *w)
{
    bool lists = w->image.layer && halo_world_rank(w->world) == 0;
    return halo_agree(w->world, lists ? halo_ome_list_layer(&w->name, w->image.version) : HALO_OK);
}

static halo_status write_image(halo_world *world, const halo_array_file *file, const int64_t *cuts,
                               const halo_rows *rows)
{
    writer w = {.world = world};
    bool made = false;
    halo_status status = halo_agree(world, prepare(&w, file, rows));
    HALO_TRY_OR(done, status);
    HALO_TRY_OR(done, find_version(&w, &made));
    HALO_TRY_OR(done, halo_zarr_folder_begin(&w.folder, world, &kind, w.name.path));
    status = write_levels(&w, cuts);
    status = halo_zarr_folder_end(&w.folder, world, NULL, NULL, status);
    HALO_IF_OK(status, list_layer(&w));
done:
    if (status != HALO_OK && made) {
        halo_ome_drop_group(&w.name, w.image.version);
    }
    free(w.cuts);
    free(w.image.ranges);
    halo_array_components_close(&w.components);
    return status;
}

/* ---- before and after ------------------------------------------------------------------------ */

static halo_status check_name(const char *path)
{
    halo_ome_name name;
    return halo_ome_name_parse(&name, path);
}

/* Collective. The group of layers may still have to be made: then its own place counts. */
static halo_status check_folder(halo_world *world, const char *path)
{
    halo_ome_name name;
    int there = 1;
    HALO_TRY(halo_agree(world, halo_ome_name_parse(&name, path)));
    if (name.image > 0) {
        halo_ome_version version;
        bool first = halo_world_rank(world) == 0;
        char *group = name.path;
        HALO_TRY(halo_agree(world, first ? halo_ome_find_image(&name, &version) : HALO_OK));
        char *slash = strrchr(group, '/'), kept = *slash;
        struct stat about;
        *slash = '\0';
        there = first ? stat(group, &about) == 0 : 0;
        HALO_TRY(halo_bcast(world, &there, sizeof there, 0));
        *slash = there ? kept : '\0';
    }
    return halo_zarr_folder_check(world, &kind, name.path);
}

static bool is_whole(const char *path)
{
    halo_ome_name name;
    return halo_ome_name_parse(&name, path) == HALO_OK && halo_zarr_tree_is_whole(name.path);
}

static const halo_array_folder folder = {.check_name = check_name,
                                         .check = check_folder,
                                         .is_whole = is_whole,
                                         .clean = halo_zarr_folder_clean};

const halo_array_format halo_array_format_ome_zarr = {
    .name = "OME-Zarr",
    .types = HALO_ARRAY_ALL_BUT_LINES,
    .tells = HALO_ARRAY_TELLS_PLACE | HALO_ARRAY_TELLS_UNIT,
    .planar = true,
    .write = {[HALO_ARRAY_PACKING_NONE] = write_image,
              [HALO_ARRAY_PACKING_DEFLATE] = write_image,
              [HALO_ARRAY_PACKING_LZ4] = write_image},
    .folder = &folder};
