#include "cli/measured.h"

#include "app/batch/names.h"
#include "app/image/samples.h"
#include "base/memory.h"

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- names ----------------------------------------------------------------------------------- */

/* True if a text begins as a choice of a part of a file does: c=1. */
static bool is_choice(const char *text)
{
    size_t letters = 0;
    while (isalpha((unsigned char)text[letters])) {
        letters++;
    }
    return letters > 0 && text[letters] == '=';
}

halo_status cli_measured_parse(const char *text, void *into)
{
    cli_measured_options *options = into;
    for (const char *name = text, *at = text;; at++) {
        if (*at != '\0' && (*at != ',' || is_choice(at + 1))) {
            continue;
        }
        size_t length = (size_t)(at - name);
        if (length == 0 || length >= BATCH_NAME_SIZE || options->count == CLI_MEASURED_IMAGES) {
            return HALO_ARGUMENT;
        }
        options->name[options->count] = name;
        options->length[options->count++] = length;
        if (*at == '\0') {
            return HALO_OK;
        }
        name = at + 1;
    }
}

/* Copies name `i` of the option to `out`, [BATCH_NAME_SIZE]. */
static void copy_name(const cli_measured_options *options, int i, char *out)
{
    memcpy(out, options->name[i], options->length[i]);
    out[options->length[i]] = '\0';
}

halo_status cli_measured_check_names(const cli_measured_options *options, const char *option)
{
    char name[BATCH_NAME_SIZE];
    for (int i = 0; i < options->count; i++) {
        copy_name(options, i, name);
        HALO_TRY(batch_name_check(name));
        HALO_FAIL_IF(strstr(name, "{number}") != NULL, HALO_ARGUMENT,
                     "--%s %s: names of files to read take {name} and {dir}, not {number}", option,
                     name);
    }
    return HALO_OK;
}

halo_status cli_measured_add_files(const cli_measured_options *options, app_files *files)
{
    char name[BATCH_NAME_SIZE];
    for (int i = 0; i < options->count; i++) {
        copy_name(options, i, name);
        if (!batch_name_varies(name)) {
            HALO_TRY(app_files_add(files, APP_READ, name));
        }
    }
    return HALO_OK;
}

/* ---- open images ----------------------------------------------------------------------------- */

/* Writes the name of image `i`; of one of many images with that one's name in it. */
static halo_status name_image(cli_measured *measured, const app_run *run, int i)
{
    char pattern[BATCH_NAME_SIZE];
    char *out = measured->names + (size_t)i * BATCH_NAME_SIZE;
    copy_name(measured->options, i, pattern);
    if (!batch_name_varies(pattern)) {
        memcpy(out, pattern, strlen(pattern) + 1);
        return HALO_OK;
    }
    return batch_name_print(pattern, run->image->path, 0, out);
}

static halo_status check_size(const app_image *image, const app_run *run, const char *option)
{
    const int64_t *n = image->domain.n, *own = run->domain.n;
    int axes = image->domain.axes;
    bool same = axes == run->domain.axes;
    for (int axis = 0; axis < axes && same; axis++) {
        same = n[axis] == own[axis];
    }
    if (same) {
        return HALO_OK;
    }
    bool solid = axes == HALO_AXES, own_solid = run->domain.axes == HALO_AXES;
    char text[2][80];
    const int64_t *sizes[] = {n, own};
    for (int i = 0; i < 2; i++) {
        bool deep = i == 0 ? solid : own_solid;
        int first = deep ? 1 : 0;
        int used =
            deep ? snprintf(text[i], sizeof text[i], "%" PRId64 " planes of ", sizes[i][0]) : 0;
        snprintf(text[i] + used, sizeof text[i] - (size_t)used, "%" PRId64 " rows of %" PRId64,
                 sizes[i][first], sizes[i][first + 1]);
    }
    return halo_fail(HALO_ARGUMENT,
                     "--%s %s has %s pixels, and %s has %s; measure images of the same shape",
                     option, image->path, text[0], run->image->path, text[1]);
}

halo_status cli_measured_open(cli_measured *measured, app_run *run,
                              const cli_measured_options *options, const char *option)
{
    measured->options = options;
    measured->option = option;
    halo_status status = HALO_ALLOCATE(measured->images, options->count + 1, "images");
    HALO_IF_OK(status, HALO_ALLOCATE(measured->names, options->count * BATCH_NAME_SIZE + 1,
                                     "names of images"));
    HALO_TRY(halo_agree(run->world, status));
    for (int i = 0; i < options->count; i++) {
        app_image_options use = app_image_options_of_files(run);
        use.want = HALO_IMAGE_SAMPLES;
        use.volumes = true;
        use.narrow = use.solid = run->domain.axes == HALO_AXES;
        HALO_TRY(halo_agree(run->world, name_image(measured, run, i)));
        HALO_TRY(app_image_open(&measured->images[i], run,
                                measured->names + (size_t)i * BATCH_NAME_SIZE, &use));
        HALO_TRY(check_size(&measured->images[i], run, option));
    }
    return HALO_OK;
}

