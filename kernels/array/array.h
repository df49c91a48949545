#ifndef HALOBEAT_ARRAY_ARRAY_H
#define HALOBEAT_ARRAY_ARRAY_H

#include "base/sample.h"
#include "base/status.h"
#include "partition/box.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Arrays in the caller's memory, and calls that compute on them in one step: halo_label_array
 * (kernels/label/label_array.h) and others. A call starts ranks as threads of this process, cuts
 * the array into strips, and joins the threads before it returns. Inputs are read in place, without
 * a copy of the whole. Results are the same bytes for any number of ranks and any layout of the
 * arrays.
 *
 * Calls print nothing, end nothing, and change neither handlers of signals nor other settings of
 * the process. Several threads of a program may make calls at the same time; each thread uses a
 * context of its own, or none. What a call reads must not change until it returns: results are then
 * undefined, and indices in them may be out of range. An output must not overlap an input or
 * another output, unless the call says so. Everything here is local.
 *
 * The arguments of calls stand in one order: the context; the arrays that are read, and what else
 * there is of them, such as places; the arrays that are written; the options; and pointers to other
 * results, of which the report is the last. Objects that are used in several calls are as elsewhere
 * in the library: halo_x_create(&x, context, ...) makes one, and it is the first argument of its
 * functions, before the context. `context` and `options` may be NULL in all calls, which then have
 * the defaults; results that may be NULL are named. Texts of options must stay during the call
 * only.
 *
 * After a failure reports are 0, pointers to objects are NULL, and elements of outputs and other
 * numbers are undefined, unless the call says so; halo_last_message() says what happened. All calls
 * may return HALO_ARGUMENT, with a remedy, for arrays and options that are not possible;
 * HALO_MEMORY, also if the system starts no threads for the number of ranks that the context asks
 * for; and HALO_CANCELLED, if the function of progress asks for it. Comments name what more there
 * is.
 *
 * Structures of options and reports may get members at their end in a minor version: their size
 * goes along (base/option.h). halo_array stays as it is. */

/* An array in memory, with any strides, as NumPy, PEP 3118 and DLPack have them. Axis 0 is the
 * first index, so that an image has rows and columns, and a volume planes, rows and columns. The
 * memory is the caller's. Zero-initialise the structure. */
typedef struct {
    void *data;            /* element (0, 0, 0); NULL only if there are no elements */
    halo_sample_type type; /* HALO_SAMPLE_BIT: a byte for each element, 0 or not, as NumPy's bool */
    bool swapped;          /* the bytes of each element are in the other order than the machine's */
    int axes;              /* 1 to HALO_AXES */
    int64_t n[HALO_AXES];  /* number of elements along each axis, 0 or more; only [axes] are read */
    ptrdiff_t stride[HALO_AXES]; /* bytes from an element to the next along each axis: also
                                  * negative, 0 (of inputs), or not a multiple of the element */
} halo_array;

/* How calls run: the number of ranks, the instruction set, progress. Calls take NULL for a context
 * with the defaults; the functions below do not. One call at a time may use a context. */
typedef struct halo_context halo_context;
struct halo_world;

/* Creates a context with the defaults, which the caller frees with halo_context_destroy.
 * HALO_MEMORY; *out is then NULL. */
halo_status halo_context_create(halo_context **out);

/* Frees the context and sets the pointer to NULL. Accepts a pointer to NULL. */
void halo_context_destroy(halo_context **context);

/* Sets the number of ranks, each of which is a thread; the calling thread is the first. 0, the
 * default: as many as there are cores that this process may use, but fewer for arrays so small that
 * starting a thread takes longer than it saves. HALO_ARGUMENT for a number below 0. */
halo_status halo_context_set_ranks(halo_context *context, int ranks);

/* Sets the instruction set: "avx512", "avx2" or "plain"; NULL, the default: the best of this
 * machine. The text is not copied, and must outlive the context. Calls that have variants
 * return HALO_ARGUMENT for an unknown name, or one that this machine cannot run. */
void halo_context_set_instructions(halo_context *context, const char *instructions);

/* A function that a call calls about every 50 ms, on the calling thread only. `done` of `total` are
 * done: beats of a call that computes a given number of them, otherwise thousandths of the call;
 * `total` is the same in all calls of the function, and 0 if nobody knows it: of a kernel that runs
 * until it converges, whose beats are counted. `done` never falls; a last call says that all is
 * done, unless `total` is 0 or arrays have no elements. Returning true cancels the call, which then
 * returns HALO_CANCELLED within about a tenth of a second and does not call it again; outputs are
 * undefined. (A kernel of the caller is not interrupted within a beat.) */
typedef bool halo_progress(void *user, int64_t done, int64_t total);

/* Sets that function and its first argument; `progress` NULL, the default: none. */
void halo_context_set_progress(halo_context *context, halo_progress *progress, void *user);

/* Makes calls collective over `world`, whose ranks are processes of MPI or threads of the caller:
 * each of them makes the call at the same time, with a context of its own, the same options, and
 * arrays that are its strip, along axis 0, of larger ones; strips follow one another by ranks, and
 * may be empty. Results are those of the whole array; failures are the same on all ranks. The
 * function of progress is that of rank 0, and what it cancels ends when all ranks have come to the
 * end of the phase at hand. The world must outlive the context. `world` NULL, the default: none.
 * Only halo_label_array is collective so far; other calls return HALO_ARGUMENT. */
void halo_context_set_world(halo_context *context, struct halo_world *world);

#endif
