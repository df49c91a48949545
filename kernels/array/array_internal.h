#ifndef HALOBEAT_ARRAY_ARRAY_INTERNAL_H
#define HALOBEAT_ARRAY_ARRAY_INTERNAL_H

#include "base/option.h"
#include "base/sample_greys.h"
#include "core/field/field.h"
#include "core/world/watch.h"
#include "kernels/array/array.h"
#include "partition/cuts.h"

#include <stdatomic.h>

/* What calls on arrays share: the ranks of a call, and rows of arrays. Internal to the kernels. */

/* ---- calls ----------------------------------------------------------------------------------- */

struct halo_context {
    int ranks;
    const char *instructions;
    halo_progress *progress;
    void *user;
    double interval;   /* seconds between two reports of progress: 0 in tests, which want all */
    halo_world *world; /* or NULL: threads of the call */
};

/* A call while it runs, which all its ranks see. */
typedef struct array_call {
    const halo_context *context; /* or NULL */
    const char *instructions;    /* of the context */
    atomic_bool cancelled;
    /* Of rank 0: */
    double next;         /* the time of the next report of progress, */
    int64_t done, total; /* and what the last one said; a total of 0: nobody knows it */
    double begin, end;   /* the share of the call that the phase at hand is, from 0 to 1 */
} array_call;

/* What each rank does. `world` has one rank or several threads. */
typedef halo_status array_body(halo_world *world, array_call *call, void *job);

/* Local. Runs `body` on the context's number of ranks; where that is 0, on as many cores as
 * `seconds` of computing on one core are worth. At most `most` ranks, which is at least 1. Returns
 * the body's failure, and HALO_CANCELLED if the caller has cancelled the call. */
halo_status array_call_run(halo_context *context, double seconds, int64_t most, array_body *body,
                           void *job);

/* Local. The number of ranks that a context asks for; 0: any. */
int array_ranks(const halo_context *context);

/* Local. The instruction set that a context asks for, or NULL. */
const char *array_instructions(const halo_context *context);

/* Progress counts thousandths of a call, unless array_call_count sets another total: a number of
 * beats, or 0 if nobody knows how much there is to do. It never falls: a call has phases,
 * each of which begins at what the one before has reached. */
enum { ARRAY_PARTS = 1000 };

/* Local. Sets the total, before anything is reported. */
void array_call_count(array_call *call, const halo_world *world, int64_t total);

/* Local. Begins a phase, at whose end this share (0 to 1) of the call will be done. */
void array_call_phase(array_call *call, const halo_world *world, double until);

/* Local. Reports progress, at most once in the context's interval, if this is the thread of rank 0:
 * `done` of `total` of the phase at hand, at least what was reported before; a `total` of 0: no
 * more than that. Returns true if the call is cancelled: work that is local then returns
 * array_call_stop(), and a hook of beats returns true, which ends the run by its vote. Code that
 * knows no call reports by halo_watch_work, which is the same. */
bool array_call_watch(array_call *call, const halo_world *world, int64_t done, int64_t total);

/* Beats of a call that are watched. */
typedef struct {
    array_call *call;
    const halo_world *world;
    int64_t first, total; /* beats done before the call; beats to come, 0: unknown */
} array_beats;

/* Local. The hook `watch` of halo_beat_options, whose context is an array_beats. */
bool array_beats_watch(void *beats, int64_t done, int64_t changed);

/* Local. The failure of a call that was cancelled: HALO_CANCELLED. */
halo_status array_call_stop(void);

/* ---- worlds of the caller -------------------------------------------------------------------- */

/* Local. The world over which calls with this context are collective; NULL: none, they start
 * threads. */
halo_world *array_world(const halo_context *context);

/* Local. HALO_ARGUMENT if there is one: for calls that cannot be collective. */
halo_status array_world_refuse(const halo_context *context);

/* Collective over the context's world, if there is one: halo_agree. Local otherwise: `mine`. */
halo_status array_world_agree(const halo_context *context, halo_status mine);

