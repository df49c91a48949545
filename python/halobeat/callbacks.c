#include "module.h"

/* Exceptions of functions of Python behind the address of a stencil. ctypes, cffi and numba return
 * to C, and give the exception to sys.unraisablehook, which prints it. While such a stencil runs,
 * that hook is callbacks_keep, which keeps the exception for the call. */

static _Thread_local callback_frame *innermost; /* a function may compute a stencil, too */

void callbacks_enter(callback_frame *frame, call_state *call)
{
    *frame = (callback_frame){.call = call, .outer = innermost};
    innermost = frame;
}

bool callbacks_leave(const callback_frame *frame)
{
    innermost = frame->outer;
    return frame->raised;
}

/* Is it an exception of the function? Those of destructors have no such message; numba has the
 * function's name in place of one. Ctrl-C may come to any of them. */
static bool is_of_function(PyObject *type, PyObject *message, PyObject *object)
{
    bool of_callback = object != NULL && PyUnicode_Check(object);
    if (!of_callback && message != NULL && PyUnicode_Check(message)) {
        PyObject *word = PyUnicode_FromString("callback");
        of_callback = word != NULL && PyUnicode_Contains(message, word) == 1;
        Py_XDECREF(word);
    }
    return of_callback ||
           (type != NULL && PyErr_GivenExceptionMatches(type, PyExc_KeyboardInterrupt));
}

/* Keeps the first exception of a call, or a later Ctrl-C. Takes the reference to `value`. */
static void keep(call_state *call, PyObject *value)
{
    if (call->raised == NULL || PyErr_GivenExceptionMatches(value, PyExc_KeyboardInterrupt)) {
        Py_XDECREF(call->raised);
        call->raised = value;
    } else {
        Py_DECREF(value);
    }
}

void callbacks_keep_raised(call_state *call)
{
    PyObject *type, *value, *trace;
    PyErr_Fetch(&type, &value, &trace);
    PyErr_NormalizeException(&type, &value, &trace);
    if (trace != NULL) {
        PyException_SetTraceback(value, trace);
    }
    Py_XDECREF(type);
    Py_XDECREF(trace);
    keep(call, value);
}

/* Of what the hook is given, an attribute, or NULL. */
static PyObject *attribute(PyObject *given, const char *name)
{
    PyObject *value = PyObject_GetAttrString(given, name);
    PyErr_Clear();
    return value;
}

/* callbacks_keep(previous, unraisable): what is not of a stencil's function goes to the previous
 * hook. It is no function of Python, so that Ctrl-C does not end it. */
static PyObject *callbacks_keep(PyObject *self, PyObject *args)
{
    (void)self;
    PyObject *previous, *given;
    if (!PyArg_ParseTuple(args, "OO", &previous, &given)) {
        return NULL;
    }
    PyObject *type = attribute(given, "exc_type"), *value = attribute(given, "exc_value");
    PyObject *message = attribute(given, "err_msg"), *object = attribute(given, "object");
    bool taken = innermost != NULL && value != NULL && PyExceptionInstance_Check(value) &&
                 is_of_function(type, message, object);
    if (taken) {
        innermost->raised = true;
        keep(innermost->call, Py_NewRef(value));
    }
    Py_XDECREF(type);
    Py_XDECREF(value);
    Py_XDECREF(message);
    Py_XDECREF(object);
    return taken ? Py_NewRef(Py_None) : PyObject_CallFunctionObjArgs(previous, given, NULL);
}

void callbacks_raise(call_state *call)
{
    PyObject *value = call->raised;
    call->raised = NULL;
    if (value != NULL && PyErr_Occurred() == NULL) {
        PyErr_Restore(Py_NewRef((PyObject *)Py_TYPE(value)), Py_NewRef(value),
                      PyException_GetTraceback(value));
    }
    Py_XDECREF(value);
}

bool callbacks_add(PyObject *module)
{
    static PyMethodDef method = {"callbacks_keep", callbacks_keep, METH_VARARGS, NULL};
    PyObject *function = PyCFunction_NewEx(&method, NULL, NULL);
    bool added = function != NULL && PyModule_AddObjectRef(module, method.ml_name, function) == 0;
    Py_XDECREF(function);
    return added;
}
