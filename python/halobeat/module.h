#ifndef HALOBEAT_PYTHON_MODULE_H
#define HALOBEAT_PYTHON_MODULE_H

/* The extension module _halobeat, in the stable ABI of Python 3.11: one file for all later ones. */
#define Py_LIMITED_API   0x030B0000
#define PY_SSIZE_T_CLEAN /* lengths of texts are Py_ssize_t */
#include <Python.h>

#include "base/option.h"
#include "kernels/array/array.h"

#include <stdbool.h>

/* ---- errors (errors.c) ----------------------------------------------------------------------- */

/* Makes the module's exceptions, and adds them to it. False with an exception. */
bool errors_add(PyObject *module);

/* Raises the exception that stands for a failure, with the library's sentence; leaves alone one
 * that a function of progress has raised. Returns NULL. */
PyObject *errors_raise(halo_status status);

/* ---- arrays (array.c) ------------------------------------------------------------------------ */

/* Describes the elements of an object with the buffer protocol, which stay where they are, until
 * PyBuffer_Release(view). False with an exception, in which `name` is what the object is: "input".
 */
bool array_take(PyObject *object, const char *name, bool written, Py_buffer *view,
                halo_array *array);

/* ---- options (options.c) --------------------------------------------------------------------- */

/* A copy of a table whose names are Python's: min_area for min-area. NULL with an exception. The
 * caller frees it with PyMem_Free; names are kept as long as the process. */
halo_option *options_rename(const halo_option *rows);

/* Sets the options of a dictionary by name; None stands for the default. `function` is whose
 * options they are. Texts that become values are kept alive by `keep`, a list. False with an
 * exception: TypeError for an unknown name, ValueError for a value that the row refuses. */
bool options_set(const halo_option *rows, void *options, const char *function, PyObject *given,
                 PyObject *keep);

/* A list with a dictionary for each row: name, type, help, default and limits. */
PyObject *options_describe(const halo_option *rows);

/* ---- calls (call.c) -------------------------------------------------------------------------- */

enum { CALL_ARRAYS = 8, CALL_NUMBERS = 4 };

/* An array that a call takes, in order. */
typedef struct {
    const char *name;
    bool written;
    bool optional; /* None: there is none */
} call_array;

typedef struct call_table call_table;

/* A call while it runs. */
typedef struct {
    const call_table *table;
    halo_context *context;
    void *options;                        /* of the table's structure */
    halo_array arrays[CALL_ARRAYS];       /* as the table has them */
    const halo_array *array[CALL_ARRAYS]; /* NULL: not given */
    int64_t numbers[CALL_NUMBERS];        /* results, for `result` */
    Py_buffer views[CALL_ARRAYS];
    int taken;           /* views */
    PyObject *progress;  /* a function, or NULL */
    PyThreadState *self; /* while the interpreter is left to other threads */
    bool watched;        /* progress has been reported before */
} call_state;

/* A function of the library on arrays, as Python calls it:
 *
 *     NAME(ranks, progress, options, array...)
 *
 * with the number of ranks, 0 for as many as are worth it; a function of what is done and of how
 * much there is, or None; a dictionary of options or None; and the arrays. */
struct call_table {
    const char *name;
    const halo_option *rows; /* NULL: no options */
    size_t options_bytes;
    call_array arrays[CALL_ARRAYS + 1]; /* up to the first without a name */
    /* Calls the library. Other threads of Python run meanwhile: it must not touch objects. */
    halo_status (*run)(call_state *call);
    PyObject *(*result)(const call_state *call); /* NULL: None */
};

/* Adds a function for each table, up to the first without a name, and `options`, a dictionary with
 * options_describe of each. False with an exception. */
bool calls_add(PyObject *module, const call_table *tables);

/* A function of progress for a context whose user is `call`: ends calls after Ctrl-C, and calls
 * the user's function. */
bool call_watch(void *call, int64_t done, int64_t total);

/* ---- what is bound (bindings.c) -------------------------------------------------------------- */

extern const call_table binding_tables[];

#endif
