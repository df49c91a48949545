#define _POSIX_C_SOURCE 200809L /* fileno */
#include "cli/arguments.h"

#include "base/memory.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static halo_status fail_read(const char *path)
{
    return halo_fail(errno == ENOMEM ? HALO_MEMORY : HALO_FILE,
                     "the file of arguments \"%s\" cannot be read: %s", path, strerror(errno));
}

/* In pieces: the size of a pipe is not known, and that of a file may be a lie. */
static halo_status read_text(halo_buffer *out, const char *path)
{
    unsigned char piece[4096];
    struct stat there;
    FILE *file = fopen(path, "rbe");
    if (file == NULL) {
        return fail_read(path);
    }
    halo_status status = HALO_OK;
    if (fstat(fileno(file), &there) == 0 && S_ISDIR(there.st_mode)) {
        errno = EISDIR;
        status = fail_read(path);
    }
    size_t count;
    while (status == HALO_OK && (count = fread(piece, 1, sizeof piece, file)) > 0) {
        status = halo_buffer_append(out, piece, count);
    }
    if (status == HALO_OK && ferror(file)) {
        status = fail_read(path);
    }
    fclose(file);
    return status;
}

static halo_status split(cli_arguments *out, char *program, size_t bytes, const char *path)
{
    size_t count = 1;
    for (size_t i = 0; i < bytes; i++) {
        count += out->text[i] == '\0';
    }
    HALO_FAIL_IF(bytes > 0 && out->text[bytes - 1] != '\0', HALO_FORMAT,
                 "the file of arguments \"%s\" does not end with a 0 byte, as each argument has "
                 "to; write it with printf '%%s\\0' ARGUMENT...",
                 path);
    HALO_FAIL_IF(count >= INT_MAX, HALO_FORMAT,
                 "the file of arguments \"%s\" has more than %d of them", path, INT_MAX - 1);
    HALO_TRY(HALO_ALLOCATE(out->words, count + 1, "arguments"));
    out->words[0] = program;
    char *at = out->text;
    for (out->count = 1; (size_t)out->count < count; out->count++) {
        out->words[out->count] = at;
        at += strlen(at) + 1;
    }
    return HALO_OK;
}

halo_status cli_arguments_read(cli_arguments *out, char *program, const char *path)
{
    halo_buffer text = {0};
    *out = (cli_arguments){.count = 0};
    halo_status status = read_text(&text, path);
    out->text = (char *)text.data;
    return status == HALO_OK ? split(out, program, text.size, path) : status;
}

void cli_arguments_free(cli_arguments *arguments)
{
    free(arguments->words);
    halo_buffer text = {.data = (unsigned char *)arguments->text};
    halo_buffer_free(&text);
    *arguments = (cli_arguments){.count = 0};
}
