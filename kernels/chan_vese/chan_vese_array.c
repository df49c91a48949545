#include "kernels/chan_vese/chan_vese_array.h"

#include "base/minmax.h"
#include "kernels/array/array_internal.h"
#include "kernels/chan_vese/chan_vese.h"

#include <inttypes.h>
#include <string.h>

/* Morphological Chan-Vese on an array in memory. */

#define ROW(option, kind, member) \
    HALO_OPTION_ROW(halo_chan_vese_array_options, option, kind, member)

enum { BEATS = 100 };

static const halo_option option_rows[] = {
    {ROW("beats", INTEGER, beats), .flags = HALO_OPTION_OPTIONAL, .unless = "100", .unit = "beats",
     .help = "Beats to compute, at most: fewer where no further one would change the level set"},
    {ROW("smoothing", INTEGER, smoothing), .max = HALO_CHAN_VESE_MAX_SMOOTHING,
     .flags = HALO_OPTION_OPTIONAL, .unless = "1", .unit = "times a beat",
     .help = "How often the border is smoothed in a beat; 0: not at all"},
    {ROW("lambda1", REAL, lambda1), .max = HALO_CHAN_VESE_MAX_LAMBDA, .flags = HALO_OPTION_OPTIONAL,
     .unless = "1", .help = "Weight of the variance of greys inside"},
    {ROW("lambda2", REAL, lambda2), .max = HALO_CHAN_VESE_MAX_LAMBDA, .flags = HALO_OPTION_OPTIONAL,
     .unless = "1", .help = "Weight of the variance of greys outside"},
    {ROW("init", CUSTOM, init), .parse = halo_chan_vese_parse_start,
     .value = "checkerboard[:SIZE]|disk[:X,Y,R]", .unless = "checkerboard:5",
     .takes = "checkerboard[:SIZE] with squares of 1 element or more, or disk[:X,Y,R] with a "
              "radius of more than 0",
     .help = "The first level set"},
    {ROW("range", CUSTOM, range), .parse = halo_sample_range_parse, .value = "LOW..HIGH|auto",
     .unless = "auto", .takes = "auto, or two numbers, the lower one first, such as -1000..400",
     .help = "Elements that become black and white; those between become greys of 16 bits"},
    {ROW("first-beat", INTEGER, first_beat), .unit = "beats",
     .help =
         "Beats that have led to the first level set, where a call goes on with an earlier one"},
    {0}};

const halo_option *const halo_chan_vese_array_rows = option_rows;

/* The work of a call, which all its ranks share. */
typedef struct {
    const halo_array *image, *initial, *level_set; /* initial: or NULL */
    int64_t beats, first_beat;
    halo_chan_vese_options kernel;
    halo_chan_vese_start init;
    halo_sample_range range;
    halo_chan_vese_array_report report;
} chan_vese_job;

/* ---- beats ----------------------------------------------------------------------------------- */

/* Runs of the kernel end with a beat that changes nothing, but the next beat may change something:
 * the curvature operator alternates. So runs go on until the level set is settled. If two beats
 * undo each other, all pairs of them that are left would change nothing: at most one beat is
 * computed. */
static halo_status run_beats(halo_beat *beat, const chan_vese_job *job)
{
    enum { MOST = 64 };
    int64_t done = 0;
    halo_chan_vese_report now = {0};
    bool stopped = false;
    while (done < job->beats && !now.settled && !stopped) {
        int64_t more = job->beats - done, left = now.swings ? more % 2 : halo_min(MOST, more);
        if (left == 0) {
            break;
        }
        HALO_TRY(halo_beat_run(beat, left));
        const halo_beat_report report = halo_beat_get_report(beat);
        now = halo_chan_vese_get_report(beat);
        stopped = report.stopped;
        done = report.beats - job->first_beat;
    }
    return HALO_OK;
}

static void note_report(const halo_beat *beat, const array_greys *greys, chan_vese_job *job)
{
    const halo_chan_vese_report set = halo_chan_vese_get_report(beat);
    job->report = (halo_chan_vese_array_report){
        .beats = halo_beat_get_report(beat).beats - job->first_beat,
        .inside = set.inside,
        .inside_mean = array_greys_value(greys, set.inside_mean),
        .outside_mean = array_greys_value(greys, set.outside_mean),
        .changed = set.changed,
        .converged = set.settled,
        .swings = set.swings,
    };
}

/* Local. */
static halo_status fill(const chan_vese_job *job, array_call *call, const halo_world *world,
                        const array_greys *greys, const halo_beat *beat)
{
    halo_view cells = *halo_beat_view(beat, 0);
    HALO_TRY(array_greys_get(greys, call, world, job->image, halo_beat_view(beat, 1)));
    if (job->initial != NULL) {
        return array_positive(call, world, job->initial, &cells);
    }
    halo_chan_vese_fill(&cells, &job->init, job->image->n);
    return HALO_OK;
}

static halo_status run(chan_vese_job *job, array_call *call, halo_world *world,
                       const array_greys *greys, halo_beat *beat)
{
    HALO_TRY(halo_agree(world, fill(job, call, world, greys, beat)));
    HALO_TRY(halo_chan_vese_begin(beat, world));
    array_call_phase(call, world, 1);
    HALO_TRY(run_beats(beat, job));
    HALO_TRY(halo_agree(world, array_pass_parts(call, world, job->level_set,
                                                halo_beat_view(beat, 0), array_put_bits)));
    if (halo_world_rank(world) == 0) {
        note_report(beat, greys, job);
    }
    return HALO_OK;
}

