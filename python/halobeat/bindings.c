#include "module.h"

#include "kernels/chan_vese/chan_vese_array.h"
#include "kernels/cluster/cluster_array.h"
#include "kernels/distance/distance_array.h"
#include "kernels/distance/expand_labels_array.h"
#include "kernels/distance/thickness_array.h"
#include "kernels/label/contacts_array.h"
#include "kernels/label/keep_array.h"
#include "kernels/label/label_array.h"
#include "kernels/label/regions_array.h"
#include "kernels/paths/paths_array.h"
#include "kernels/split/split_array.h"
#include "kernels/watershed/watershed_array.h"

/* The library's functions on arrays, as rows of one table. */

/* Bytes of a result, which Python makes an array of. */
static PyObject *bytes_of(const void *data, size_t bytes)
{
    return PyByteArray_FromStringAndSize(data, (Py_ssize_t)bytes);
}

/* ---- label ----------------------------------------------------------------------------------- */

enum { LABEL_REGIONS, LABEL_TOO_MANY }; /* numbers of the call */

static halo_status run_label(call_state *call)
{
    halo_status status = halo_label_array(call->context, call->array[0], call->array[1],
                                          call->options, &call->numbers[LABEL_REGIONS]);
    /* Only regions that the type of labels does not have are known when the call fails so. */
    call->numbers[LABEL_TOO_MANY] = status == HALO_ARGUMENT && call->numbers[LABEL_REGIONS] > 0;
    return call->numbers[LABEL_TOO_MANY] != 0 ? HALO_OK : status;
}

/* Returns the number of regions. Raises RuntimeError, as scipy does, if the type of the labels is
 * too small for it. */
static PyObject *label_result(call_state *call)
{
    return call->numbers[LABEL_TOO_MANY] != 0 ? errors_raise_runtime()
                                              : PyLong_FromLongLong(call->numbers[LABEL_REGIONS]);
}

/* ---- regions --------------------------------------------------------------------------------- */

static halo_status run_regions(call_state *call)
{
    halo_array_table *table = NULL;
    halo_status status =
        halo_regions_array(call->context, call->array[0], call->array[1], call->options, &table);
    call->made = table;
    return status;
}

static halo_status run_contacts(call_state *call)
{
    halo_array_table *table = NULL;
    halo_status status = halo_contacts_array(call->context, call->array[0], call->options, &table);
    call->made = table;
    return status;
}

static halo_status run_dust(call_state *call)
{
    return halo_keep_array(call->context, call->array[0], call->array[1], call->options,
                           &call->numbers[0]);
}

/* A list of columns: name, NumPy's type, bytes. */
static PyObject *table_result(call_state *call)
{
    halo_array_table *table = call->made;
    size_t rows = (size_t)halo_array_table_rows(table);
    PyObject *list = PyList_New(0);
    for (int i = 0; list != NULL && i < halo_array_table_columns(table); i++) {
        const halo_array_column *column = halo_array_table_column(table, i);
        const halo_sample_type_entry *type = &halo_sample_types[column->type];
        PyObject *one = Py_BuildValue("(ssN)", column->name, type->numpy,
                                      bytes_of(column->values, rows * type->bytes));
        if (one == NULL || PyList_Append(list, one) != 0) {
            Py_CLEAR(list);
        }
        Py_XDECREF(one);
    }
    halo_array_table_destroy(&table);
    return list;
}

/* ---- clusters -------------------------------------------------------------------------------- */

static halo_status run_cluster(call_state *call)
{
    halo_cluster_array_report report;
    halo_array_table *table = NULL;
    halo_status status = halo_cluster_array(call->context, call->array[0], call->array[1],
                                            call->options, &table, &report);
    call->made = table;
    call->numbers[0] = report.labels;
    call->numbers[1] = report.beats;
    call->numbers[2] = report.converged;
    call->reals[0] = report.inertia;
    return status;
}