/* Collective over the context's world, which there is: array_call_run on its ranks. */
halo_status array_call_collect(halo_context *context, array_body *body, void *job);

/* Collective over `world`, that of a body. Sets strips of a domain: even ones; or, over a world of
 * the caller, those that ranks have, whose number of layers `domain` has. `domain` becomes that of
 * the whole array, and *before the number of layers before this rank's. A whole array without
 * elements has no strips. HALO_ARGUMENT if strips do not fit each other; HALO_MEMORY,
 * HALO_TRANSPORT. */
halo_status array_world_strips(const halo_context *context, halo_world *world, halo_domain *domain,
                               halo_partition *strips, int64_t *before);

/* Local. Makes a rank's strip appear as the whole array, of which only the strip may be touched. */
void array_make_whole(halo_array *array, const halo_domain *domain, int64_t before);

/* ---- arrays ---------------------------------------------------------------------------------- */

/* HALO_ARGUMENT unless the array is possible and has between `min` and `max` axes. `name` is what
 * messages call it: "the image". */
halo_status array_check(const halo_array *array, const char *name, int min, int max);

/* The same for an output, whose elements must not overlap. */
halo_status array_check_out(const halo_array *array, const char *name, int min, int max);

/* HALO_ARGUMENT unless both have the same shape. */
halo_status array_check_same(const halo_array *a, const char *a_name, const halo_array *b,
                             const char *b_name);

/* The distances of elements along the axes of an array: sets size[axis] to them, in 3 axes of which
 * the array's are the last, and *spaced to true, if any is given; otherwise to 1 and false.
 * HALO_ARGUMENT unless all or none of the array's axes have one, above 0. */
halo_status array_take_spacing(const double spacing[HALO_AXES], int axes, double size[HALO_AXES],
                               bool *spaced);

/* The row of an axis of a member `spacing` of the options `structure`: `standard` is what stands
 * for 0, and `use` ends the sentence of help. */
