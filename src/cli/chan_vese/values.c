#include "cli/chan_vese/values.h"

#include "kernels/chan_vese/chan_vese.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { USUAL_SQUARE = 5 };

static const double FARTHEST = 1e9; /* pixels, of a disk's centre and edge */

/* A number that begins with a digit, a point or, where it may be less than 0, a minus. */
static bool scan_number(const char **text, double least, double *value)
{
    char *end;
    bool begins = (**text >= '0' && **text <= '9') || **text == '.' || (**text == '-' && least < 0);
    if (!begins) {
        return false;
    }
    errno = 0;
    *value = strtod(*text, &end);
    bool good = end != *text && errno == 0 && isfinite(*value) && *value >= least;
    *text = end;
    return good;
}

error_t chan_vese_parse_lambda(const arguments_parse *parse, const char *option, const char *text,
                               double *into)
{
    const char *end = text;
    bool good = scan_number(&end, 0, into) && *end == '\0' && *into <= HALO_CHAN_VESE_MOST_LAMBDA &&
                (*into >= HALO_CHAN_VESE_LEAST_LAMBDA || *into <= 0);
    return good ? 0
                : arguments_complain(parse, "--%s takes 0, or a number from %g to %g, not \"%s\"",
                                     option, HALO_CHAN_VESE_LEAST_LAMBDA,
                                     HALO_CHAN_VESE_MOST_LAMBDA, text);
}

/* "X,Y,R" */
static bool scan_disk(const char *text, chan_vese_init *into)
{
    into->placed = true;
    return scan_number(&text, -FARTHEST, &into->column) && *text++ == ',' &&
           scan_number(&text, -FARTHEST, &into->row) && *text++ == ',' &&
           scan_number(&text, 0, &into->radius) && *text == '\0' && into->radius > 0 &&
           into->radius <= FARTHEST && fabs(into->column) <= FARTHEST &&
           fabs(into->row) <= FARTHEST;
}

/* What follows a name and a colon; NULL if the text is not of that name. */
static const char *behind_name(const char *text, const char *name)
{
    size_t length = strlen(name);
    bool named = strncmp(text, name, length) == 0 && (text[length] == '\0' || text[length] == ':');
    return !named ? NULL : text[length] == ':' ? text + length + 1 : text + length;
}

static bool scan_init(const char *text, chan_vese_init *into)
{
    const char *checkerboard = behind_name(text, "checkerboard");
    const char *disk = behind_name(text, "disk");
    if (checkerboard != NULL) {
        into->kind = CHAN_VESE_CHECKERBOARD;
        into->square = USUAL_SQUARE;
        bool usual = strchr(text, ':') == NULL;
        return usual || (halo_scan_integer(&checkerboard, 1, INT32_MAX, &into->square) &&
                         *checkerboard == '\0');
    }
    if (disk != NULL) {
        into->kind = CHAN_VESE_DISK;
        return strchr(text, ':') == NULL || scan_disk(disk, into);
    }
    into->kind = CHAN_VESE_FILE;
    into->path = text;
    return arguments_ends_with(text, ".png");
}

error_t chan_vese_parse_init(const arguments_parse *parse, const char *text, chan_vese_init *into)
{
    *into = (chan_vese_init){.text = text};
    return scan_init(text, into)
               ? 0
               : arguments_complain(parse,
                                    "--init takes checkerboard[:SIZE] with squares of 1 pixel or "
                                    "more, disk[:X,Y,R] with a radius of more than 0, or the name "
                                    "of a PNG file, not \"%s\"",
                                    text);
}

error_t chan_vese_parse_until(const arguments_parse *parse, const char *text, bool *into)
{
    static const char *const names[] = {"still", NULL};
    *into = true;
    return arguments_choose(parse, "until", text, names) < 0 ? EINVAL : 0;
}

error_t chan_vese_parse_file(const arguments_parse *parse, const char *option, const char *path,
                             const char *ending, const char *other, const char **into)
{
    *into = path;
    bool good =
        arguments_ends_with(path, ending) || (other != NULL && arguments_ends_with(path, other));
    return good ? 0
                : arguments_complain(parse, "%s takes a name ending in %s%s%s, not \"%s\"", option,
                                     ending, other != NULL ? " or " : "",
                                     other != NULL ? other : "", path);
}
