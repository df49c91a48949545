#define _POSIX_C_SOURCE 200809L
#include "io/array/ome/ome_internal.h"

#include "base/json_internal.h"
#include "base/minmax.h"
#include "io/array/zarr_attributes.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Texts that describe a group of OME-Zarr, and its arrays. */

enum { ALL_AXES = 1 + HALO_OME_AXES, NAME = 64 };

static bool put(json_t *out, const char *key, json_t *value)
{
    return json_object_set_new(out, key, value) == 0;
}

static halo_status write_json(const halo_zarr_folder *folder, const char *name, json_t *json)
{
    enum { DIGITS = 15 };
    char *text = halo_json_text(json, JSON_INDENT(4) | JSON_REAL_PRECISION(DIGITS));
    halo_status status = text != NULL
                             ? halo_zarr_folder_write(folder, name, text, strlen(text))
                             : halo_fail(HALO_MEMORY, "out of memory: the description of an image");
    free(text);
    json_decref(json);
    return status;
}

/* ---- groups ---------------------------------------------------------------------------------- */

static bool is_nearest(const halo_ome_image *image)
{
    return image->layer || image->about->labels;
}

static json_t *list_levels(const halo_ome_image *image)
{
    const halo_ome_levels *levels = image->levels;
    json_t *list = json_array();
    bool good = true;
    for (int i = 0; i < levels->count; i++) {
        const int64_t *n = levels->level[i].factor, factor[] = {n[2], n[1], n[0]};
        char name[NAME];
        snprintf(name, sizeof name, "%d", i);
        json_t *steps = halo_zarr_transformations(&image->about->geometry, levels->axes,
                                                  image->channels > 0, factor, !is_nearest(image));
        json_t *level = json_pack("{s:s, s:o}", "path", name, "coordinateTransformations", steps);
        good = json_array_append_new(list, level) == 0 && good;
    }
    return halo_zarr_if_good(list, good);
}

static json_t *list_scenes(const halo_ome_image *image)
{
    bool old = image->version == HALO_OME_04, nearest = is_nearest(image);
    const halo_array_about *about = image->about;
    json_t *axes = halo_zarr_axes(&about->geometry, image->levels->axes, image->channels > 0);
    return json_pack("[{s:s*, s:s, s:o, s:o, s:s, s:{s:s, s:s}}]", "version", old ? "0.4" : NULL,
                     "name", about->name, "axes", axes, "datasets", list_levels(image), "type",
                     nearest ? "nearest" : "mean", "metadata", "method", "halobeat", "description",
                     nearest ? "the first of 2 samples along each axis that is halved"
                             : "the mean of 2 samples along each axis that is halved");
}

static json_t *describe_labels(const halo_ome_image *image)
{
    bool old = image->version == HALO_OME_04;
    json_t *source = image->layer ? json_pack("{s:s}", "image", "../../") : NULL;
    return json_pack("{s:s*, s:o*}", "version", old ? "0.4" : NULL, "source", source);
}

/* The attributes that OME-NGFF knows; of 0.5 they have a place of their own. */
static bool put_ome(json_t *out, const halo_ome_image *image)
{
    return put(out, "multiscales", list_scenes(image)) &&
           (image->ranges == NULL || put(out, "omero", halo_ome_describe_channels(image))) &&
           (!is_nearest(image) || put(out, "image-label", describe_labels(image)));
}

static json_t *describe_attributes(const halo_ome_image *image)
{
    bool turned, good = true;
    json_t *place = halo_zarr_place_in_space(&image->about->geometry, image->levels->axes, &turned);
    json_t *attributes = json_object();
    if (image->version == HALO_OME_04) {
        good = put_ome(attributes, image);
    } else {
        json_t *ome = json_pack("{s:s}", "version", "0.5");
        good = put_ome(ome, image);
        good = put(attributes, "ome", ome) && good;
    }
    good = (!turned || put(attributes, "halobeat", place)) && good;
    return halo_zarr_if_good(attributes, good);
}

halo_status halo_ome_describe_group(const halo_ome_image *image, const halo_zarr_folder *folder)
{
    json_t *attributes = describe_attributes(image);
    if (image->version == HALO_OME_05) {
        return write_json(folder, "zarr.json",
                          json_pack("{s:o, s:s, s:i}", "attributes", attributes, "node_type",
                                    "group", "zarr_format", 3));
    }
    HALO_TRY(write_json(folder, ".zattrs", attributes));
    return write_json(folder, ".zgroup", json_pack("{s:i}", "zarr_format", 2));
}

halo_status halo_ome_describe_group_again(const halo_ome_image *image,
                                          const halo_zarr_folder *folder)
{
    static const char *const names[] = {".zattrs", ".zgroup", "zarr.json"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        (void)unlinkat(folder->handle, names[i], 0); /* which are there by version */
    }
    return halo_ome_describe_group(image, folder);
}

/* ---- arrays ---------------------------------------------------------------------------------- */

/* Numbers of all axes: `channels` of the first, where there is such, and those of planes, rows and
 * columns. */
static json_t *list_sizes(const halo_ome_image *image, int64_t channels,
                          const int64_t sizes[HALO_OME_AXES])
{
    json_t *list = json_array();
    bool good = image->channels == 0 || json_array_append_new(list, json_integer(channels)) == 0;
    for (int axis = HALO_OME_AXES - image->levels->axes; axis < HALO_OME_AXES; axis++) {
        good = json_array_append_new(list, json_integer(sizes[axis])) == 0 && good;
    }
    return halo_zarr_if_good(list, good);
}

