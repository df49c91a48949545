#include "module.h"

#include "base/status.h"

/* Exceptions for statuses. */

static PyObject *format_error, *cancelled;

bool errors_add(PyObject *module)
{
    format_error = PyErr_NewExceptionWithDoc(
        "halobeat.FormatError", "A file is not what its format asks for.", PyExc_ValueError, NULL);
    cancelled = PyErr_NewExceptionWithDoc(
        "halobeat.Cancelled", "A call was ended before it was done.", PyExc_RuntimeError, NULL);
    return format_error != NULL && cancelled != NULL &&
           PyModule_AddObjectRef(module, "FormatError", format_error) == 0 &&
           PyModule_AddObjectRef(module, "Cancelled", cancelled) == 0;
}

static void raise_sentence(PyObject *type)
{
    PyObject *text = PyUnicode_DecodeFSDefault(halo_last_message()); /* it may name a file */
    if (text != NULL) {
        PyErr_SetObject(type, text);
        Py_DECREF(text);
    }
}

PyObject *errors_raise_runtime(void)
{
    raise_sentence(PyExc_RuntimeError);
    return NULL;
}

PyObject *errors_raise(halo_status status)
{
    PyObject *const of_status[] = {
        [HALO_ARGUMENT] = PyExc_ValueError,    [HALO_MEMORY] = PyExc_MemoryError,
        [HALO_FILE] = PyExc_OSError,           [HALO_FORMAT] = format_error,
        [HALO_RANKS] = PyExc_ValueError,       [HALO_TRANSPORT] = PyExc_RuntimeError,
        [HALO_ELSEWHERE] = PyExc_RuntimeError, [HALO_CANCELLED] = cancelled};
    if (PyErr_Occurred() == NULL) {
        size_t known = sizeof of_status / sizeof *of_status;
        PyObject *type = (size_t)status < known ? of_status[status] : NULL;
        raise_sentence(type != NULL ? type : PyExc_RuntimeError);
    }
    return NULL;
}
