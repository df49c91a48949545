#include "base/names.h"
#include "io/array/ome/ome_internal.h"
#include "support/scratch.h"
#include "support/unit_check.h"

TEST("names of images and layers")
{
    static const struct {
        const char *path;
        size_t file, layer;
    } names[] = {{"a.ome.zarr", 10, 0},
                 {"a.ome.zarr:version=0.5", 10, 0},
                 {"a.OME.ZARR:shards=no,version=0.5", 10, 0},
                 {"a.ome.zarr:version=", 19, 0},
                 {"a.ome.zarr:2", 12, 0},
                 {"a.zarr:version=0.5", 18, 0},
                 {"a.zarr/labels/b", 15, 6},
                 {"a.zarr/labels/b:version=0.5", 15, 6},
                 {"x/a.zarr/A/1/0/labels/b", 23, 14},
                 {"a.zarr/labels/b.npy", 19, 0},
                 {"a.zarr/labels/", 14, 0},
                 {"a.zarr/labels", 13, 0},
                 {"a.tif/labels/b", 14, 0},
                 {".zarr/labels/b", 14, 0},
                 {"labels/b", 8, 0},
                 {"a.h5:/labels/b", 4, 0}};
    for (size_t i = 0; i < COUNT(names); i++) {
        CU_ASSERT_EQUAL(halo_name_file(names[i].path), names[i].file);
        CU_ASSERT_EQUAL(halo_name_layer(names[i].path), names[i].layer);
    }
}

/* The array of a level that is larger than the next one, of two chunks, the first of which is
 * there.
 */
TEST("a level without one of its chunks")
{
    enum { SIDE = 300 };
    static const unsigned char chunk[SIDE * SIDE / 2] = {7, 7, 7, 7};
    const halo_npy_header header = {
        .width = SIDE, .height = SIDE, .type = HALO_SAMPLE_U8, .axes = 2};
    halo_ome_levels levels;
    halo_ome_sampler *sampler;
    unsigned char row[SIDE];
    halo_ome_plan(&levels, &header);
    scratch_text("0/.zarray",
                 "{\"zarr_format\": 2, \"shape\": [300, 300], \"chunks\": [150, 300], \"dtype\": "
                 "\"|u1\", \"compressor\": null, \"filters\": null, \"fill_value\": 0, \"order\": "
                 "\"C\", \"dimension_separator\": \"/\"}");
    scratch_write("0/0/0", chunk, sizeof chunk);
    CU_ASSERT_EQUAL(levels.count, 2);
    SUCCEEDS(halo_ome_sampler_create(&sampler, "0", &levels, 1, -1, false));
    SUCCEEDS(halo_ome_sampler_fill(sampler, 0, 1, row, sizeof row));
    CU_ASSERT(row[0] == 4 && row[1] == 4 && row[2] == 0);
    FAILS(HALO_FILE, "0/1/0", halo_ome_sampler_fill(sampler, 75, 1, row, sizeof row));
    halo_ome_sampler_destroy(&sampler);
    FAILS(HALO_FILE, "none: ", halo_ome_sampler_create(&sampler, "none", &levels, 1, -1, true));
}

TEST("choices of a name")
{
    halo_ome_name name;
    SUCCEEDS(halo_ome_name_parse(&name, "d/a.ome.zarr:shards=yes,version=0.5"));
    CU_ASSERT(strcmp(name.path, "d/a.ome.zarr") == 0 && name.version == HALO_OME_05);
    CU_ASSERT(name.sharded && !name.unsharded && name.image == 0);
    SUCCEEDS(halo_ome_name_parse(&name, "a.zarr/labels/b"));
    CU_ASSERT(strcmp(name.path, "a.zarr/labels/b") == 0 && name.version == HALO_OME_ANY);
    CU_ASSERT_EQUAL(name.image, 6);
    FAILS(HALO_ARGUMENT, "version=0.6", halo_ome_name_parse(&name, "a.ome.zarr:version=0.6"));
    FAILS(HALO_ARGUMENT, "two choices",
          halo_ome_name_parse(&name, "a.ome.zarr:version=0.4,version=0.5"));
    FAILS(HALO_ARGUMENT, "no shards",
          halo_ome_name_parse(&name, "a.ome.zarr:version=0.4,shards=yes"));
}

/* Every level is half of the one before, the last one is small, and bands of each cover it. */
static void check_levels(const int64_t n[3], halo_sample_type type)
{
    static const int64_t most = (int64_t)160 << 20;
    const halo_npy_header header = {
        .width = n[2], .height = n[0] * n[1], .type = type, .axes = 3, .planes = n[0]};
    halo_ome_levels levels;
    halo_ome_plan(&levels, &header);
    for (int i = 0; i < levels.count; i++) {
        const halo_ome_level *level = &levels.level[i];
        const halo_npy_header made = halo_ome_header(&levels, i, type);
        int64_t longest = 0, height = level->tile[0] > 1 ? level->n[1] : level->tile[1];
        for (int axis = 0; axis < HALO_OME_AXES; axis++) {
            longest = level->n[axis] > longest ? level->n[axis] : longest;
            int64_t whole = level->n[axis] * level->factor[axis];
            CU_ASSERT(whole >= n[axis] && whole < n[axis] + level->factor[axis]);
            CU_ASSERT(level->tile[axis] >= 1 && level->tile[axis] <= level->n[axis]);
        }
        CU_ASSERT((longest > 256) == (i < levels.count - 1));
        CU_ASSERT((int64_t)halo_npy_row_bytes(&made) * level->tile[0] * height <= most);
        CU_ASSERT(level->rows * level->tile[1] >= height);
        CU_ASSERT(level->columns * level->tile[2] >= level->n[2]);
        for (int ranks = 1; ranks < 6; ranks++) {
            int64_t cuts[6];
            halo_ome_cuts(level, ranks, cuts);
            CU_ASSERT(cuts[0] == 0 && cuts[ranks] == made.height);
            for (int r = 0; r < ranks; r++) {
                int64_t row = cuts[r] % level->n[1], plane = cuts[r] / level->n[1];
                bool begins = row % height == 0 && plane % level->tile[0] == 0;
                CU_ASSERT(cuts[r] <= cuts[r + 1] && (begins || cuts[r] == made.height));
            }
        }
    }
}

TEST("levels, and bands of their chunks")
{
    static const int64_t sizes[][3] = {{1, 1, 1},          {1, 256, 256},      {1, 257, 1},
                                       {3, 300, 100000},   {700, 30, 40},      {65, 512, 512},
                                       {1000, 2000, 3000}, {1, 1 << 17, 1000}, {5, 1, 9999}};
    for (size_t i = 0; i < COUNT(sizes); i++) {
        check_levels(sizes[i], HALO_SAMPLE_U8);
        check_levels(sizes[i], HALO_SAMPLE_F32);
    }
}

int main(void)
{
    return scratch_run();
}
