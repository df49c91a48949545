#include "kernels/split/split.h"
#include "app/image/samples.h"
#include "cli/label/job.h"

#include <math.h>
#include <string.h>

/* Objects of the foreground that touch become regions of their own: the parts that kernels/split
 * finds are values of pixels, and labelling takes neighbours of equal values, so that everything
 * else about regions is as it is without. */

halo_status label_parse_split(const char *text, void *into)
{
    static const char *const names[] = {"distance", "intensity"};
    label_split_choice *split = into;
    *split = (label_split_choice){.given = true};
    for (size_t by = 0; by < sizeof names / sizeof *names; by++) {
        size_t length = strlen(names[by]);
        if (strncmp(text, names[by], length) != 0) {
            continue;
        }
        const char *rest = text + length;
        halo_number number;
        split->by = (halo_split_by)by;
        if (*rest == '\0') {
            return HALO_OK;
        }
        bool good = *rest == ':' && *++rest != '\0' &&
                    halo_scan_exact(&rest, 0, HUGE_VAL, &number) && *rest == '\0' &&
                    isfinite(number.value);
        split->height = (halo_optional_real){.given = good, .value = good ? number.value : 0};
        return good ? HALO_OK : HALO_ARGUMENT;
    }
    return HALO_ARGUMENT;
}

static halo_split_options split_options(const app_run *run)
{
    const label_options *options = run->options;
    return (halo_split_options){.by = options->split.by,
                                .type = app_image_type(run->image),
                                .dark =
                                    options->split.by == HALO_SPLIT_INTENSITY && options->invert,
                                .height = options->split.height,
                                .instructions = run->arguments->common.instructions};
}

/* Parts of objects that touch are joined at corners. */
int label_connectivity(const app_run *run)
{
    const label_options *options = run->options;
    bool solid = run->domain.axes == HALO_AXES;
    int faces = solid ? 6 : 4, all = solid ? 26 : 8;
    return options->label.connectivity > 0 ? options->label.connectivity
           : options->split.given          ? all
                                           : faces;
}

int64_t label_split_bytes(const app_run *run, const halo_box *strip)
{
    const halo_split_options options = split_options(run);
    return halo_split_bytes(&run->domain, strip, &options) +
           halo_box_cells(strip) * (int64_t)sizeof(int32_t);
}

/* Rows of samples go to a split. */
typedef struct {
    halo_split *split;
    const halo_view *bits;
    int64_t first; /* row of this rank */
} split_rows;

static halo_status take_samples(void *context, int64_t first, int64_t rows, const void *data,
                                size_t pitch)
{
    const split_rows *to = context;
    for (int64_t i = 0; i < rows; i++) {
        int64_t row = first + i - to->first;
        HALO_TRY(halo_split_put_row(to->split, row, (const char *)data + (size_t)i * pitch,
                                    halo_view_row(to->bits, row)));
    }
    return HALO_OK;
}

/* Collective. */
static halo_status put_heights(app_run *run, halo_split *split)
{
    label_job *job = run->job;
    const halo_view *bits = halo_field_view(job->foreground);
    int64_t rows = run->domain.axes == HALO_AXES ? run->domain.n[1] : 1;
    split_rows to = {split, bits, bits->owned.lo[0] * rows};
    return ((const label_options *)run->options)->split.by == HALO_SPLIT_DISTANCE
               ? halo_split_put_distances(split, bits)
               : app_samples_each(&job->source, take_samples, &to);
}

static void paint(const halo_split *split, const halo_view *numbers)
{
    for (int64_t row = 0; row < halo_view_rows(numbers); row++) {
        halo_split_rows(split, row, 1, halo_view_row(numbers, row), 0);
    }
}

static halo_status create_numbers(const app_run *run, halo_field **out)
{
    enum { BITS = 32 };
    const label_job *job = run->job;
    const halo_field_options options = {.movable = halo_field_is_movable(job->foreground),
                                        .no_side_halo = true};
    return halo_field_create_with(out, &run->domain, &halo_field_view(job->foreground)->owned, BITS,
                                  0, &options);
}

/* Greys of a local threshold are samples that tables of regions take, too. */
static void keep_greys(app_run *run)
{
    label_job *job = run->job;
    if (job->grey != NULL && !label_makes_greys(run) && job->kept == NULL) {
        job->kept = job->grey;
        job->grey = NULL;
        job->source.kept = job->kept;
    }
    halo_field_destroy(&job->grey);
}

halo_status label_split(app_run *run)
{
    label_job *job = run->job;
    const halo_split_options options = split_options(run);
    halo_split *split = NULL;
    keep_greys(run);
    halo_status status =
        halo_split_create(&split, run->world, &run->domain, &job->strips, &options);
    HALO_IF_OK(status, put_heights(run, split));
    HALO_IF_OK(status, halo_split_run(split));
    HALO_IF_OK(status, halo_agree(run->world, create_numbers(run, &job->grey)));
    if (status == HALO_OK) {
        paint(split, halo_field_view(job->grey));
        job->peaks_found = halo_split_get_report(split).peaks;
    }
    halo_split_destroy(&split);
    return status;
}

json_t *label_split_json(const app_run *run)
{
    const label_options *options = run->options;
    const label_job *job = run->job;
    const halo_split_options split = split_options(run);
    bool distance = split.by == HALO_SPLIT_DISTANCE;
    return !options->split.given
               ? NULL
               : json_pack("{s:s, s:f, s:I}", "by", distance ? "distance" : "intensity", "height",
                           halo_split_height(split.by, split.height), "peaks",
                           (json_int_t)job->peaks_found);
}
