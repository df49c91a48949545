/* The loops over a sheet of cells of type CELL, double or float: included for each by
 * row_ops_body.h. No include guard on purpose. */

#define JOIN_NAMES(name, type) name##_##type
#define JOIN(name, type)       JOIN_NAMES(name, type)
#define OF(name)               JOIN(name, CELL)
#define VECTOR                 OF(vector)

/* Vector extensions of GCC and Clang: operators work on all lanes, for any length. */
typedef CELL VECTOR __attribute__((vector_size(HALO_ISA_BYTES), aligned(sizeof(CELL)), may_alias));

enum { OF(LANES) = HALO_ISA_BYTES / sizeof(CELL) };

/* The new value of a cell or of a vector of cells: one formula, so that both round alike. */
#define DEFINE_UPDATE(name, type)                                                                 \
    INLINE type name(const heat_sheet *sheet, const loop_kind *kind, const CELL *at, type above,  \
                     type here, type below)                                                       \
    {                                                                                             \
        type sum = (above + below) + (*(const type *)(at - 1) + *(const type *)(at + 1));         \
        if (kind->seven) {                                                                        \
            sum += *(const type *)(at - sheet->in_plane) + *(const type *)(at + sheet->in_plane); \
            sum = (CELL)0.25 * here + (CELL)0.125 * sum;                                          \
        } else {                                                                                  \
            sum = (CELL)0.25 * sum;                                                               \
        }                                                                                         \
        if (kind->adds) {                                                                         \
            sum += (CELL)sheet->source;                                                           \
        }                                                                                         \
        return sum;                                                                               \
    }
DEFINE_UPDATE(OF(updated_vector), VECTOR)
DEFINE_UPDATE(OF(updated_cell), CELL)
#undef DEFINE_UPDATE

/* A vector in each of the rows. */
INLINE void OF(update_column)(const heat_sheet *sheet, loop_kind kind, const CELL *in, CELL *out)
{
    VECTOR cells[TOGETHER + 2];
    for (int r = 0; r < kind.rows + 2; r++) {
        cells[r] = *(const VECTOR *)(in + (r - 1) * sheet->in_pitch);
    }
    for (int r = 0; r < kind.rows; r++) {
        VECTOR value = OF(updated_vector)(sheet, &kind, in + r * sheet->in_pitch, cells[r],
                                          cells[r + 1], cells[r + 2]);
        if (kind.stream) {
            OF(STREAM)(out + r * sheet->out_pitch, value);
        } else {
            *(VECTOR *)(out + r * sheet->out_pitch) = value;
        }
    }
}

/* Rows that are shorter than a vector. */
INLINE void OF(update_narrow)(const heat_sheet *sheet, loop_kind kind, const CELL *in, CELL *out)
{
    for (int r = 0; r < kind.rows; r++) {
        const CELL *here = in + r * sheet->in_pitch;
        for (int64_t x = 0; x < sheet->columns; x++) {
            const CELL *at = here + x;
            out[r * sheet->out_pitch + x] =
                OF(updated_cell)(sheet, &kind, at, at[-sheet->in_pitch], *at, at[sheet->in_pitch]);
        }
    }
}

/* A few rows from `y` on. Cells at the ends that do not fill an aligned vector are computed by one
 * that overlaps its neighbour: the same cells get the same values twice. */
INLINE void OF(update_rows)(const heat_sheet *sheet, loop_kind kind, int64_t y)
{
    const CELL *in = (const CELL *)sheet->in + y * sheet->in_pitch;
    CELL *out = (CELL *)sheet->out + y * sheet->out_pitch;
    loop_kind ragged = kind;
    ragged.stream = false;
    if (sheet->columns < OF(LANES)) {
        OF(update_narrow)(sheet, ragged, in, out);
        return;
    }
    int64_t x = (int64_t)((HALO_ISA_BYTES - (uintptr_t)out % HALO_ISA_BYTES) % HALO_ISA_BYTES /
                          sizeof(CELL));
    if (x > 0) {
        OF(update_column)(sheet, ragged, in, out);
    }
    for (; x + OF(LANES) <= sheet->columns; x += OF(LANES)) {
        OF(update_column)(sheet, kind, in + x, out + x);
    }
    if (x < sheet->columns) {
        int64_t last = sheet->columns - OF(LANES);
        OF(update_column)(sheet, ragged, in + last, out + last);
    }
}

INLINE void OF(update_sheet)(const heat_sheet *sheet, loop_kind kind)
{
    int64_t y = 0;
    for (kind.rows = TOGETHER; y + TOGETHER <= sheet->rows; y += TOGETHER) {
        OF(update_rows)(sheet, kind, y);
    }
    for (kind.rows = 1; y < sheet->rows; y++) {
        OF(update_rows)(sheet, kind, y);
    }
    if (kind.stream) {
        END_STREAM();
    }
}

/* Streaming stores need vectors that are aligned in all rows, which those of narrow fields are
 * not. */
INLINE bool OF(can_stream)(const heat_sheet *sheet)
{
    return sheet->stream && sheet->out_pitch % OF(LANES) == 0;
}

INLINE void OF(choose_loop)(const heat_sheet *sheet, bool seven)
{
    if (sheet->source != 0) { /* rare, so not worth streaming stores */
        OF(update_sheet)(sheet, (loop_kind){.seven = seven, .adds = true});
    } else if (OF(can_stream)(sheet)) {
        OF(update_sheet)(sheet, (loop_kind){.seven = seven, .stream = true});
    } else {
        OF(update_sheet)(sheet, (loop_kind){.seven = seven});
    }
}

static void OF(five)(const heat_sheet *sheet)
{
    OF(choose_loop)(sheet, false);
}

static void OF(seven)(const heat_sheet *sheet)
{
    OF(choose_loop)(sheet, true);
}

/* The number of cells that a beat changed by more than `least`, or from or to NaN. */
static int64_t OF(moved)(const heat_sheet *sheet, double least)
{
    int64_t count = 0;
    for (int64_t y = 0; y < sheet->rows; y++) {
        const CELL *in = (const CELL *)sheet->in + y * sheet->in_pitch;
        const CELL *out = (const CELL *)sheet->out + y * sheet->out_pitch;
        for (int64_t x = 0; x < sheet->columns; x++) {
            double by = (double)out[x] - (double)in[x];
            count += !((by < 0 ? -by : by) <= least);
        }
    }
    return count;
}

#undef VECTOR
#undef OF
#undef JOIN
#undef JOIN_NAMES
