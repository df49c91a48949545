#ifndef HALOBEAT_CLI_TASKS_TEMPLATE_H
#define HALOBEAT_CLI_TASKS_TEMPLATE_H

#include "cli/tasks/inputs.h"

/* Makes the command of a job from a template and its input. All functions are local and pure. */

/* How a text is made. */
typedef struct {
    int64_t number;     /* of the job, from 1: {#} */
    bool quoted;        /* inputs are quoted for a shell, also between quotes of the template */
    bool behind;        /* inputs come behind a template without any of these places */
    halo_buffer *slots; /* {%} is left out, and where it was, a uint32_t, goes here. NULL: {%}
                         * stays */
} template_use;

/* HALO_ARGUMENT for {= =}, which is Perl, with what to use. */
halo_status template_check(char *const *words, int count);

/* Appends `words` [count] to `out`, with blanks between them, and '\0'. In place of {} stand all
 * columns of the input, with blanks between them; of {.} without ending, {/} without folder, {/.}
 * without both, {//} their folders; of {N}, {N.}, {-N} and so on column N, from the front or the
 * back; of {NAME}, {NAME.} and so on that of this name; of {#} the job's number. No words: the
 * columns themselves. HALO_MEMORY. */
halo_status template_expand(halo_buffer *out, char *const *words, int count, const job_input *input,
                            const template_use *use);

#endif
