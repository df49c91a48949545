#include "kernels/filter/filter_array.h"

#include "module.h"

/* Filters, and their table. */

enum { INPUT, OUTPUT, STEPS, SECONDS, MOST_SECONDS = 8 };

/* Steps name second arrays as these arguments. */
#define SECOND_LIST(X) \
    X("array0")        \
    X("array1") X("array2") X("array3") X("array4") X("array5") X("array6") X("array7")
#define SECOND_NAME(name)     name,
#define SECOND_ARGUMENT(name) {name, CALL_OPTIONAL_INPUT},

static halo_status run_filter(call_state *call)
{
    static const char *const names[MOST_SECONDS] = {SECOND_LIST(SECOND_NAME)};
    halo_filter_array_report report;
    halo_filter_array_options *options = call->options;
    halo_filter_second seconds[MOST_SECONDS];
    options->seconds = seconds;
    for (int i = 0; i < MOST_SECONDS && call->array[SECONDS + i] != NULL; i++) {
        seconds[options->second_count++] = (halo_filter_second){names[i], call->array[SECONDS + i]};
    }
    return halo_filter_array(call->context, call->array[INPUT], call->array[OUTPUT],
                             call->object[STEPS], options, &report);
}

enum { TYPE_STEPS = 1 };

static halo_status find_type(call_state *call)
{
    const halo_array *array = call->array[INPUT];
    halo_sample_type type = HALO_SAMPLE_U8;
    halo_status status =
        halo_filter_array_type(call->object[TYPE_STEPS], array->type, array->axes, array->n, &type);
    call->numbers[0] = type;
    return status;
}

/* NumPy's code of the type. */
static PyObject *type_result(call_state *call)
{
    return PyUnicode_FromString(halo_sample_types[call->numbers[0]].numpy);
}

const call_table filter_tables[] = {{.name = "filter",
                                     CALL_OPTIONS(filter_array),
                                     .run = run_filter,
                                     .arguments = {{"input", CALL_INPUT},
                                                   {"output", CALL_OUTPUT},
                                                   {"steps", CALL_TEXT},
                                                   SECOND_LIST(SECOND_ARGUMENT)}},
                                    {.name = "filter_type",
                                     .run = find_type,
                                     .result = type_result,
                                     .arguments = {{"input", CALL_INPUT}, {"steps", CALL_TEXT}}},
                                    {0}};

static PyObject *describe(int filter)
{
    const halo_option *rows = halo_filter_rows(filter);
    PyObject *options = rows != NULL ? options_describe(rows) : PyList_New(0);
    return options == NULL ? NULL
                           : Py_BuildValue("{s:s, s:z, s:s, s:N}", "help", halo_filter_help(filter),
                                           "authority", halo_filter_authority(filter), "examples",
                                           halo_filter_examples(filter), "options", options);
}

bool filters_add(PyObject *module)
{
    PyObject *all = PyDict_New();
    bool added = all != NULL;
    for (int i = 0; added && i < halo_filters(); i++) {
        PyObject *one = describe(i);
        added = one != NULL && PyDict_SetItemString(all, halo_filter_name(i), one) == 0;
        Py_XDECREF(one);
    }
    added = added && PyModule_AddObjectRef(module, "filters", all) == 0;
    Py_XDECREF(all);
    return added;
}
