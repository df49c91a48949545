#include "base/memory.h"
#include "base/minmax.h"
#include "cli/filter/job.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Pictures of the image and of what each step makes of it, for the page of --report. Images of one
 * type have the same black and white, and the same axis of histograms, so that they can be
 * compared.
 */

enum { BINS = 64, WHITE = 255 };

/* ---- black and white ------------------------------------------------------------------------- */

static double value_of(const filter_survey *survey, int64_t key)
{
    return halo_sample_number(survey->type, key).value;
}

/* Infinities are no ends of a range. */
static void widen(double range[2], const filter_survey *survey)
{
    double low = value_of(survey, survey->min), high = value_of(survey, survey->max);
    for (int64_t i = 0; i < survey->width * survey->height; i++) {
        if (survey->counts[i] > 0) {
            double mean = survey->sums[i] / (double)survey->counts[i];
            range[0] = fmin(range[0], isfinite(low) ? low : mean);
            range[1] = fmax(range[1], isfinite(high) ? high : mean);
        }
    }
}

static void find_range(const filter_job *job, halo_sample_type type, double range[2])
{
    range[0] = INFINITY;
    range[1] = -INFINITY;
    for (int i = 0; i <= job->chain.count; i++) {
        const filter_survey *survey = job->told.survey[i];
        if (survey->type == type && survey->known) {
            widen(range, survey);
        }
    }
    if (type == HALO_SAMPLE_BIT || !(range[0] <= range[1])) {
        range[0] = 0;
        range[1] = 1;
    }
}

static void paint(const filter_survey *survey, const double range[2], unsigned char *greys)
{
    double scale = range[1] > range[0] ? WHITE / (range[1] - range[0]) : 0;
    for (int64_t i = 0; i < survey->width * survey->height; i++) {
        double mean = survey->sums[i] / (double)halo_max(survey->counts[i], 1);
        double grey = survey->counts[i] > 0 ? (mean - range[0]) * scale : 0;
        greys[i] = (unsigned char)lround(fmin(fmax(grey, 0), WHITE));
    }
}

/* Whole numbers of few values have an interval each, up to the next one. */
static int count_bins(const filter_survey *survey, double range[2])
{
    const halo_sample_type_entry *type = &halo_sample_types[survey->type];
    bool counted = !type->real && type->bytes <= sizeof(uint16_t);
    range[1] += counted ? 1 : 0;
    return counted && range[1] - range[0] < BINS ? (int)(range[1] - range[0]) : BINS;
}

/* ---- captions -------------------------------------------------------------------------------- */

static void print_key(const filter_survey *survey, int64_t key, char text[HALO_NUMBER_TEXT])
{
    const halo_number number = halo_sample_number(survey->type, key);
    halo_number_print(&number, text);
}

static void add(filter_caption text, const char *more)
{
    size_t used = strlen(text);
    snprintf(text + used, sizeof(filter_caption) - used, "%s", more);
}

static void add_range(const filter_survey *survey, filter_caption text)
{
    char low[HALO_NUMBER_TEXT], high[HALO_NUMBER_TEXT], more[4 * HALO_NUMBER_TEXT];
    add(text, halo_sample_types[survey->type].name);
    if (survey->known) {
        print_key(survey, survey->min, low);
        print_key(survey, survey->max, high);
        snprintf(more, sizeof more, ", %s to %s, mean %.6g", low, high, survey->mean);
        add(text, more);
    } else {
        add(text, ", no numbers");
    }
}

/* "; a new pass, since fill_holes needs the whole image" */
static void add_pass(const filter_chain *chain, int step, filter_caption text)
{
    int first = halo_filter_chain_first_segment(chain, step), before = 0;
    if (step > 0) {
        before = halo_filter_chain_last_segment(chain, step - 1);
    }
    if (first > before) {
        char why[FILTER_WHY_SIZE];
        halo_filter_chain_why(chain, first, why);
        add(text, "; a new pass: ");
        add(text, why);
    }
}

