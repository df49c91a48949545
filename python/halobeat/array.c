#include "module.h"

#include <string.h>

/* Objects with the buffer protocol as arrays of the library. */

/* What there is no type for, by the letter of PEP 3118, and what to do about it. */
static const struct {
    char letter;
    const char *elements, *remedy;
} refused[] = {{'Z', "complex numbers", "pass its real or imaginary part, or its absolute value"},
               {'O', "Python objects", "convert it, for example by .astype(float)"},
               {'e', "float16 numbers", "convert it by .astype(\"float32\"), which loses nothing"},
               {'g', "long double numbers", "convert it by .astype(\"float64\")"},
               {'T', "structures", "pass one of its fields"},
               {'s', "bytes", "convert it to an array of numbers"},
               {'w', "texts", "convert it to an array of numbers"}};

static bool refuse_elements(const char *name, const char *format, bool written)
{
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        if (strchr(format, refused[i].letter) != NULL) {
            PyErr_Format(PyExc_TypeError, "%s has %s for elements; %s", name, refused[i].elements,
                         written ? "use one of int32 or float64" : refused[i].remedy);
            return false;
        }
    }
    PyErr_Format(PyExc_TypeError,
                 "%s has elements of the format '%s'; pass an array of whole numbers of up to 64 "
                 "bits, float32, float64 or bool",
                 name, format);
    return false;
}

/* The type of whole numbers or reals of so many bytes; HALO_SAMPLE_TYPES if there is none. */
static halo_sample_type find_type(char letter, Py_ssize_t bytes)
{
    enum { LOGS = 4 };
    static const halo_sample_type with_sign[LOGS] = {HALO_SAMPLE_I8, HALO_SAMPLE_I16,
                                                     HALO_SAMPLE_I32, HALO_SAMPLE_I64},
                                  without[LOGS] = {HALO_SAMPLE_U8, HALO_SAMPLE_U16, HALO_SAMPLE_U32,
                                                   HALO_SAMPLE_U64};
    int log = 0;
    while (log < LOGS && bytes != (Py_ssize_t)1 << log) {
        log++;
    }
    if (log == LOGS) {
        return HALO_SAMPLE_TYPES;
    }
    if (letter == '?') {
        return log == 0 ? HALO_SAMPLE_BIT : HALO_SAMPLE_TYPES;
    }
    if (letter == 'f' || letter == 'd') {
        return letter == 'f' ? HALO_SAMPLE_F32 : HALO_SAMPLE_F64;
    }
    return strchr("bhilqn", letter) != NULL   ? with_sign[log]
           : strchr("BHILQN", letter) != NULL ? without[log]
                                              : HALO_SAMPLE_TYPES;
}

static bool take_type(const Py_buffer *view, const char *name, bool written, halo_array *array)
{
    const char *format = view->format != NULL ? view->format : "B";
    char order = '@';
    if (*format != '\0' && strchr("@=<>!^", *format) != NULL) {
        order = *format++;
    }
    bool single = format[0] != '\0' && format[1] == '\0';
    array->type = single ? find_type(format[0], view->itemsize) : HALO_SAMPLE_TYPES;
    if (array->type == HALO_SAMPLE_TYPES) {
        return refuse_elements(name, format, written);
    }
#if PY_BIG_ENDIAN
    array->swapped = order == '<';
#else
    array->swapped = order == '>' || order == '!';
#endif
    array->swapped = array->swapped && view->itemsize > 1;
    return true;
}

static bool get_view(PyObject *object, const char *name, bool written, Py_buffer *view)
{
    if (PyObject_GetBuffer(object, view, PyBUF_RECORDS_RO) != 0) {
        if (!PyErr_ExceptionMatches(PyExc_MemoryError)) {
            PyErr_Clear();
            PyErr_Format(PyExc_TypeError,
                         "%s, of %R, has no elements that can be read as numbers; pass a NumPy "
                         "array of numbers",
                         name, (PyObject *)Py_TYPE(object));
        }
        return false;
    }
    if (written && view->readonly) {
        PyBuffer_Release(view);
        PyErr_Format(PyExc_ValueError, "%s is read-only; make a copy of it to write to", name);
        return false;
    }
    return true;
}

bool array_take(PyObject *object, const char *name, bool written, Py_buffer *view,
                halo_array *array)
{
    if (!get_view(object, name, written, view)) {
        return false;
    }
    memset(array, 0, sizeof *array);
    bool taken = take_type(view, name, written, array);
    if (taken && (view->ndim < 1 || view->ndim > HALO_AXES)) {
        PyErr_Format(PyExc_ValueError, "%s has %d axes, and must have 1 to %d", name, view->ndim,
                     (int)HALO_AXES);
        taken = false;
    }
    if (!taken) {
        PyBuffer_Release(view);
        return false;
    }
    array->data = view->buf;
    array->axes = view->ndim;
    for (int axis = 0; axis < view->ndim; axis++) {
        array->n[axis] = view->shape[axis];
        array->stride[axis] = view->strides[axis];
    }
    return true;
}