#define ARRAY_SPACING_ROW(structure, axis, standard, use)                            \
    {                                                                                \
        HALO_OPTION_ROW(structure, "spacing-" #axis, REAL, spacing[axis]),           \
            .unless = standard, .help = "Distance of elements along axis " #axis use \
    }

/* The rows of a member `periodic` of the options `structure`. */
#define ARRAY_PERIODIC_ROW(structure, axis)                                  \
    {                                                                        \
        HALO_OPTION_ROW(structure, "periodic-" #axis, FLAG, periodic[axis]), \
            .help = "Opposite ends of axis " #axis " are neighbours"         \
    }
#define ARRAY_PERIODIC_ROWS(structure)                                  \
    ARRAY_PERIODIC_ROW(structure, 0), ARRAY_PERIODIC_ROW(structure, 1), \
        ARRAY_PERIODIC_ROW(structure, 2)

/* Checks that all periodic axes are axes of the array. HALO_ARGUMENT otherwise. */
halo_status array_check_periodic(const halo_array *array, const bool periodic[HALO_AXES]);

/* The number of elements. */
int64_t array_cells(const halo_array *array);

/* The same elements with more axes, in front, of one element each. */
halo_array array_with_axes(const halo_array *array, int axes);

/* The domain that an array of 2 or 3 axes covers. */
halo_domain array_domain(const halo_array *array);

/* Bytes of an element. */
static inline ptrdiff_t array_element(const halo_array *array)
{
    return (ptrdiff_t)halo_sample_types[array->type].stored;
}

/* The address of an element of an array of 3 axes. */
static inline char *array_at(const halo_array *array, int64_t z, int64_t y, int64_t x)
{
    return (char *)array->data + z * array->stride[0] + y * array->stride[1] + x * array->stride[2];
}

/* True if rows along the last axis are contiguous as kernels read them: without gaps, in the
 * machine's byte order, each element at a multiple of its size. Such a row needs no copy. */
bool array_rows_are_contiguous(const halo_array *array);

/* The axis, other than the last, that is contiguous in this way, bool included; -1 if there is
 * none. In Fortran's order it is axis 0. */
int array_column_axis(const halo_array *array);

/* Copies `count` elements from column `x` of row (z, y) to `out`, in the machine's byte order. The
 * array has 3 axes. */
void array_get(const halo_array *array, int64_t z, int64_t y, int64_t x, int64_t count, void *out);

/* The reverse: writes elements of the array's type. */
void array_put(const halo_array *array, int64_t z, int64_t y, int64_t x, int64_t count,
               const void *in);

/* Copies the elements of the rows of `box`, a box of the array as a domain, to a view of the same
 * cells and type, without its halo, and back. Contiguous columns, as in Fortran's order,
 * are copied in squares. */
void array_get_box(const halo_array *array, const halo_box *box, const halo_view *to);
void array_put_box(const halo_array *array, const halo_box *box, const halo_view *from);

/* The same for the view's own box. */
void array_get_view(const halo_array *array, const halo_view *to);
void array_put_view(const halo_array *array, const halo_view *from);

/* Copies between an array and a view of the cells of its own box. */
typedef void array_pass(const halo_array *array, const halo_view *view);

/* Local. Calls `pass` for parts of the view, which together are all of it. Watches the call.
 * HALO_CANCELLED. */
halo_status array_pass_parts(array_call *call, const halo_world *world, const halo_array *array,
                             const halo_view *view, array_pass *pass);

/* Called with a row: the elements with one index of axis 0, without gaps, in C's order and the
 * machine's byte order. A failure ends the reading. */
typedef halo_status array_take_row(void *context, int64_t row, const void *elements);

/* Local. Calls `take` for rows `first` to `first + count - 1` of an array of 2 or 3 axes, in order:
 * with the elements in place, if they are contiguous. Watches the call. HALO_CANCELLED,
 * HALO_MEMORY. */
halo_status array_read_rows(array_call *call, const halo_world *world, const halo_array *array,
                            int64_t first, int64_t count, array_take_row *take, void *context);

/* Rows along the last axis of an array of 3 axes, for who reads them more than once or in turn with
 * others. Those that are not contiguous are copied, some rows of a plane at a time, or several
 * planes (indices of axis 0). */
typedef struct {
    halo_array array;
    bool contiguous, deep; /* deep: there is more than one plane */
    void *memory;          /* of a tile: */
    int64_t planes, rows;  /* at most */
    halo_box tile;         /* that was read */
    int64_t end; /* planes, or rows of the only one, from here on are not read: other ranks may
                  * write them */
} array_reader;

/* Local. HALO_MEMORY. Call array_reader_free in any case. */
halo_status array_reader_create(array_reader *reader, const halo_array *array);

/* Local. The elements of row `y` of layer `z`, in the machine's byte order; those of bool are bytes
 * as they are. Valid until the next call. Takes least time if rows are read in order. */
const void *array_reader_row(array_reader *reader, int64_t z, int64_t y);

/* Local. Accepts a zeroed reader. */
void array_reader_free(array_reader *reader);

/* Called with a row along the last axis. A failure ends the reading. */
typedef halo_status array_take_line(void *context, int64_t row, const void *elements);

/* Local. Calls `take` for the rows of `own`, this rank's strip of an array that has 3 axes, of
 * which the last `axes` are those of the strip: rows are counted through all planes of the strip,
 * from 0 on, and are as array_reader_row gives them. Watches the call. HALO_CANCELLED, HALO_MEMORY.
 */
halo_status array_read_strip(array_call *call, const halo_world *world, const halo_array *array,
                             int axes, const halo_box *own, array_take_line *take, void *context);

/* Makes row `y` of layer `z` of a result of that of an array; both may be the same memory. */
typedef halo_status array_map_row(void *context, int64_t z, int64_t y, const void *from, void *to);

/* Local. Calls `map` for the rows of layers `first` to `first + count - 1` of arrays of 3 axes and
 * of one type and shape, which may be the same; if they have one layer only, for its rows with
 * these numbers. Elements have the machine's byte order. Watches the call. HALO_CANCELLED,
 * HALO_MEMORY. */
halo_status array_map_rows(array_call *call, const halo_world *world, const halo_array *in,
                           const halo_array *out, int64_t first, int64_t count, array_map_row *map,
                           void *context);

/* Fills in rows `first` to `first + rows - 1` of a result, numbered through all planes, one every
 * `pitch` bytes from `out` on. */
typedef halo_status array_fill_rows(void *context, int64_t first, int64_t rows, void *out,
                                    size_t pitch);

/* Where the elements of a result come from. */
typedef struct {
    halo_sample_type type; /* of what `fill` makes: U16, I32, I64 or F64 */
    array_fill_rows *fill;
    void *context;
    int64_t together; /* rows, from a multiple of it on, that take as long as one of them; 1 if no
                       * rows do, and a few more than 1 for fewer calls: a power of 2 */
} array_source;

/* Local. Writes a box of whole rows of an array of 2 or 3 axes. Whole numbers are converted to the
 * array's type, which must have them (array_largest); F64 must be the array's type. Watches the
 * call. HALO_CANCELLED, HALO_MEMORY. */
halo_status array_write_box(array_call *call, const halo_world *world, const halo_array *array,
                            const halo_box *box, const array_source *source);

/* Local. Writes labels from 0 to `largest`, of 32 bits, as array_write_box does, in which `fill`
 * has the rows of the box numbered from 0 on. Those of bool become 0 and 1. HALO_ARGUMENT for an
 * array whose type has not all of them. */
halo_status array_write_labels(array_call *call, const halo_world *world, const halo_array *labels,
                               const halo_box *box, int64_t largest, array_fill_rows *fill,
                               void *context);

/* The largest whole number up to which a type has all of them. */
int64_t array_largest(halo_sample_type type);

/* Sets the owned cells of `bits`, 1 bit each, to 1 where the elements of the array are not 0: NaN
 * is not 0, -0.0 is. The view has the array's domain. HALO_CANCELLED, HALO_MEMORY. */
halo_status array_nonzero(array_call *call, const halo_world *world, const halo_array *array,
                          const halo_view *bits);

/* The same for elements above 0. */
halo_status array_positive(array_call *call, const halo_world *world, const halo_array *array,
                           const halo_view *bits);

/* HALO_ARGUMENT unless the array is an output of bool, uint8 or int8. */
halo_status array_check_bits_out(const halo_array *array, const char *name, int min, int max);

/* The reverse of array_nonzero: sets the elements of the view's box to 0 or 1. The array has passed
 * array_check_bits_out. */
void array_put_bits(const halo_array *array, const halo_view *bits);

/* ---- greys -----------------------------------------------------------------------------------
 */

/* How elements become greys. */
typedef struct {
    int bits;      /* of a grey: 8, or 16 */
    bool converts; /* over a range; otherwise they are greys as they are */
    halo_sample_greys greys;
    double low, high;              /* of the range: the values of greys 0 and `greys.top` */
    halo_sample_extremes extremes; /* of elements that are not uint8, uint16 or bool */
} array_greys;

/* Collective. Chooses how an array of 2 axes, or of 3 if its last one has colours, becomes greys
 * over `range`; where that is not given, uint8, uint16 and bool, and other whole numbers of 0 to
 * 65535, are greys as they are, and others range from the least finite element to the largest. Each
 * rank looks at its `own` part. `name` is what messages call the array. HALO_ARGUMENT for NaN
 * and infinity, and for a range that is none of the type; HALO_MEMORY, HALO_TRANSPORT. */
halo_status array_greys_choose(array_greys *greys, array_call *call, halo_world *world,
                               const halo_array *array, const char *name, const halo_box *own,
                               const halo_sample_range *range);

/* Local. Converts the view's box of an array of 2 axes. HALO_CANCELLED, HALO_MEMORY. */
halo_status array_greys_get(const array_greys *greys, array_call *call, const halo_world *world,
                            const halo_array *array, const halo_view *to);

/* Local, pure. The value of a grey, or of a mean of greys, among those of the array. */
double array_greys_value(const array_greys *greys, double grey);

#endif