static const char *word_of(halo_array_packing packing)
{
    return packing == HALO_ARRAY_PACKING_LZ4 ? "blosc" : "gzip";
}

static json_t *describe_v2(const halo_ome_image *image, const halo_ome_level *level)
{
    bool big = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;
    char type[NAME];
    const halo_sample_type_entry *sample = &halo_sample_types[image->type];
    snprintf(type, sizeof type, "%s%s", sample->stored == 1 ? "|" : big ? ">" : "<", sample->numpy);
    halo_array_packing packing = image->about->packing;
    json_t *packer = packing == HALO_ARRAY_PACKING_NONE ? json_null()
                     : packing == HALO_ARRAY_PACKING_LZ4
                         ? json_pack("{s:s, s:s, s:i, s:i, s:i}", "id", "blosc", "cname", "lz4",
                                     "clevel", 5, "shuffle", 1, "blocksize", 0)
                         : json_pack("{s:s, s:i}", "id", "zlib", "level", 1);
    return json_pack("{s:o, s:o, s:s, s:s, s:i, s:n, s:s, s:o, s:i}", "chunks",
                     list_sizes(image, 1, level->tile), "compressor", packer, "dimension_separator",
                     "/", "dtype", type, "fill_value", 0, "filters", "order", "C", "shape",
                     list_sizes(image, image->channels, level->n), "zarr_format", 2);
}

static json_t *list_codecs(const halo_ome_image *image)
{
    bool big = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;
    halo_array_packing packing = image->about->packing;
    int bytes = (int)halo_sample_types[image->type].stored;
    json_t *list = json_pack("[{s:s, s:{s:s}}]", "name", "bytes", "configuration", "endian",
                             big ? "big" : "little");
    json_t *options = packing == HALO_ARRAY_PACKING_LZ4
                          ? json_pack("{s:s, s:i, s:s, s:i, s:i}", "cname", "lz4", "clevel", 5,
                                      "shuffle", "shuffle", "typesize", bytes, "blocksize", 0)
                          : json_pack("{s:i}", "level", 1);
    json_t *packer = json_pack("{s:s, s:o}", "name", word_of(packing), "configuration", options);
    bool packed = packing != HALO_ARRAY_PACKING_NONE;
    if (!packed) {
        json_decref(packer);
    }
    return halo_zarr_if_good(list, !packed || json_array_append_new(list, packer) == 0);
}

/* A shard is a band of chunks; its index is at its end. */
static json_t *list_shard_codecs(const halo_ome_image *image, const halo_ome_level *level)
{
    json_t *index = json_pack("[{s:s, s:{s:s}}, {s:s}]", "name", "bytes", "configuration", "endian",
                              "little", "name", "crc32c");
    return json_pack("[{s:s, s:{s:o, s:o, s:o, s:s}}]", "name", "sharding_indexed", "configuration",
                     "chunk_shape", list_sizes(image, 1, level->tile), "codecs", list_codecs(image),
                     "index_codecs", index, "index_location", "end");
}

static json_t *list_names(const halo_ome_image *image)
{
    static const char *const names[ALL_AXES] = {"c", "z", "y", "x"};
    json_t *list = json_array();
    bool good = image->channels == 0 || json_array_append_new(list, json_string(names[0])) == 0;
    for (int i = ALL_AXES - image->levels->axes; i < ALL_AXES; i++) {
        good = json_array_append_new(list, json_string(names[i])) == 0 && good;
    }
    return halo_zarr_if_good(list, good);
}

static json_t *describe_v3(const halo_ome_image *image, const halo_ome_level *level)
{
    int64_t file[HALO_OME_AXES] = {level->tile[0], level->tile[1], level->tile[2]};
    if (image->sharded) {
        file[1] *= level->rows;
        file[2] *= level->columns;
    }
    json_t *codecs = image->sharded ? list_shard_codecs(image, level) : list_codecs(image);
    json_t *grid = json_pack("{s:s, s:{s:o}}", "name", "regular", "configuration", "chunk_shape",
                             list_sizes(image, 1, file));
    json_t *keys =
        json_pack("{s:s, s:{s:s}}", "name", "default", "configuration", "separator", "/");
    return json_pack("{s:{}, s:o, s:o, s:o, s:s, s:o, s:i, s:s, s:o, s:i}", "attributes",
                     "chunk_grid", grid, "chunk_key_encoding", keys, "codecs", codecs, "data_type",
                     halo_sample_types[image->type].name, "dimension_names", list_names(image),
                     "fill_value", 0, "node_type", "array", "shape",
                     list_sizes(image, image->channels, level->n), "zarr_format", 3);
}

halo_status halo_ome_describe_level(const halo_ome_image *image, int level,
                                    const halo_zarr_folder *folder)
{
    bool old = image->version == HALO_OME_04;
    const halo_ome_level *sizes = &image->levels->level[level];
    char name[NAME];
    snprintf(name, sizeof name, "%d/%s", level, old ? ".zarray" : "zarr.json");
    return write_json(folder, name, old ? describe_v2(image, sizes) : describe_v3(image, sizes));
}
