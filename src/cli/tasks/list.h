#ifndef HALOBEAT_CLI_TASKS_LIST_H
#define HALOBEAT_CLI_TASKS_LIST_H

#include "base/memory.h"

#include <stdint.h>

/* Lines of text, as they are given: inputs of jobs, or jobs themselves. All functions are local. */
typedef struct {
    halo_buffer text; /* each line, ended by '\0' */
    halo_buffer ends; /* int64_t: the byte behind each line */
    int64_t count;
} job_list;

void job_list_free(job_list *list);

/* HALO_MEMORY. */
halo_status job_list_add(job_list *list, const char *line, size_t length);

/* Adds the lines of a file, "-" for standard input; empty ones are left out. HALO_FILE, HALO_FORMAT
 * for a line with a zero byte in it, HALO_MEMORY. */
halo_status job_list_read(job_list *list, const char *path);

/* Line `i`, from 0. */
const char *job_list_at(const job_list *list, int64_t i);

/* What a shell is to run for an input, in new memory: the words of `template`, [words], with blanks
 * between them and the input in place of {}, without its ending in place of {.}, without folder in
 * place of {/}, without both {/.}, its folder {//}, and the job's number, from 1, {#}; behind them
 * if no word has one of these. Inputs are quoted for the
 * shell, also between quotes of the command's own. No words: the input itself.
 * HALO_MEMORY.
 */
halo_status job_command(char **out, char *const *template, int words, const char *input,
                        int64_t number);

#endif
