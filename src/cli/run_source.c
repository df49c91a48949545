#include "cli/run_source.h"

#include "cli/run_values.h"

/* Sizes that take a second or so to compute. */
static const int64_t usual_size[HALO_AXES][HALO_AXES] = {
    {1000000, 1, 1}, {1000, 1000, 1}, {100, 100, 100}};

/* How a user gives a size of so many axes. */
static const char *const size_forms[HALO_AXES] = {"N", "NxM", "NxMxK"};

static halo_status choose_size(run_source *source)
{
    enum { USUAL_AXES = 2 };
    const run_arguments *arguments = source->arguments;
    const halo_kernel *kernel = source->kernel;
    int axes = arguments->axes != 0 ? arguments->axes
               : kernel->axes != 0  ? kernel->axes
                                    : USUAL_AXES;
    if (kernel->axes != 0 && axes != kernel->axes) {
        return halo_fail(HALO_ARGUMENT,
                         "kernel \"%s\" computes grids of %d %s, and --size has %d; use --size %s",
                         kernel->name, kernel->axes, kernel->axes == 1 ? "axis" : "axes", axes,
                         size_forms[kernel->axes - 1]);
    }
    source->domain.axes = axes;
    for (int a = 0; a < HALO_AXES; a++) {
        source->domain.n[a] = arguments->axes != 0 ? arguments->size[a] : usual_size[axes - 1][a];
    }
    return HALO_OK;
}

static halo_status check_kernel(const run_source *source)
{
    const run_arguments *arguments = source->arguments;
    const halo_kernel *kernel = source->kernel;
    if (kernel->axes < 0 || kernel->axes > HALO_AXES) {
        return halo_fail(HALO_ARGUMENT, "kernel \"%s\" says it has %d axes; 0 (any) to 3 can be",
                         kernel->name, kernel->axes);
    }
    int fields = 0;
    while (fields < HALO_KERNEL_FIELDS && kernel->cell_bits[fields] != 0) {
        fields++;
    }
    if (arguments->field >= fields) {
        return halo_fail(HALO_ARGUMENT, "kernel \"%s\" has no field %d; it has %d, counted from 0",
                         kernel->name, (int)arguments->field, fields);
    }
    if (arguments->options != NULL && kernel->create == NULL) {
        return halo_fail(HALO_ARGUMENT,
                         "kernel \"%s\" has no options of its own; leave --options out",
                         kernel->name);
    }
    if (arguments->until_still && !kernel->settles) {
        return halo_fail(HALO_ARGUMENT,
                         "kernel \"%s\" does not count what changes (`settles` in its table): give "
                         "--beats N instead of --stop-when",
                         kernel->name);
    }
    return HALO_OK;
}

halo_status run_source_open(run_source *source, halo_world *world, const run_arguments *arguments,
                            const halo_kernel *kernel)
{
    *source = (run_source){
        .world = world, .arguments = arguments, .kernel = kernel, .options = arguments->options};
    HALO_TRY(check_kernel(source));
    HALO_TRY(choose_size(source));
    return run_set_periodic(arguments->periodic, &source->domain);
}

static halo_status start(const run_source *source, const halo_beat *beat)
{
    const halo_kernel *kernel = source->kernel;
    halo_view fields[HALO_KERNEL_FIELDS];
    if (kernel->start == NULL) {
        return HALO_OK;
    }
    for (int f = 0; f < HALO_KERNEL_FIELDS && kernel->cell_bits[f] != 0; f++) {
        fields[f] = *halo_beat_view(beat, f);
    }
    return kernel->start(halo_beat_state(beat), fields);
}

halo_status run_source_fill(run_source *source, halo_beat *beat, halo_clock *clock)
{
    halo_stretch stretch = halo_clock_begin(source->world);
    halo_status status = halo_agree(source->world, start(source, beat));
    halo_clock_end(clock, HALO_PHASE_DECODE, stretch, source->world);
    return status;
}

void run_source_close(run_source *source)
{
    (void)source;
}
