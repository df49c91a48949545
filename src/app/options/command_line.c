#define _POSIX_C_SOURCE 200809L
#include "app/options/options.h"

#include "base/memory.h"

#include <string.h>

static halo_status put(halo_buffer *out, const char *text)
{
    return halo_buffer_append(out, text, strlen(text));
}

static halo_status put_word(halo_buffer *out, const char *word)
{
    static const char plain[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./:=,%+@^-";
    if (word[0] != '\0' && word[strspn(word, plain)] == '\0') {
        return put(out, word);
    }
    HALO_TRY(put(out, "'"));
    while (*word != '\0') {
        size_t length = strcspn(word, "'");
        HALO_TRY(halo_buffer_append(out, word, length));
        word += length;
        if (*word == '\'') {
            HALO_TRY(put(out, "'\\''"));
            word++;
        }
    }
    return put(out, "'");
}

static halo_status put_all(halo_buffer *out, const char *program, int argc, char *const *argv)
{
    HALO_TRY(put(out, program));
    for (int i = 1; i < argc; i++) {
        HALO_TRY(put(out, " "));
        HALO_TRY(put_word(out, argv[i]));
    }
    return halo_buffer_append(out, "", 1);
}

char *app_command_line(const char *program, int argc, char *const *argv)
{
    halo_buffer out = {0};
    char *line = put_all(&out, program, argc, argv) == HALO_OK ? strdup((char *)out.data) : NULL;
    halo_buffer_free(&out);
    return line;
}
