#include "module.h"

#include "core/transport/processes.h"
#include "core/world/clock.h"
#include "core/world/collect.h"

#include <string.h>

/* Calls of the library on arrays. */

static const char capsule_name[] = "halobeat.call_table";

/* ---- progress -------------------------------------------------------------------------------- */

bool call_watch(void *user, int64_t done, int64_t total)
{
    call_state *call = user;
    if (call->stopped) {
        return true; /* there is an exception already */
    }
    const double soon = .02;
    double now = halo_seconds();
    bool first = call->looked <= 0;
    if (call->progress == NULL && (first || now < call->looked + soon)) {
        call->looked = first ? now : call->looked; /* the call has only begun, or ends already */
        return false;
    }
    call->looked = now;
    PyEval_RestoreThread(call->self);
    bool failed = PyErr_CheckSignals() != 0;
    if (!failed && call->progress != NULL) {
        PyObject *result =
            PyObject_CallFunction(call->progress, "LL", (long long)done, (long long)total);
        failed = result == NULL;
        Py_XDECREF(result);
    }
    if (failed) {
        callbacks_keep_raised(call);
    }
    call->self = PyEval_SaveThread();
    call->stopped = failed;
    return failed;
}

halo_status call_watch_now_and_then(call_state *call, double *next, int64_t done, int64_t total)
{
    const double interval = .05;
    double now = halo_seconds();
    if (now < *next) {
        return HALO_OK;
    }
    *next = now + interval;
    return HALO_REQUIRE(!call_watch(call, done, total), HALO_CANCELLED,
                        "the call was cancelled by its function of progress");
}

/* ---- arguments ------------------------------------------------------------------------------- */

enum { RANKS, PROGRESS, OPTIONS, FIRST };

static int count_arguments(const call_table *table)
{
    int count = 0;
    while (table->arguments[count].name != NULL) {
        count++;
    }
    return count;
}

static bool take_array(call_state *call, int i, PyObject *given)
{
    const call_argument *argument = &call->table->arguments[i];
    call_kind kind = argument->kind;
    if (given == Py_None && (kind == CALL_OPTIONAL_INPUT || kind == CALL_OPTIONAL_OUTPUT)) {
        return true;
    }
    bool written = kind == CALL_OUTPUT || kind == CALL_OPTIONAL_OUTPUT;
    if (!array_take(given, argument->name, written, &call->views[call->taken], &call->arrays[i])) {
        return false;
    }
    call->taken++;
    call->array[i] = &call->arrays[i];
    return true;
}

static bool take_pairs(call_state *call, int i, PyObject *given)
{
    if (!take_array(call, i, given)) {
        return false;
    }
    enum { PAIR = 2 };
    const halo_array *array = &call->arrays[i];
    const ptrdiff_t size = sizeof(int64_t);
    if (array->type != HALO_SAMPLE_I64 || array->swapped || array->axes != PAIR ||
        array->n[1] != PAIR ||
        (array->n[0] > 0 && (array->stride[1] != size || array->stride[0] != PAIR * size))) {
        PyErr_Format(PyExc_TypeError, "%s must be pairs of int64 without gaps",
                     call->table->arguments[i].name);
        return false;
    }
    call->whole[i] = array->n[0];
    call->object[i] = array->data;
    return true;
}

static bool take_argument(call_state *call, int i, PyObject *given)
{
    const call_argument *argument = &call->table->arguments[i];
    switch (argument->kind) {
    case CALL_PAIRS:
        return take_pairs(call, i, given);
    case CALL_WHOLE:
        call->whole[i] = PyLong_AsLongLong(given);
        return call->whole[i] != -1 || PyErr_Occurred() == NULL;
    case CALL_TEXT:
    case CALL_PATH:
        if (argument->kind == CALL_TEXT) {
            call->kept[i] = PyUnicode_AsUTF8String(given);
        } else if (PyUnicode_FSConverter(given, &call->kept[i]) == 0) {
            return false;
        }
        if (call->kept[i] == NULL) {
            return false;
        }
        call->object[i] = PyBytes_AsString(call->kept[i]);
        return call->object[i] != NULL;
    case CALL_FUNCTION:
        call->object[i] = given;
        return true;
    case CALL_OBJECT:
        call->object[i] = PyCapsule_GetPointer(given, argument->name);
        return call->object[i] != NULL;
    default:
        return take_array(call, i, given);
    }
}

static bool take_arguments(call_state *call, PyObject *const *given)
{
    for (int i = 0; call->table->arguments[i].name != NULL; i++) {
        if (!take_argument(call, i, given[i])) {
            return false;
        }
    }
    return true;
}

/* Collective. Makes a world of a communicator: the address and the size of its handle. */
static bool take_world(call_state *call, PyObject *communicator)
{
    unsigned long long address;
    Py_ssize_t bytes;
    if (!PyArg_ParseTuple(communicator, "Kn", &address, &bytes)) {
        return false;
    }
    PyThreadState *self = PyEval_SaveThread();
    halo_status status =
        halo_processes_adopt(&call->world, (const void *)(uintptr_t)address, (size_t)bytes);
    PyEval_RestoreThread(self);
    if (status != HALO_OK) {
        errors_raise(status);
    }
    return status == HALO_OK;
}

