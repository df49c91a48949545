#ifndef HALOBEAT_PYTHON_MODULE_H
#define HALOBEAT_PYTHON_MODULE_H

/* The extension module _halobeat, in the stable ABI of Python 3.11: one file for all later ones. */
#define Py_LIMITED_API   0x030B0000
#define PY_SSIZE_T_CLEAN /* lengths of texts are Py_ssize_t */
#include <Python.h>

#include "base/option.h"
#include "core/world/world.h"
#include "kernels/array/array.h"

#include <stdbool.h>

/* ---- errors (errors.c) ----------------------------------------------------------------------- */

/* Makes the module's exceptions, and adds them to it. False with an exception. */
bool errors_add(PyObject *module);

/* Raises the exception that stands for a failure, with the library's sentence; leaves alone one
 * that a function of progress has raised. Returns NULL. */
PyObject *errors_raise(halo_status status);

/* Raises RuntimeError with the sentence of the last failure, whatever its status. Returns NULL. */
PyObject *errors_raise_runtime(void);

/* ---- arrays (array.c) ------------------------------------------------------------------------ */

/* Describes the elements of an object with the buffer protocol, which stay where they are, until
 * PyBuffer_Release(view). False with an exception, in which `name` is what the object is: "input".
 */
bool array_take(PyObject *object, const char *name, bool written, Py_buffer *view,
                halo_array *array);

/* ---- options (options.c) --------------------------------------------------------------------- */

/* A copy of a table, and of `more` rows whose structure is at `offset` of the first one's, or NULL,
 * whose names are Python's: min_area for min-area. NULL with an exception. It is kept as long as
 * the process. */
halo_option *options_join(const halo_option *rows, const halo_option *more, size_t offset);

/* Sets the options of a dictionary by name; None stands for the default. `function` is whose
 * options they are. Texts that become values are kept alive by `keep`, a list. False with an
 * exception: TypeError for an unknown name, ValueError for a value that the row refuses. */
bool options_set(const halo_option *rows, void *options, const char *function, PyObject *given,
                 PyObject *keep);

/* A list with a dictionary for each row: name, type, help, default and limits. */
PyObject *options_describe(const halo_option *rows);

/* ---- calls (call.c) -------------------------------------------------------------------------- */

enum { CALL_ARGUMENTS = 12, CALL_NUMBERS = 8 };

/* The kinds of arguments. */
typedef enum {
    CALL_INPUT,          /* an array that is read */
    CALL_OUTPUT,         /* one that is written */
    CALL_OPTIONAL_INPUT, /* an array, or None */
    CALL_OPTIONAL_OUTPUT,
    CALL_PAIRS,   /* an array of pairs of int64, without gaps: places in an image */
    CALL_WHOLE,   /* a whole number of 64 bits */
    CALL_OBJECT,  /* what another call has made, a capsule whose name is that of the argument */
    CALL_TEXT,    /* a text */
    CALL_PATH,    /* the name of a file: str, bytes or a path */
    CALL_FUNCTION /* a function of Python, for `run`, which takes the interpreter to call it */
} call_kind;

typedef struct {
    const char *name;
    call_kind kind;
} call_argument;

typedef struct call_table call_table;

/* A call while it runs. What arguments are is at their index. */
typedef struct {
    const call_table *table;
    halo_context *context;
    halo_world *world; /* of a communicator, or NULL */
    void *options;     /* of the table's structure */
    halo_array arrays[CALL_ARGUMENTS];
    const halo_array *array[CALL_ARGUMENTS]; /* NULL: not given */
    int64_t whole[CALL_ARGUMENTS];           /* the number, or that of the pairs */
    void *object[CALL_ARGUMENTS];            /* the object, the first pair, a text, the function */
    /* Results, for `result`. */
    int64_t numbers[CALL_NUMBERS];
    double reals[CALL_NUMBERS];
    void *made;
    Py_buffer views[CALL_ARGUMENTS];
    int taken;                      /* views */
    PyObject *kept[CALL_ARGUMENTS]; /* the bytes of texts */
    PyObject *progress;             /* a function, or NULL */
    PyThreadState *self;            /* while the interpreter is left to other threads */
    double looked;    /* seconds of the clock: when signals were looked at; 0: not yet */
    bool stopped;     /* its function has raised an exception */
    PyObject *raised; /* the exception of a stencil's function (callbacks.c), or NULL */
} call_state;

/* A function of the library on arrays, as Python calls it:
 *
 *     NAME(ranks, progress, options, argument...)
 *
 * with the number of ranks, 0 for as many as are worth it, or the address and the size of the
 * handle of a communicator of MPI, over which the call is collective; a function of what is done
 * and of how much there is, or None; a dictionary of options or None; and the arguments. */
struct call_table {
    const char *name;
    const halo_option *const *own_rows; /* of the call's options; NULL: it has none */
    const halo_option *rows;            /* all rows with Python's names, set by calls_add */
    size_t options_bytes;
    const halo_option *const *more_rows; /* NULL, or further rows, of a part of the structure */
    size_t more_offset;                  /* of that part */
    call_argument arguments[CALL_ARGUMENTS + 1]; /* up to the first without a name */
    /* Calls the library. Other threads of Python run meanwhile: it must not touch objects. */
    halo_status (*run)(call_state *call);
    PyObject *(*result)(call_state *call); /* NULL: None */
};

/* Adds a function for each table, up to the first without a name, and options_describe of each to
 * the dictionary `described`. False with an exception. */
bool calls_add(PyObject *module, const call_table *tables, PyObject *described);

/* The same for runs that have no context, at most every 50 ms: `next` is when, 0 at first. Returns
 * HALO_CANCELLED if the call is to end. */
halo_status call_watch_now_and_then(call_state *call, double *next, int64_t done, int64_t total);

/* A function of progress for a context whose user is `call`: ends calls after Ctrl-C, and calls
 * the user's function. */
bool call_watch(void *call, int64_t done, int64_t total);

/* ---- functions of Python behind addresses (callbacks.c) ----------------------------------------
 */

/* A call of a function that may be one of Python, on this thread. */
typedef struct callback_frame {
    call_state *call;
    struct callback_frame *outer;
    bool raised;
} callback_frame;

/* Local, without the interpreter: before and after the function is called. Exceptions between these
 * are the call's; callbacks_leave returns whether there was one. */
void callbacks_enter(callback_frame *frame, call_state *call);
bool callbacks_leave(const callback_frame *frame);

/* Raises the exception that was kept for a call that has ended, unless there is one already. */
void callbacks_raise(call_state *call);

/* Keeps the exception that is raised for the call, and clears it: functions of Python that the
 * stencil calls until all ranks have ended must not find one. */
void callbacks_keep_raised(call_state *call);

/* Adds callbacks_keep, the hook for exceptions, to the module. False with an exception. */
bool callbacks_add(PyObject *module);

/* ---- filters (filters.c) --------------------------------------------------------------------- */

/* Adds the dictionary `filters` to the module: of each filter its help, the function that has the
 * same definition, and options_describe. False with an exception. */
bool filters_add(PyObject *module);

/* ---- what is bound (bindings.c, filters.c, life.c, ...) -------------------------------------- */

extern const call_table binding_tables[], filter_tables[], life_tables[], stencil_tables[],
    walk_tables[], image_tables[];

/* The members of a table for the options of halo_NAME. */
#define CALL_OPTIONS(kernel) \
    .own_rows = &halo_##kernel##_rows, .options_bytes = sizeof(halo_##kernel##_options)

#endif
