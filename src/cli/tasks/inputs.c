#include "cli/tasks/inputs.h"

#include "base/minmax.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- reading --------------------------------------------------------------------------------- */

static halo_status read_words(record_list *list, const tasks_source *words)
{
    for (int i = 0; i < words->count; i++) {
        HALO_TRY(record_list_add(list, words->words[i], strlen(words->words[i])));
    }
    return HALO_OK;
}

static halo_status read_file(job_inputs *inputs, const char *path, bool linked,
                             const input_options *options)
{
    input_source *source = &inputs->source[inputs->sources++];
    source->linked = linked && inputs->sources > 1;
    return record_list_read(&source->list, path, options->end, options->empty);
}

/* Each file behind :::: is a source of its own. */
static halo_status read_source(job_inputs *inputs, const tasks_source *words,
                               const input_options *options)
{
    if (!words->is_file) {
        input_source *source = &inputs->source[inputs->sources++];
        source->linked = words->linked && inputs->sources > 1;
        return read_words(&source->list, words);
    }
    for (int i = 0; i < words->count; i++) {
        HALO_TRY(read_file(inputs, words->words[i], words->linked, options));
    }
    return HALO_OK;
}

static halo_status read_all(job_inputs *inputs, const tasks_words *words,
                            const input_options *options)
{
    int most = options->file_count + 1;
    for (int i = 0; i < words->source_count; i++) {
        most += words->sources[i].is_file ? words->sources[i].count : 1;
    }
    HALO_TRY(HALO_ALLOCATE(inputs->source, most, "sources of inputs"));
    for (int i = 0; i < options->file_count; i++) {
        HALO_TRY(read_file(inputs, options->files[i], false, options));
    }
    for (int i = 0; i < words->source_count; i++) {
        HALO_TRY(read_source(inputs, &words->sources[i], options));
    }
    return inputs->sources == 0 && words->source_count == 0 ? read_file(inputs, "-", false, options)
                                                            : HALO_OK;
}

/* ---- columns and their names ----------------------------------------------------------------- */

static halo_status append_columns(const job_inputs *inputs, const char *record, halo_buffer *out,
                                  int *count)
{
    if (inputs->splitter != NULL) {
        return column_splitter_split(inputs->splitter, record, out, count);
    }
    ++*count;
    return halo_buffer_append(out, record, strlen(record) + 1);
}

static halo_status take_names(job_inputs *inputs)
{
    for (int i = 0; i < inputs->sources; i++) {
        const record_list *list = &inputs->source[i].list;
        if (list->count > 0) {
            HALO_TRY(
                append_columns(inputs, record_list_at(list, 0), &inputs->names, &inputs->named));
        }
    }
    return HALO_OK;
}

/* ---- combinations ---------------------------------------------------------------------------- */

static int64_t count_of(const job_inputs *inputs, int i, bool header)
{
    return halo_max(inputs->source[i].list.count - header, 0);
}

/* Counts the inputs of a source and those linked with it: the shortest of them decides. */
static int64_t count_linked(const job_inputs *inputs, int i, bool header, int *behind)
{
    int64_t count = count_of(inputs, i, header);
    for (*behind = i + 1; *behind < inputs->sources && inputs->source[*behind].linked; ++*behind) {
        count = halo_min(count, count_of(inputs, *behind, header));
    }
    return count;
}

static halo_status count_jobs(job_inputs *inputs)
{
    bool header = inputs->named > 0;
    inputs->count = inputs->sources > 0;
    for (int i = 0, behind; i < inputs->sources; i = behind) {
        int64_t count = count_linked(inputs, i, header, &behind);
        HALO_FAIL_IF(__builtin_mul_overflow(inputs->count, count, &inputs->count), HALO_ARGUMENT,
                     "the sources of inputs have more than %" PRId64
                     " combinations; give fewer, or link them by :::+",
                     INT64_MAX);
    }
    return HALO_OK;
}

halo_status job_inputs_read(job_inputs *inputs, const tasks_words *words,
                            const input_options *options)
{
    if (options->colsep != NULL) {
        HALO_TRY(column_splitter_create(&inputs->splitter, options->colsep));
    }
    HALO_TRY(read_all(inputs, words, options));
    HALO_TRY(options->header ? take_names(inputs) : HALO_OK);
    return count_jobs(inputs);
}

void job_inputs_free(job_inputs *inputs)
{
    for (int i = 0; i < inputs->sources; i++) {
        record_list_free(&inputs->source[i].list);
    }
    free(inputs->source);
    halo_buffer_free(&inputs->names);
    column_splitter_destroy(&inputs->splitter);
    *inputs = (job_inputs){0};
}

/* ---- one job --------------------------------------------------------------------------------- */

/* Calls `take` with the record of each source that job `i` has. */
static halo_status for_records(const job_inputs *inputs, int64_t i,
                               halo_status (*take)(void *context, const char *record),
                               void *context)
{
    bool header = inputs->named > 0;
    int64_t left = inputs->count;
    for (int s = 0, behind; s < inputs->sources; s = behind) {
        left /= count_linked(inputs, s, header, &behind);
        for (int member = s; member < behind; member++) {
            HALO_TRY(
                take(context, record_list_at(&inputs->source[member].list, i / left + header)));
        }
        i %= left;
    }
    return HALO_OK;
}

typedef struct {
    const job_inputs *inputs;
    halo_buffer *out;
    int count;
} taking;

static halo_status take_columns(void *context, const char *record)
{
    taking *to = context;
    return append_columns(to->inputs, record, to->out, &to->count);
}

static halo_status take_record(void *context, const char *record)
{
    taking *to = context;
    HALO_TRY(to->count++ > 0 ? halo_buffer_append(to->out, "\t", 1) : HALO_OK);
    return halo_buffer_append(to->out, record, strlen(record));
}

/* Finds where each of `count` texts begins. */
static halo_status find_texts(const char ***out, const halo_buffer *texts, int count)
{
    const char *at = (const char *)texts->data;
    HALO_TRY(HALO_ALLOCATE(*out, count, "the input of a job"));
    for (int i = 0; i < count; i++) {
        (*out)[i] = at;
        at += strlen(at) + 1;
    }
    return HALO_OK;
}

halo_status job_inputs_at(const job_inputs *inputs, int64_t i, job_input *out)
{
    taking to = {.inputs = inputs, .out = &out->text};
    *out = (job_input){.named = inputs->named};
    HALO_TRY(for_records(inputs, i, take_columns, &to));
    out->count = to.count;
    HALO_TRY(find_texts(&out->name, &inputs->names, inputs->named));
    return find_texts(&out->column, &out->text, out->count);
}

void job_input_free(job_input *input)
{
    free(input->column);
    free(input->name);
    halo_buffer_free(&input->text);
    *input = (job_input){0};
}

halo_status job_inputs_records(const job_inputs *inputs, int64_t i, halo_buffer *out)
{
    taking to = {.inputs = inputs, .out = out};
    HALO_TRY(for_records(inputs, i, take_record, &to));
    return halo_buffer_append(out, "", 1);
}
