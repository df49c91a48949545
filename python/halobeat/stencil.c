#include "module.h"

#include "base/memory.h"
#include "core/beat/export_check.h"
#include "kernels/array/kernel_array.h"
#include "kernels/heat/heat.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* Beats of stencils: heat, and kernels of the user. */

/* ---- heat ------------------------------------------------------------------------------------ */

/* The options of a run, and after them those of its kernel. */
typedef struct {
    halo_kernel_array_options run;
    halo_heat_options heat;
} heat_options;

static halo_status run_heat(call_state *call)
{
    enum { SOLID = 3 };
    heat_options *options = call->options;
    const halo_array *in = call->array[0];
    options->run.kernel_options = &options->heat;
    options->run.beats = call->whole[2];
    options->heat.dtype = in->type == HALO_SAMPLE_F32 ? "float32" : "float64";
    halo_kernel_array_report report;
    halo_status status = halo_kernel_array(
        call->context, in->axes == SOLID ? &halo_heat3d_kernel : &halo_heat_kernel, in,
        call->array[1], &options->run, &report);
    call->numbers[0] = report.beats;
    return status;
}

static PyObject *beats_result(call_state *call)
{
    return PyLong_FromLongLong(call->numbers[0]);
}

/* ---- a stencil of the user ------------------------------------------------------------------- */

/* Computes a box of cells: `now` from `old`, each of which is the address of the box's first cell,
 * with [axes] cells and bytes from a cell to the next along each axis. Returns the number of cells
 * that it has changed; a negative number ends the run. */
typedef int64_t user_step(const void *old, void *now, const int64_t *n, const int64_t *old_stride,
                          const int64_t *now_stride);

enum { AT_IN, AT_OUT, AT_FUNCTION, AT_BEATS, AT_DEPTH, AT_CONVERGES };

static halo_status create_state(void **state, const halo_domain *domain, const void *options)
{
    (void)domain;
    memcpy(state, options, sizeof *state); /* the call */
    return HALO_OK;
}

static halo_status step_user(halo_step *step)
{
    user_step *function;
    call_state *call = step->state;
    callback_frame frame;
    int64_t strides[2][HALO_AXES];
    const halo_view *views[2] = {step->in, step->out};
    char *first[2];
    uintptr_t address = (uintptr_t)call->whole[AT_FUNCTION];
    memcpy(&function, &address, sizeof function);
    for (int i = 0; i < 2; i++) {
        first[i] = views[i]->origin;
        for (int axis = 0; axis < views[i]->axes; axis++) {
            strides[i][axis] = views[i]->stride[axis];
            first[i] += step->todo.lo[axis] * views[i]->stride[axis];
        }
    }
    callbacks_enter(&frame, call);
    int64_t changed = function(first[0], first[1], step->todo.n, strides[0], strides[1]);
    HALO_FAIL_IF(callbacks_leave(&frame), HALO_CANCELLED,
                 "the stencil's function has raised an exception");
    step->changed += changed;
    return HALO_REQUIRE(changed >= 0, HALO_CANCELLED, "the stencil's function returned %lld",
                        (long long)changed);
}

static halo_status check_stencil(const call_state *call)
{
    enum { FIRST_PAGE = 4096, MOST_DEPTH = 1 << 20 };
    int64_t address = call->whole[AT_FUNCTION], depth = call->whole[AT_DEPTH];
    HALO_FAIL_IF(address < FIRST_PAGE, HALO_ARGUMENT,
                 "no function is at the address %lld; pass that of a compiled one",
                 (long long)address);
    return HALO_REQUIRE(depth >= 1 && depth <= MOST_DEPTH, HALO_ARGUMENT,
                        "a depth of %lld; take 1 to %d", (long long)depth, (int)MOST_DEPTH);
}

static halo_status run_stencil(call_state *call)
{
    enum { BYTE = 8 };
    HALO_TRY(check_stencil(call));
    const halo_array *in = call->array[AT_IN];
    const halo_sample_type_entry *type = &halo_sample_types[in->type];
    halo_kernel_array_options *options = call->options;
    bool with_sign = type->key_min < 0 && !type->real && in->type != HALO_SAMPLE_U64;
    const halo_kernel kernel = {.name = "stencil",
                                .help = "A function of the user",
                                .axes = in->axes,
                                .cell_bits = {(int)type->stored * BYTE},
                                .cell_kind = {type->real  ? HALO_FLOAT
                                              : with_sign ? HALO_SIGNED
                                                          : HALO_UNSIGNED},
                                .depth = (int)call->whole[AT_DEPTH],
                                .corners = true,
                                .converges = call->whole[AT_CONVERGES] != 0,
                                .create = create_state,
                                .step = step_user};
    options->beats = call->whole[AT_BEATS];
    options->kernel_options = &call;
    halo_kernel_array_report report;
    halo_status status =
        halo_kernel_array(call->context, &kernel, in, call->array[AT_OUT], options, &report);
    call->numbers[0] = report.beats;
    return status;
}