/* Collective over the call's world, if it has one. Have all ranks what they need for the call? A
 * rank that has not raises its own exception. */
static bool agree(call_state *call, bool ready)
{
    if (call->world == NULL) {
        return ready;
    }
    PyThreadState *self = PyEval_SaveThread();
    halo_status status = halo_agree(
        call->world, ready ? HALO_OK
                           : halo_fail(HALO_ARGUMENT, "the arguments of rank %d are refused",
                                       halo_world_rank(call->world)));
    PyEval_RestoreThread(self);
    if (status != HALO_OK) {
        errors_raise(status);
    }
    return status == HALO_OK;
}

static bool take_context(call_state *call, PyObject *const *given)
{
    long ranks = call->world == NULL ? PyLong_AsLong(given[RANKS]) : 0;
    if (ranks == -1 && PyErr_Occurred() != NULL) {
        return false;
    }
    if (given[PROGRESS] != Py_None) {
        call->progress = given[PROGRESS];
    }
    halo_status status = halo_context_create(&call->context);
    HALO_IF_OK(status, halo_context_set_ranks(call->context, (int)ranks));
    if (status != HALO_OK) {
        errors_raise(status);
        return false;
    }
    halo_context_set_progress(call->context, call_watch, call);
    halo_context_set_world(call->context, call->world);
    return true;
}

/* ---- running --------------------------------------------------------------------------------- */

static PyObject *run_call(call_state *call)
{
    call->self = PyEval_SaveThread();
    halo_status status = call->table->run(call);
    PyEval_RestoreThread(call->self);
    callbacks_raise(call);
    if (status != HALO_OK || PyErr_Occurred() != NULL) {
        return errors_raise(status); /* or the exception of a function of progress */
    }
    return call->table->result != NULL ? call->table->result(call) : Py_NewRef(Py_None);
}

static PyObject *run_with_options(call_state *call, PyObject *const *given)
{
    PyObject *result = NULL, *keep = NULL;
    const call_table *table = call->table;
    call->options = PyMem_Calloc(1, table->options_bytes + 1); /* there may be none */
    if (call->options == NULL) {
        return PyErr_NoMemory();
    }
    bool ready = true;
    if (given[OPTIONS] != Py_None) {
        keep = PyList_New(0);
        ready = keep != NULL &&
                options_set(table->rows, call->options, table->name, given[OPTIONS], keep);
    }
    ready = ready && take_context(call, given) && take_arguments(call, given + FIRST);
    if (agree(call, ready)) {
        result = run_call(call);
    }
    PyMem_Free(call->options);
    Py_XDECREF(keep);
    return result;
}

static PyObject *call_function(PyObject *self, PyObject *const *given, Py_ssize_t count)
{
    call_state call = {.table = PyCapsule_GetPointer(self, capsule_name)};
    if (call.table == NULL) {
        return NULL;
    }
    int wanted = FIRST + count_arguments(call.table);
    if (count != wanted) {
        PyErr_Format(PyExc_TypeError, "_halobeat.%s takes %d arguments, not %zd", call.table->name,
                     wanted, count);
        return NULL;
    }
    if (PyTuple_Check(given[RANKS]) && !take_world(&call, given[RANKS])) {
        return NULL;
    }
    PyObject *result = run_with_options(&call, given);
    for (int i = 0; i < call.taken; i++) {
        PyBuffer_Release(&call.views[i]);
    }
    for (int i = 0; i < CALL_ARGUMENTS; i++) {
        Py_XDECREF(call.kept[i]);
    }
    halo_context_destroy(&call.context);
    halo_world_destroy(&call.world);
    return result;
}

/* ---- the module ------------------------------------------------------------------------------ */

/* A method and its table, with Python's names, as long as the process. */
typedef struct {
    PyMethodDef method;
    call_table table;
} bound;

static bool add_function(PyObject *module, const call_table *table, PyObject *described)
{
    bound *own = PyMem_Calloc(1, sizeof *own);
    if (own == NULL) {
        PyErr_NoMemory();
        return false;
    }
    own->table = *table;
    own->table.rows =
        options_join(table->own_rows != NULL ? *table->own_rows : NULL,
                     table->more_rows != NULL ? *table->more_rows : NULL, table->more_offset);
    own->method = (PyMethodDef){.ml_name = table->name,
                                .ml_meth = (PyCFunction)(void (*)(void))call_function,
                                .ml_flags = METH_FASTCALL};
    PyObject *self = PyCapsule_New(&own->table, capsule_name, NULL);
    PyObject *function = self != NULL ? PyCFunction_NewEx(&own->method, self, NULL) : NULL;
    PyObject *options = own->table.rows != NULL ? options_describe(own->table.rows) : NULL;
    bool added =
        function != NULL && options != NULL &&
        PyModule_AddObjectRef(module, table->name, function) == 0 &&
        (table->own_rows == NULL || PyDict_SetItemString(described, table->name, options) == 0);
    Py_XDECREF(options);
    Py_XDECREF(function);
    Py_XDECREF(self);
    return added;
}

bool calls_add(PyObject *module, const call_table *tables, PyObject *described)
{
    bool added = true;
    for (; added && tables->name != NULL; tables++) {
        added = add_function(module, tables, described);
    }
    return added;
}