static halo_status chan_vese_rank(halo_world *world, array_call *call, void *context)
{
    chan_vese_job *job = context;
    halo_domain domain = array_domain(job->image);
    halo_chan_vese_options options = job->kernel; /* with a number of bits that is found now */
    array_beats w = {call, world, job->first_beat, job->beats};
    array_greys greys;
    halo_partition strips;
    halo_beat *beat = NULL;
    if (job->beats > 0) {
        array_call_count(call, world, job->beats);
    }
    HALO_TRY(halo_partition_strips(&strips, &domain, halo_world_ranks(world)));
    halo_box own = halo_partition_box(&strips, halo_world_rank(world));
    halo_status status =
        array_greys_choose(&greys, call, world, job->image, "the image", &own, &job->range);
    if (status == HALO_OK) {
        options.grey_bits = greys.bits;
        options.instructions = call->instructions;
        const halo_kernel kernel = halo_chan_vese_kernel(&options);
        status = halo_beat_create(&beat, world, &domain, &strips, &kernel,
                                  &(halo_beat_options){.kernel_options = &options,
                                                       .first_beat = job->first_beat,
                                                       .watch = array_beats_watch,
                                                       .context = &w});
        HALO_IF_OK(status, run(job, call, world, &greys, beat));
        halo_beat_destroy(&beat);
    }
    halo_partition_free(&strips);
    return status;
}

/* ---- arguments ------------------------------------------------------------------------------- */

static halo_status take_options(const halo_chan_vese_array_options *options, chan_vese_job *job)
{
    int64_t smoothing = options->smoothing.given ? options->smoothing.value : 1;
    job->beats = options->beats.given ? options->beats.value : BEATS;
    HALO_FAIL_IF(job->beats < 0, HALO_ARGUMENT,
                 "%" PRId64 " beats cannot be computed; give 0 or more", job->beats);
    HALO_FAIL_IF(smoothing < 0 || smoothing > HALO_CHAN_VESE_MAX_SMOOTHING, HALO_ARGUMENT,
                 "smoothing %" PRId64 " times a beat; use 0 to %d times", smoothing,
                 HALO_CHAN_VESE_MAX_SMOOTHING);
    job->kernel.smoothing = (int)smoothing;
    job->kernel.lambda1 = options->lambda1.given ? options->lambda1.value : 1;
    job->kernel.lambda2 = options->lambda2.given ? options->lambda2.value : 1;
    job->init = options->init;
    job->range = options->range;
    job->first_beat = options->first_beat;
    HALO_FAIL_IF(job->first_beat < 0 || job->first_beat > INT64_MAX - job->beats, HALO_ARGUMENT,
                 "beat %" PRId64 " is not possible; give a first beat from 0 on", job->first_beat);
    return HALO_REQUIRE(job->init.square >= 0 && (!job->init.placed || job->init.radius > 0),
                        HALO_ARGUMENT,
                        "squares of %" PRId64 " elements and a radius of %g are not possible; both "
                        "must be above 0",
                        job->init.square, job->init.radius);
}

static halo_status check_arrays(const halo_array *image, const halo_array *initial,
                                const halo_array *level_set)
{
    static const char set[] = "the array for the level set", first[] = "the first level set";
    HALO_TRY(array_check(image, "the image", 2, 2));
    HALO_TRY(array_check_bits_out(level_set, set, 2, 2));
    HALO_TRY(array_check_same(image, "the image", level_set, set));
    if (initial != NULL) {
        HALO_TRY(array_check(initial, first, 2, 2));
        HALO_TRY(array_check_same(image, "the image", initial, first));
    }
    return HALO_OK;
}

static halo_status segment(halo_context *context, const halo_chan_vese_array_options *options,
                           chan_vese_job *job)
{
    /* Seconds of a core for an element, to take it, and for a beat, at least. */
    const double taking = .5e-9, computing = .05e-9;
    HALO_TRY(check_arrays(job->image, job->initial, job->level_set));
    HALO_TRY(take_options(options, job));
    double cells = (double)array_cells(job->image);
    int64_t depth = 1 + 2 * (int64_t)job->kernel.smoothing; /* of a strip, at least */
    if (cells <= 0) {
        return HALO_OK;
    }
    return array_call_run(context, cells * (taking + computing * (double)job->beats),
                          halo_max(1, job->image->n[0] / depth), chan_vese_rank, job);
}

halo_status halo_chan_vese_array_sized(halo_context *context, const halo_array *image,
                                       const halo_array *initial, const halo_array *level_set,
                                       const halo_chan_vese_array_options *given,
                                       halo_chan_vese_array_report *report, size_t given_bytes,
                                       size_t report_bytes)
{
    halo_chan_vese_array_options options;
    chan_vese_job job = {.image = image, .initial = initial, .level_set = level_set};
    halo_status status = halo_options_take(&options, sizeof options, given, given_bytes,
                                           "halo_chan_vese_array_options");
    HALO_IF_OK(status, segment(context, &options, &job));
    halo_report_give(report, report_bytes, status == HALO_OK ? &job.report : NULL,
                     sizeof job.report);
    return status;
}
