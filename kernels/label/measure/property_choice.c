#include "base/scan.h"
#include "kernels/label/measure/properties.h"

#include <stdio.h>
#include <string.h>

/* Which properties a table has: their names, and the percentiles among them. */

static bool is_name(const char *name, const char *text, size_t length)
{
    return strlen(name) == length && strncmp(name, text, length) == 0;
}

/* The member of the choice that the first `length` characters name, or NULL. */
static bool *find(label_property_choice *requested, const char *text, size_t length)
{
    for (label_property property = 0; property < LABEL_PROPERTIES; property++) {
        const label_property_row *row = &label_property_rows[property];
        if (is_name(row->name, text, length) || is_name(row->short_name, text, length)) {
            return &requested->is[property];
        }
    }
    return is_name("standard", text, length) ? &requested->standard
           : is_name("all", text, length)    ? &requested->all
                                             : NULL;
}

/* Adds a percentile to the list, in its order. */
static bool add_percentile(label_property_choice *requested, double percentile)
{
    int at = requested->percentile_count;
    double *list = requested->percentiles;
    if (at == LABEL_PROPERTY_COLUMNS) {
        return false;
    }
    for (; at > 0 && list[at - 1] >= percentile; at--) {
        if (!(list[at - 1] > percentile)) {
            return false; /* it is there already */
        }
        list[at] = list[at - 1];
    }
    list[at] = percentile;
    requested->percentile_count++;
    return true;
}

/* True if the first `length` characters name a percentile, as intensity_p5; *good if it is one, and
 * was added. */
static bool take_percentile(label_property_choice *requested, const char *text, size_t length,
                            bool *good)
{
    static const char name[] = "intensity_p";
    const size_t before = sizeof name - 1;
    double percentile;
    if (length <= before || strncmp(text, name, before) != 0 ||
        (text[before] != '.' && (text[before] < '0' || text[before] > '9'))) {
        return false;
    }
    const char *at = text + before;
    *good = halo_scan_number(&at, 0, 100, &percentile) && at == text + length &&
            add_percentile(requested, percentile);
    return true;
}

static const double standard_percentiles[] = {5, 25, 75, 95};

enum { STANDARD = sizeof standard_percentiles / sizeof *standard_percentiles };

/* Adds the standard percentiles to others that are named, if all of them are asked for. */
static bool finish_percentiles(label_property_choice *requested)
{
    bool *asked = &requested->is[LABEL_PROPERTY_PERCENTILES];
    bool fits = requested->percentile_count + STANDARD <= LABEL_PROPERTY_COLUMNS;
    for (int i = 0; i < STANDARD && *asked && requested->percentile_count > 0; i++) {
        (void)add_percentile(requested, standard_percentiles[i]); /* or it is there already */
    }
    fits = fits || !*asked;
    *asked = *asked || requested->percentile_count > 0;
    return fits;
}

int label_property_percentiles(const label_property_choice *choice,
                               double out[LABEL_PROPERTY_COLUMNS])
{
    bool given = choice->percentile_count > 0;
    int count = given ? choice->percentile_count : STANDARD;
    memcpy(out, given ? choice->percentiles : standard_percentiles, (size_t)count * sizeof *out);
    return count;
}

void label_property_percentile_name(double percentile, char out[LABEL_PERCENTILE_NAME])
{
    snprintf(out, LABEL_PERCENTILE_NAME, "intensity_p%.12g", percentile);
}

halo_status label_parse_properties(const char *text, void *into)
{
    label_property_choice *requested = into;
    *requested = (label_property_choice){.all = false};
    for (size_t length;; text += length + 1) {
        bool good = true;
        length = strcspn(text, ",");
        if (!take_percentile(requested, text, length, &good)) {
            bool *chosen = find(requested, text, length);
            good = chosen != NULL && !*chosen;
            if (good) {
                *chosen = true;
            }
        }
        if (!good) {
            return HALO_ARGUMENT;
        }
        if (text[length] == '\0') {
            return finish_percentiles(requested) ? HALO_OK : HALO_ARGUMENT;
        }
    }
}

bool label_property_is_chosen(const label_property_choice *choice, label_property property,
                              unsigned missed)
{
    unsigned needs = label_property_rows[property].needs;
    bool wanted = choice->all || property == LABEL_PROPERTY_NUMBER ||
                  (choice->standard && (needs & LABEL_STANDARD) != 0);
    return choice->is[property] || (wanted && (needs & missed) == 0);
}

bool label_properties_need(const label_property_choice *choice, unsigned missed, unsigned needs)
{
    bool any = false;
    for (label_property property = 0; property < LABEL_PROPERTIES; property++) {
        any = any || ((label_property_rows[property].needs & needs) != 0 &&
                      label_property_is_chosen(choice, property, missed));
    }
    return any;
}

label_property label_property_refused(const label_property_choice *choice, unsigned missed)
{
    label_property property = 0;
    while (property < LABEL_PROPERTIES &&
           !(choice->is[property] && (label_property_rows[property].needs & missed) != 0)) {
        property++;
    }
    return property;
}