static void add_depth(const app_run *run, int step, filter_caption text)
{
    int64_t depth = filter_depth_of(&((const filter_job *)run->job)->chain.step[step]);
    char more[64];
    snprintf(more, sizeof more, "; looks %lld %s%s to each side", (long long)depth,
             run->domain.axes == HALO_AXES ? "plane" : "row", depth == 1 ? "" : "s");
    add(text, depth > 0 ? more : "");
}

static void describe(const app_run *run, int step, filter_caption text)
{
    const filter_job *job = run->job;
    const filter_survey *survey = job->told.survey[step + 1];
    char more[128];
    text[0] = '\0';
    add_range(survey, text);
    if (step >= 0) {
        snprintf(more, sizeof more, "; %.3g ns a pixel", filter_nanoseconds(run, step));
        add(text, more);
        add_depth(run, step, text);
        add_pass(&job->chain, step, text);
    } else if (run->domain.axes == HALO_AXES) {
        snprintf(more, sizeof more, "; plane %lld of %lld is shown, here and below",
                 (long long)survey->plane + 1, (long long)survey->n[0]);
        add(text, more);
    }
}

/* ---- the list -------------------------------------------------------------------------------- */

static void print_real(double value, char text[HALO_NUMBER_TEXT])
{
    snprintf(text, HALO_NUMBER_TEXT, "%.6g", value);
}

static halo_status make_shot(const app_run *run, int step, filter_shot *shot)
{
    const filter_options *options = run->options;
    const filter_job *job = run->job;
    const filter_survey *survey = job->told.survey[step + 1];
    double range[2];
    HALO_TRY(HALO_ALLOCATE(shot->greys, survey->width * survey->height, "pictures of steps"));
    HALO_TRY(HALO_ALLOCATE(shot->counts, BINS, "histograms of steps"));
    find_range(job, survey->type, range);
    paint(survey, range, shot->greys);
    print_real(range[0], shot->black);
    print_real(range[1], shot->white);
    int bins = count_bins(survey, range);
    halo_filter_survey_bins(survey, range[0], range[1], bins, shot->counts);
    describe(run, step, shot->about);
    shot->shown = (app_shot){.title = step < 0 ? run->image->path : options->step[step],
                             .about = shot->about,
                             .width = survey->width,
                             .height = survey->height,
                             .greys = shot->greys,
                             .bins = bins,
                             .counts = shot->counts,
                             .black = shot->black,
                             .white = shot->white};
    return HALO_OK;
}

/* The image comes first; behind a checkpoint, steps that it has were not seen. */
static halo_status make_shots(const app_run *run)
{
    filter_told *told = &((filter_job *)run->job)->told;
    const filter_job *job = run->job;
    HALO_TRY(HALO_ALLOCATE(told->shot, job->chain.count + 1, "pictures of steps"));
    HALO_TRY(HALO_ALLOCATE(told->shown, job->chain.count + 1, "pictures of steps"));
    for (int i = -1; i < job->chain.count; i++) {
        bool seen = i < 0 || halo_filter_chain_first_segment(&job->chain, i) >= job->start;
        filter_shot *shot = &told->shot[told->shots.count];
        if (seen) {
            HALO_TRY(make_shot(run, i, shot));
            told->shown[told->shots.count++] = shot->shown;
        }
    }
    told->shots.list = told->shown;
    told->shots.heading = "The image and each step";
    told->shots.note =
        "Pictures of the same type have the same black and white, the ends of their histograms, "
        "whose heights are roots of the numbers of samples.";
    return HALO_OK;
}

const app_shots *filter_shots(const app_run *run)
{
    filter_told *told = &((filter_job *)run->job)->told;
    bool made = told->complete && told->survey[0]->detailed;
    return made && make_shots(run) == HALO_OK ? &told->shots : NULL;
}

void filter_free_shots(filter_told *told, int steps)
{
    for (int i = 0; told->shot != NULL && i <= steps; i++) {
        free(told->shot[i].greys);
        free(told->shot[i].counts);
    }
    free(told->shot);
    free(told->shown);
}