/* ---- a kernel of a shared object ------------------------------------------------------------- */

typedef struct {
    halo_kernel_array_options run;
    const char *options;
} kernel_options;

static const halo_option kernel_rows[] = {
    {HALO_OPTION_ROW(kernel_options, "kernel-options", TEXT, options), .value = "NAME=VALUE,...",
     .help = "Options of the kernel of a shared object, by name"},
    {0}};
static const halo_option *const kernel_more = kernel_rows;

enum { KERNEL_EXPORT = AT_FUNCTION, KERNEL_BEATS, KERNEL_PATH };

/* Computes with the kernel's options, which are made of `text`, or are its defaults. */
static halo_status run_with_options(call_state *call, const halo_kernel *kernel, char *text)
{
    kernel_options *options = call->options;
    void *own = NULL;
    halo_status status = HALO_OK;
    if (kernel->options != NULL) {
        status = halo_memory_create(&own, kernel->options_bytes, "options of a kernel");
        HALO_IF_OK(status, halo_options_set_defaults(kernel->options, own));
    }
    HALO_IF_OK(status, halo_options_read(kernel->options, own, "the kernel", text));
    options->run.kernel_options = own;
    options->run.beats = call->whole[KERNEL_BEATS];
    halo_kernel_array_report report;
    HALO_IF_OK(status, halo_kernel_array(call->context, kernel, call->array[AT_IN],
                                         call->array[AT_OUT], &options->run, &report));
    call->numbers[0] = report.beats;
    halo_memory_free(own);
    return status;
}

static halo_status run_kernel(call_state *call)
{
    const kernel_options *options = call->options;
    const char *path = call->object[KERNEL_PATH];
    const halo_kernel_export *found;
    uintptr_t address = (uintptr_t)call->whole[KERNEL_EXPORT];
    memcpy(&found, &address, sizeof found);
    HALO_TRY(halo_kernel_check_export(found, path));
    HALO_FAIL_IF(found->kernel->cell_bits[1] != 0, HALO_ARGUMENT,
                 "the kernel of \"%s\" has several fields, and one array is given; use `halobeat "
                 "run`, or halo_kernel_array of the library",
                 path);
    char *text = options->options != NULL ? strdup(options->options) : NULL;
    HALO_FAIL_IF(options->options != NULL && text == NULL, HALO_MEMORY, "out of memory: a text");
    halo_status status = run_with_options(call, found->kernel, text);
    free(text);
    return status;
}

const call_table stencil_tables[] = {
    {.name = "kernel",
     .own_rows = &halo_kernel_array_rows,
     .options_bytes = sizeof(kernel_options),
     .more_rows = &kernel_more,
     .run = run_kernel,
     .result = beats_result,
     .arguments = {{"input", CALL_INPUT},
                   {"output", CALL_OUTPUT},
                   {"kernel", CALL_WHOLE},
                   {"beats", CALL_WHOLE},
                   {"path", CALL_PATH}}},
    {.name = "heat",
     .own_rows = &halo_kernel_array_rows,
     .options_bytes = sizeof(heat_options),
     .more_rows = &halo_heat_kernel.options,
     .more_offset = offsetof(heat_options, heat),
     .run = run_heat,
     .result = beats_result,
     .arguments = {{"input", CALL_INPUT}, {"output", CALL_OUTPUT}, {"beats", CALL_WHOLE}}},
    {.name = "stencil",
     CALL_OPTIONS(kernel_array),
     .run = run_stencil,
     .result = beats_result,
     .arguments = {{"input", CALL_INPUT},
                   {"output", CALL_OUTPUT},
                   {"function", CALL_WHOLE},
                   {"beats", CALL_WHOLE},
                   {"depth", CALL_WHOLE},
                   {"converges", CALL_WHOLE}}},
    {0}};
