#include "module.h"

#include "kernels/walk/walk_array.h"

/* Random walkers. */

static halo_status run_walk(call_state *call)
{
    halo_walk_result *result = NULL;
    halo_status status = halo_walk_array(call->context, call->array[0], call->options, &result);
    call->made = result;
    return status;
}

static PyObject *number_of(halo_walk_number number)
{
    return Py_BuildValue("(dd)", number.value, number.error);
}

static PyObject *axis_of(const halo_walk_result *result, int axis)
{
    const halo_walk_axis_report found = halo_walk_result_get_axis(result, axis);
    const halo_walk_interval tortuosity = found.tortuosity;
    return Py_BuildValue("{sNsNsNs(ddd)sOsO}", "diffusivity", number_of(found.diffusivity),
                         "relative", number_of(found.relative), "effective",
                         number_of(found.effective), "tortuosity", tortuosity.value, tortuosity.low,
                         tortuosity.high, "linear", found.linear ? Py_True : Py_False, "confined",
                         found.confined ? Py_True : Py_False);
}

static PyObject *axes_of(const halo_walk_result *result, int axes)
{
    PyObject *list = PyTuple_New(axes);
    for (int axis = 0; list != NULL && axis < axes; axis++) {
        PyObject *one = axis_of(result, axis);
        if (one == NULL || PyTuple_SetItem(list, axis, one) != 0) {
            Py_CLEAR(list);
        }
    }
    return list;
}

/* Numbers of records, as bytes of doubles: [records][axes] of steps, mean and mean square. */
static PyObject *records_of(const halo_walk_result *result, const halo_walk_array_report *report)
{
    enum { FIGURES = 3 };
    size_t bytes = (size_t)report->records * (size_t)report->axes * FIGURES * sizeof(double);
    PyObject *array = PyByteArray_FromStringAndSize(NULL, (Py_ssize_t)bytes);
    double *out = array != NULL ? (double *)(void *)PyByteArray_AsString(array) : NULL;
    for (int64_t record = 0; out != NULL && record < report->records; record++) {
        for (int axis = 0; axis < report->axes; axis++) {
            const halo_walk_motion motion = halo_walk_result_get_motion(result, record, axis);
            *out++ = (double)motion.steps;
            *out++ = motion.mean.value;
            *out++ = motion.square.value;
        }
    }
    return array;
}

static PyObject *tensor_of(const halo_walk_result *result, int axes)
{
    double tensor[HALO_AXES * HALO_AXES];
    for (int a = 0; a < axes; a++) {
        for (int b = 0; b < axes; b++) {
            tensor[a * axes + b] = halo_walk_result_get_tensor(result, a, b).value;
        }
    }
    return PyByteArray_FromStringAndSize((const char *)tensor,
                                         (Py_ssize_t)sizeof(double) * axes * axes);
}

static PyObject *walk_result(call_state *call)
{
    halo_walk_result *result = call->made;
    const halo_walk_array_report report = halo_walk_result_get_report(result);
    PyObject *found =
        Py_BuildValue("{sLsLsLsLsNsNsN}", "walkers", (long long)report.walkers, "steps",
                      (long long)report.steps, "cells", (long long)report.cells, "fluid",
                      (long long)report.fluid, "axes", axes_of(result, report.axes), "records",
                      records_of(result, &report), "tensor", tensor_of(result, report.axes));
    halo_walk_result_destroy(&result);
    return found;
}

const call_table walk_tables[] = {{.name = "random_walk",
                                   CALL_OPTIONS(walk_array),
                                   .run = run_walk,
                                   .result = walk_result,
                                   .arguments = {{"medium", CALL_INPUT}}},
                                  {0}};