/* Labels, beats, converged, inertia, and the columns of the clusters. */
static PyObject *cluster_result(call_state *call)
{
    PyObject *columns = table_result(call);
    return columns == NULL
               ? NULL
               : Py_BuildValue("LLOdN", (long long)call->numbers[0], (long long)call->numbers[1],
                               call->numbers[2] != 0 ? Py_True : Py_False, call->reals[0], columns);
}

/* ---- paths ----------------------------------------------------------------------------------- */

static halo_status run_paths(call_state *call)
{
    halo_paths_array_report report;
    halo_status status =
        halo_paths_array(call->context, call->array[0], call->object[1], call->whole[1],
                         call->array[2], call->array[3], call->options, &report);
    call->numbers[0] = report.reached;
    call->numbers[1] = report.barriers;
    call->reals[0] = report.farthest;
    return status;
}

static PyObject *paths_result(call_state *call)
{
    return Py_BuildValue("LdL", (long long)call->numbers[0], call->reals[0],
                         (long long)call->numbers[1]);
}

static halo_status run_paths_trace(call_state *call)
{
    halo_paths_trail *trail = NULL;
    halo_status status = halo_paths_array_trace(call->context, call->array[0], call->array[1],
                                                call->object[2], call->whole[2], call->object[3],
                                                call->whole[3], call->options, &trail);
    call->made = trail;
    return status;
}

/* Stops: target, step, row, column, distance. */
static PyObject *paths_trace_result(call_state *call)
{
    halo_paths_trail *trail = call->made;
    PyObject *stops = bytes_of(trail->stops, (size_t)trail->count * sizeof *trail->stops);
    halo_paths_trail_destroy(&trail);
    return stops;
}

/* ---- segmentation ---------------------------------------------------------------------------- */

static halo_status run_chan_vese(call_state *call)
{
    halo_chan_vese_array_report report;
    halo_chan_vese_array_options *options = call->options;
    options->beats = (halo_optional_integer){call->whole[3], true};
    halo_status status = halo_chan_vese_array(call->context, call->array[0], call->array[1],
                                              call->array[2], options, &report);
    call->numbers[0] = report.beats;
    return status;
}

static PyObject *number_result(call_state *call)
{
    return PyLong_FromLongLong(call->numbers[0]);
}

/* ---- distances ------------------------------------------------------------------------------- */

enum { DISTANCE_INDICES = 2 }; /* the first of the arrays for indices, one after the other */

static halo_status run_distance(call_state *call)
{
    halo_distance_array_report report;
    const halo_array *indices =
        call->array[DISTANCE_INDICES] != NULL ? &call->arrays[DISTANCE_INDICES] : NULL;
    halo_status status = halo_distance_array(call->context, call->array[0], call->array[1], indices,
                                             call->options, &report);
    call->numbers[0] = report.infinite;
    return status;
}

static halo_status run_thickness(call_state *call)
{
    halo_thickness_array_report report;
    halo_status status =
        halo_thickness_array(call->context, call->array[0], call->array[1], call->options, &report);
    call->numbers[0] = report.infinite;
    return status;
}

static halo_status run_expand_labels(call_state *call)
{
    return halo_expand_labels_array(call->context, call->array[0], call->array[1], call->options,
                                    NULL);
}

/* Returns whether distances are infinite. */
static PyObject *distance_result(call_state *call)
{
    return PyBool_FromLong(call->numbers[0] != 0);
}

static halo_status run_split(call_state *call)
{
    halo_split_report report;
    halo_status status = halo_split_array(call->context, call->array[0], call->array[1],
                                          call->array[2], call->options, &report);
    call->numbers[0] = report.parts;
    return status;
}

static halo_status run_watershed(call_state *call)
{
    halo_watershed_report report;
    halo_status status =
        halo_watershed_array(call->context, call->array[0], call->array[1], call->array[2],
                             call->array[3], call->options, &report);
    call->numbers[0] = report.minima;
    return status;
}

