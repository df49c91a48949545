#include "module.h"

#include "base/option_values.h"

#include <string.h>

/* Options of calls by keyword. */

/* ---- names ----------------------------------------------------------------------------------- */

/* The text with underscores for dashes. It is interned, and so kept. */
static const char *rename_text(const char *text)
{
    enum { LONGEST = 200 };
    char name[LONGEST];
    size_t length = strlen(text);
    if (length >= sizeof name) {
        PyErr_Format(PyExc_SystemError, "the name %s is too long", text);
        return NULL;
    }
    for (size_t i = 0; i <= length; i++) {
        name[i] = text[i] == '-' ? '_' : text[i];
    }
    PyObject *kept = PyUnicode_InternFromString(name); /* this reference is never given up */
    return kept != NULL ? PyUnicode_AsUTF8AndSize(kept, NULL) : NULL;
}

halo_option *options_join(const halo_option *rows, const halo_option *more, size_t offset)
{
    size_t first = (size_t)halo_options_count(rows);
    size_t count = first + (size_t)halo_options_count(more);
    halo_option *named = PyMem_Calloc(count + 1, sizeof *named);
    if (named == NULL) {
        PyErr_NoMemory();
        return NULL;
    }
    for (size_t i = 0; i < count; i++) {
        named[i] = i < first ? rows[i] : more[i - first];
        named[i].offset += i < first ? 0 : offset;
        named[i].name = rename_text(named[i].name != NULL ? named[i].name : "");
        if (named[i].name == NULL) {
            PyMem_Free(named);
            return NULL;
        }
    }
    return named;
}

/* ---- values ---------------------------------------------------------------------------------- */

/* A value as the text that the row reads; a new reference. */
static PyObject *text_of(const halo_option *row, PyObject *value, const char *function)
{
    if (PyUnicode_Check(value)) {
        return Py_NewRef(value);
    }
    if (row->type == HALO_OPTION_FLAG || PyBool_Check(value)) {
        int truth = PyObject_IsTrue(value);
        return truth < 0 ? NULL : PyUnicode_FromString(truth ? "true" : "false");
    }
    PyObject *number = PyNumber_Index(value); /* exact; also of NumPy's whole numbers */
    if (number == NULL && PyErr_ExceptionMatches(PyExc_TypeError)) {
        PyErr_Clear();
        number = PyNumber_Float(value);
    }
    if (number == NULL) {
        if (PyErr_ExceptionMatches(PyExc_TypeError)) {
            PyErr_Format(PyExc_TypeError, "%s: %s takes a number or a text, not %R", function,
                         row->name, value);
        }
        return NULL;
    }
    PyObject *text = PyObject_Repr(number); /* the shortest that is the same float */
    Py_DECREF(number);
    return text;
}

static void refuse_name(const halo_option *rows, const char *function, PyObject *name)
{
    PyObject *names = PyList_New(0);
    for (; names != NULL && rows != NULL && rows->type != HALO_OPTION_END; rows++) {
        PyObject *one = PyUnicode_FromString(rows->name);
        if (one == NULL || PyList_Append(names, one) != 0) {
            Py_CLEAR(names);
        }
        Py_XDECREF(one);
    }
    PyObject *comma = PyUnicode_FromString(", ");
    PyObject *list = names != NULL && comma != NULL ? PyUnicode_Join(comma, names) : NULL;
    if (list != NULL) {
        PyErr_Format(PyExc_TypeError, "%s() has no option %R; it has %U", function, name, list);
    }
    Py_XDECREF(list);
    Py_XDECREF(comma);
    Py_XDECREF(names);
}

static bool set_option(const halo_option *rows, void *options, const char *function, PyObject *name,
                       PyObject *value, PyObject *keep)
{
    Py_ssize_t length;
    const char *key = PyUnicode_AsUTF8AndSize(name, &length);
    if (key == NULL) {
        return false;
    }
    const halo_option *row = halo_options_find(rows, key, (size_t)length);
    if (row == NULL) {
        refuse_name(rows, function, name);
        return false;
    }
    if (value == Py_None) {
        return true;
    }
    PyObject *text = text_of(row, value, function);
    bool done = text != NULL && PyList_Append(keep, text) == 0;
    const char *bytes = done ? PyUnicode_AsUTF8AndSize(text, &length) : NULL;
    Py_XDECREF(text); /* the list has it */
    if (bytes != NULL && strlen(bytes) != (size_t)length) {
        PyErr_Format(PyExc_ValueError, "%s: %s has a null character", function, key);
        return false;
    }
    halo_status status =
        bytes != NULL ? halo_options_set(rows, options, function, key, bytes) : HALO_OK;
    if (status != HALO_OK) {
        errors_raise(status);
    }
    return bytes != NULL && status == HALO_OK;
}

bool options_set(const halo_option *rows, void *options, const char *function, PyObject *given,
                 PyObject *keep)
{
    PyObject *name, *value;
    Py_ssize_t at = 0;
    if (!PyDict_Check(given)) {
        PyErr_Format(PyExc_TypeError, "%s: options are a dict, not %R", function, given);
        return false;
    }
    while (PyDict_Next(given, &at, &name, &value)) {
        if (!set_option(rows, options, function, name, value, keep)) {
            return false;
        }
    }
    return true;
}

/* ---- descriptions ---------------------------------------------------------------------------- */

static const char *type_name(const halo_option *row)
{
    switch (row->type) {
    case HALO_OPTION_FLAG:
        return "bool";
    case HALO_OPTION_INTEGER:
        return "int";
    case HALO_OPTION_REAL:
    case HALO_OPTION_SHARE:
        return "float";
    case HALO_OPTION_CHOICE:
    case HALO_OPTION_INDEX:
        return "choice";
    case HALO_OPTION_TEXT:
        return "text";
    default:
        return "custom";
    }
}

static PyObject *describe_row(const halo_option *row)
{
    char taken[HALO_OPTION_TAKEN];
    halo_option_taken(row, taken);
    return Py_BuildValue("{sssssssssssssssssz}", "name", row->name, "type", type_name(row), "help",
                         row->help != NULL ? row->help : "", "takes", taken, "choices",
                         row->choices != NULL ? row->choices : "", "value",
                         row->value != NULL ? row->value : "", "unless",
                         row->unless != NULL ? row->unless : "", "required",
                         row->required != NULL ? row->required : "", "default", row->standard);
}

PyObject *options_describe(const halo_option *rows)
{
    PyObject *list = PyList_New(0);
    for (; list != NULL && rows != NULL && rows->type != HALO_OPTION_END; rows++) {
        PyObject *one = describe_row(rows);
        if (one == NULL || PyList_Append(list, one) != 0) {
            Py_CLEAR(list);
        }
        Py_XDECREF(one);
    }
    return list;
}
