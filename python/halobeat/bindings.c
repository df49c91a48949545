#include "module.h"

#include "kernels/label/label_array.h"

/* The library's functions on arrays, as rows of one table. */

static PyObject *first_number(const call_state *call)
{
    return PyLong_FromLongLong(call->numbers[0]);
}

static halo_status run_label(call_state *call)
{
    return halo_label_array(call->context, call->array[0], call->array[1], call->options,
                            &call->numbers[0]);
}

#define OPTIONS(kernel) \
    .rows = halo_##kernel##_rows, .options_bytes = sizeof(halo_##kernel##_options)
const call_table binding_tables[] = {
    {.name = "label",
     OPTIONS(label_array),
     .arrays = {{.name = "input"}, {.name = "output", .written = true, .optional = true}},
     .run = run_label,
     .result = first_number},
    {0}};