/* ---- the table ------------------------------------------------------------------------------- */

const call_table binding_tables[] = {
    {.name = "label",
     CALL_OPTIONS(label_array),
     .run = run_label,
     .result = label_result,
     .arguments = {{"input", CALL_INPUT}, {"output", CALL_OPTIONAL_OUTPUT}}},
    {.name = "regionprops_table",
     CALL_OPTIONS(regions_array),
     .run = run_regions,
     .result = table_result,
     .arguments = {{"label_image", CALL_INPUT}, {"intensity_image", CALL_OPTIONAL_INPUT}}},
    {.name = "contacts",
     CALL_OPTIONS(contacts_array),
     .run = run_contacts,
     .result = table_result,
     .arguments = {{"labels", CALL_INPUT}}},
    {.name = "dust",
     CALL_OPTIONS(keep_array),
     .run = run_dust,
     .result = label_result, /* the number of regions, too */
     .arguments = {{"input", CALL_INPUT}, {"output", CALL_OUTPUT}}},
    {.name = "kmeans",
     CALL_OPTIONS(cluster_array),
     .run = run_cluster,
     .result = cluster_result,
     .arguments = {{"image", CALL_INPUT}, {"output", CALL_OUTPUT}}},
    {.name = "paths",
     CALL_OPTIONS(paths_array),
     .run = run_paths,
     .result = paths_result,
     .arguments = {{"costs", CALL_INPUT},
                   {"starts", CALL_PAIRS},
                   {"distances", CALL_OPTIONAL_OUTPUT},
                   {"nearest", CALL_OPTIONAL_OUTPUT}}},
    {.name = "paths_trace",
     CALL_OPTIONS(paths_array),
     .run = run_paths_trace,
     .result = paths_trace_result,
     .arguments = {{"costs", CALL_INPUT},
                   {"distances", CALL_INPUT},
                   {"starts", CALL_PAIRS},
                   {"ends", CALL_PAIRS}}},
    {.name = "distance_transform_edt",
     CALL_OPTIONS(distance_array),
     .run = run_distance,
     .result = distance_result,
     .arguments = {{"input", CALL_INPUT},
                   {"distances", CALL_OPTIONAL_OUTPUT},
                   {"indices", CALL_OPTIONAL_OUTPUT},
                   {"indices", CALL_OPTIONAL_OUTPUT},
                   {"indices", CALL_OPTIONAL_OUTPUT}}},
    {.name = "expand_labels",
     CALL_OPTIONS(expand_labels_array),
     .run = run_expand_labels,
     .arguments = {{"label_image", CALL_INPUT}, {"output", CALL_OUTPUT}}},
    {.name = "local_thickness",
     CALL_OPTIONS(thickness_array),
     .run = run_thickness,
     .result = distance_result,
     .arguments = {{"input", CALL_INPUT}, {"output", CALL_OUTPUT}}},
    {.name = "morphological_chan_vese",
     CALL_OPTIONS(chan_vese_array),
     .run = run_chan_vese,
     .result = number_result,
     .arguments = {{"image", CALL_INPUT},
                   {"init_level_set", CALL_OPTIONAL_INPUT},
                   {"output", CALL_OUTPUT},
                   {"num_iter", CALL_WHOLE}}},
    {.name = "split",
     CALL_OPTIONS(split_array),
     .run = run_split,
     .result = number_result, /* of parts */
     .arguments = {{"image", CALL_INPUT}, {"mask", CALL_OPTIONAL_INPUT}, {"output", CALL_OUTPUT}}},
    {.name = "watershed",
     CALL_OPTIONS(watershed_array),
     .run = run_watershed,
     .result = number_result, /* of minima */
     .arguments = {{"image", CALL_INPUT},
                   {"markers", CALL_OPTIONAL_INPUT},
                   {"mask", CALL_OPTIONAL_INPUT},
                   {"output", CALL_OUTPUT}}},
    {0}};
