/* Programs that use one library each, of which libraries.sh builds and runs every one: USE_image
 * and so on. Each prints one line. */
#if defined USE_base
#include <halobeat/status.h>
#include <halobeat/version.h>
#elif defined USE_partition
#include <halobeat/cuts.h>
#elif defined USE_image
#include <halobeat/image_reader.h>
#include <halobeat/npy.h>
#include <halobeat/png_write.h>
#elif defined USE_core
#include <halobeat/collect.h>
#include <halobeat/run.h>
#elif defined USE_kernels
#include <halobeat/life_rule.h>
#elif defined USE_files
#include <halobeat/array_write.h>
#include <halobeat/run.h>
#elif defined USE_app
#include <halobeat/program.h>
#include <halobeat/world.h>
#endif
#include <stdio.h>
#include <string.h>

#if defined USE_base
static int use(const char *path)
{
    (void)path;
    return strcmp(halo_version(), HALOBEAT_VERSION) != 0 ||
           halo_fail(HALO_FILE, "a message") != HALO_FILE || puts(halo_last_message()) < 0;
}

#elif defined USE_partition
static int use(const char *path)
{
    int64_t cuts[4];
    (void)path;
    halo_cuts_even(10, 3, cuts);
    int64_t wrong[] = {0, 7, 5, 10};
    int refused = halo_cuts_check(wrong, 3, 10, "the test") == HALO_ARGUMENT;
    return !refused || printf("%d %d %d\n", (int)cuts[1], (int)cuts[2], (int)cuts[3]) < 0;
}

#elif defined USE_image
/* Reads an image of 640 x 512 greys, and encodes the header of an array. */
static int use(const char *path)
{
    const halo_image_options options = {.want = HALO_IMAGE_GREYS};
    const halo_npy_header header = {.width = 3, .height = 2, .type = HALO_SAMPLE_U8};
    halo_image_reader *reader = NULL;
    halo_buffer head = {0};
    if (halo_image_reader_open(&reader, path, &options) != HALO_OK ||
        halo_npy_begin(&head, &header) != HALO_OK) {
        return 1;
    }
    const halo_image_info *info = halo_image_reader_info(reader);
    printf("%s %dx%d, %d\n", info->format, (int)info->width, (int)info->height, (int)head.size);
    halo_buffer_free(&head);
    halo_image_reader_close(&reader);
    return halo_image_reader_open(&reader, "/nonexistent", &options) != HALO_FILE;
}

#elif defined USE_core
static halo_status add(halo_world *world, void *context)
{
    int64_t *sums = context;
    int rank = halo_world_rank(world);
    sums[rank] = rank;
    return halo_allreduce_sum(world, &sums[rank], 1);
}

static int use(const char *path)
{
    int64_t sums[3] = {0};
    (void)path;
    return halo_run(3, NULL, add, sums) != HALO_OK ||
           printf("%d %d %d\n", (int)sums[0], (int)sums[1], (int)sums[2]) < 0;
}

#elif defined USE_kernels
static int use(const char *path)
{
    halo_life_rule rule;
    const char *grid = NULL;
    (void)path;
    return halo_life_rule_parse("B3/S23", &rule, &grid) != HALO_OK ||
           halo_life_rule_parse("nonsense", &rule, &grid) == HALO_OK || puts("B3/S23") < 0;
}

#elif defined USE_files
static halo_status fill(void *context, int64_t first, int64_t rows, void *out, size_t pitch)
{
    (void)context;
    for (int64_t y = 0; y < rows; y++) {
        memset((unsigned char *)out + (size_t)y * pitch, (int)(first + y), 5);
    }
    return HALO_OK;
}

static halo_status write(halo_world *world, void *path)
{
    const halo_npy_header header = {.width = 5, .height = 4, .type = HALO_SAMPLE_U8};
    const int64_t cuts[] = {0, 1, 4};
    const halo_rows rows = {.fill = fill};
    return halo_array_write(world, path, &header, NULL, cuts, &rows);
}

static int use(const char *path)
{
    char name[4096];
    snprintf(name, sizeof name, "%s.npy", path);
    return halo_run(2, NULL, write, name) != HALO_OK || puts("written") < 0;
}

#elif defined USE_app
static halo_status print(halo_world *world, void *context)
{
    (void)context;
    return halo_world_rank(world) > 0 || printf("%d ranks\n", halo_world_ranks(world)) > 0
               ? HALO_OK
               : halo_fail(HALO_FILE, "nothing can be printed");
}

static int use(const char *path)
{
    char *arguments[] = {"alone", (char *)(intptr_t)path, NULL};
    return halo_program_run(2, arguments, print, NULL);
}
#endif

int main(int argc, char **argv)
{
    return argc != 2 || use(argv[1]) != 0;
}