halo_status cli_measured_check(const cli_measured *measured, bool again)
{
    for (int i = 0; i < measured->options->count && again; i++) {
        const app_image *image = &measured->images[i];
        HALO_FAIL_IF(image->info.file_bytes < 0, HALO_ARGUMENT,
                     "%s is no plain file, and medians and percentiles read it several times; save "
                     "it as a file first",
                     image->path);
    }
    return HALO_OK;
}

void cli_measured_close(cli_measured *measured)
{
    for (int i = 0; measured->images != NULL && i < measured->options->count; i++) {
        app_image_close(&measured->images[i]);
    }
    free(measured->images);
    free(measured->names);
    *measured = (cli_measured){.images = NULL};
}

/* ---- samples --------------------------------------------------------------------------------- */

halo_sample_type cli_measured_type(const cli_measured *measured, int i)
{
    const app_image *image = &measured->images[i];
    halo_sample_type type = app_image_type(image);
    return image->info.nodata.missing == HALO_MISSING_CELL ? HALO_SAMPLE_F64
           : type == HALO_SAMPLE_BIT                       ? HALO_SAMPLE_U8
                                                           : type;
}

enum { WORD = 64 };

static bool is_set(const uint64_t *bits, int64_t x)
{
    return (bits[x / WORD] >> x % WORD & 1) != 0;
}

/* Pixels that are missing become NaN. */
static void convert_missing(const cli_measured_pass *pass, const void *row)
{
    const halo_image_info *info = &pass->image->info;
    double *out = pass->row;
    halo_sample_to_doubles(app_image_type(pass->image), row, 0, info->width, out);
    halo_image_find_missing(info, row, pass->missing);
    for (int64_t x = 0; x < info->width; x++) {
        out[x] = is_set(pass->missing, x) ? (double)NAN : out[x];
    }
}

static void convert_bits(const cli_measured_pass *pass, const void *row)
{
    uint8_t *out = pass->row;
    for (int64_t x = 0; x < pass->image->info.width; x++) {
        out[x] = is_set(row, x);
    }
}

static halo_status take_converted(void *context, int64_t first, int64_t rows, const void *data,
                                  size_t pitch)
{
    const cli_measured_pass *pass = context;
    bool bits = pass->missing == NULL;
    for (int64_t i = 0; i < rows; i++) {
        const char *row = (const char *)data + (size_t)i * pitch;
        (bits ? convert_bits : convert_missing)(pass, row);
        HALO_TRY(pass->take(pass->taken_by, first + i, 1, pass->row, 0));
    }
    return HALO_OK;
}

static halo_status create_row(cli_measured_pass *pass, bool missing)
{
    int64_t width = pass->image->info.width;
    double *row;
    HALO_TRY(HALO_ALLOCATE_LARGE(row, width + 1, "a row of an image"));
    pass->row = row;
    return missing ? HALO_ALLOCATE_LARGE(pass->missing, width / WORD + 1, "a row of an image")
                   : HALO_OK;
}

/* A halo_label_pass. */
static halo_status pass_samples(void *context, const int64_t *cuts, halo_rows_take *take,
                                void *taken_by)
{
    cli_measured_pass *pass = context;
    app_run *run = pass->run;
    bool missing = pass->image->info.nodata.missing == HALO_MISSING_CELL;
    bool bits = app_image_type(pass->image) == HALO_SAMPLE_BIT;
    if (!missing && !bits) {
        return app_image_stream(pass->image, cuts, &run->progress, take, taken_by, &run->clock);
    }
    pass->take = take;
    pass->taken_by = taken_by;
    halo_status status = halo_agree(run->world, create_row(pass, missing));
    HALO_IF_OK(status, app_image_stream(pass->image, cuts, &run->progress, take_converted, pass,
                                        &run->clock));
    halo_memory_free(pass->row);
    halo_memory_free(pass->missing);
    pass->row = pass->missing = NULL;
    return status;
}

halo_region_samples cli_measured_samples(const cli_measured *measured, app_run *run, int i,
                                         cli_measured_pass *context)
{
    *context = (cli_measured_pass){.run = run, .image = &measured->images[i]};
    return (halo_region_samples){
        .type = cli_measured_type(measured, i), .pass = pass_samples, .context = context};
}
