#ifndef HALOBEAT_IO_IMAGE_AXES_H
#define HALOBEAT_IO_IMAGE_AXES_H

#include "io/image/image_internal.h"

/* The axes of a file, and which part of it is read; not installed. A format describes all axes of
 * its file; halo_image_choose_part finds those of space, and the index along each of the others
 * from what the user chose (halo_image_choices). Everything is local. */

typedef struct {
    halo_axis_kind kind;
    int64_t size;
} halo_image_axis;

enum { HALO_IMAGE_NAMES_BYTES = 1024 };

typedef struct {
    int count; /* the slowest axis comes first */
    halo_image_axis axis[HALO_IMAGE_MAX_AXES];
    /* Names of the indices along an axis of a kind, each ended by a line feed, in order; as many as
     * fit. */
    char names[HALO_IMAGE_CHOICES][HALO_IMAGE_NAMES_BYTES];
} halo_image_axes;

/* The part of a file that is read. */
typedef struct {
    int64_t at[HALO_IMAGE_MAX_AXES]; /* the index along each axis that was chosen; otherwise 0 */
    int space[3];                    /* axes of planes, rows, columns; -1: none */
    int samples;                     /* the axis of a pixel's samples, which is the last; -1 */
} halo_image_part;

/* Adds an axis. False if there is no room for it. */
bool halo_image_add_axis(halo_image_axes *axes, halo_axis_kind kind, int64_t size);

/* The kind of an axis by its name: "t", "time", "channel"...; SERIES: of another name, or NULL. */
halo_axis_kind halo_image_axis_kind(const char *name);

/* The same for an axis that has a variable with its coordinates, by the attributes of that (CF
 * conventions, 4.4): units such as "days since 1900-01-01" are of time. */
halo_axis_kind halo_image_coordinate_kind(const char *name, const char *units,
                                          const char *standard_name, const char *axis);

/* Adds the name of the next index along the axes of this kind; an empty one is no name. */
void halo_image_add_name(halo_image_axes *axes, halo_image_choice kind, const char *name);

/* The axes of an array without names, of `count` `sizes`, the slowest first: the last three are
 * planes, rows and columns, and those before them unknown; of more than three axes, those of one
 * sample are left out. A last axis of 2 to 4 samples is
 * channels where one is chosen, and colours where the type is uint8 or uint16. HALO_FORMAT, with
 * the remedies, where it may as well be the columns of a volume; for more axes than
 * HALO_IMAGE_MAX_AXES. */
halo_status halo_image_array_axes(halo_image_reader *reader, halo_sample_type type, int count,
                                  const int64_t *sizes, halo_image_axes *axes);

/* The same for axes whose kinds are known; SERIES: the last three of these are planes, rows and
 * columns. A last axis of 3 or 4 channels of uint8 or uint16 is the colour where none is chosen. */
halo_status halo_image_named_axes(halo_image_reader *reader, halo_sample_type type, int count,
                                  const int64_t *sizes, const halo_axis_kind *kinds,
                                  halo_image_axes *axes);

/* Finds the part to be read, and notes it in reader->info.parts. There are two or three axes of
 * space afterwards, or one if there was one. With axes of samples, reader->samples must get as many
 * channels; those of which one is chosen (reader->pick) are reduced to it by the reader.
 * HALO_FORMAT if an axis is longer than 1 and neither of space nor chosen, with the remedy;
 * HALO_ARGUMENT for an index or name that does not exist. */
halo_status halo_image_choose_part(halo_image_reader *reader, const halo_image_axes *axes,
                                   halo_image_part *part);

/* Sets reader->samples for samples of this type, of which a pixel has one, or as many as along the
 * axis of samples; booleans are then bytes. */
void halo_image_set_array(halo_image_reader *reader, halo_sample_type type,
                          const halo_image_axes *axes, const halo_image_part *part);

/* The size along an axis of `part->space`; `none` where there is none. */
int64_t halo_image_part_size(const halo_image_axes *axes, const halo_image_part *part, int which,
                             int64_t none);

/* Sets the size of the image (halo_image_set_size), and reader->layout for samples of `bytes` bytes
 * that lie one after the other from byte `offset` on, as the axes say. reader->samples must be set.
 * HALO_FORMAT for samples in another order than planes, rows, columns, and for sizes that are too
 * large. */
halo_status halo_image_lay_out(halo_image_reader *reader, const halo_image_axes *axes,
                               const halo_image_part *part, size_t bytes, int64_t offset);

/* Sets strides[axis] to the bytes from one index to the next along each axis, of samples of `bytes`
 * bytes that lie one after the other: the last axis is the fastest, or with `by_columns` the first.
 * False if they are too many, or none. */
bool halo_image_find_strides(const halo_image_axes *axes, size_t bytes, bool by_columns,
                             int64_t *strides);

/* HALO_FORMAT for such sizes. */
halo_status halo_image_fail_sizes(const halo_image_reader *reader);

/* Local. Names the channels of a colour: red, green, blue and alpha, or of two channels grey and
 * alpha. */
void halo_image_name_colours(halo_image_axes *axes, int channels);

/* Finds the index that is chosen of `size` things of this kind, by number or, if `axes` is not
 * NULL, by name. HALO_ARGUMENT. */
halo_status halo_image_find_index(const halo_image_reader *reader, const halo_image_axes *axes,
                                  halo_image_choice kind, int64_t size, int64_t *index);

/* Notes in reader->info.parts that this one of `count` was taken, and that the choice was used. */
void halo_image_note_part(halo_image_reader *reader, const halo_image_axes *axes,
                          halo_image_choice kind, int64_t index, int64_t count);

/* Prints "name (a, b, c)" as "3 channels (DAPI, GFP, RFP)" to `text`, cut at `size` bytes. */
void halo_image_print_count(const halo_image_axes *axes, halo_image_choice kind, int64_t count,
                            char *text, size_t size);

/* ---- choices (choices.c) --------------------------------------------------------------------- */

typedef struct {
    const char *word, *words, *letter;
} halo_image_choice_word;

extern const halo_image_choice_word halo_image_choice_words[];

/* Sets reader->path and reader->choices from a path FILE:KEY=VALUE,... and the reader's options.
 * What stands behind the name counts more than options. HALO_ARGUMENT, HALO_MEMORY. */
halo_status halo_image_take_choices(halo_image_reader *reader, const char *path);

/* HALO_ARGUMENT if something was chosen that the file does not have: to be called when it is open.
 * Takes a chosen channel of colours. */
halo_status halo_image_check_choices(halo_image_reader *reader);

#endif
