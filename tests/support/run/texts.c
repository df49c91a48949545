/* A kernel with much to say, and with signs in it that mean something elsewhere. */

#include "core/beat/kernel_export.h"

#pragma GCC diagnostic ignored "-Woverlength-strings" /* 4095 characters are what C99 asks for */

#define TEN(text)      text text text text text text text text text text
#define THOUSAND(text) TEN(TEN(TEN(text)))

static halo_status texts_step(halo_step *step)
{
    (void)step;
    return HALO_OK;
}

static const halo_option rows[] = {
    {.name = "long",
     .type = HALO_OPTION_REAL,
     .value = TEN("A-LONG-VALUE-"),
     .standard = "0.5",
     .help = "Begins " THOUSAND("%s %n 100%; ") "and ends"},
    {.name = "silent", .type = HALO_OPTION_TEXT, .value = "", .help = ""},
    {.name = "choice",
     .type = HALO_OPTION_CHOICE,
     .choices = "one|" TEN("many-words-in-one") "|two",
     .standard = "one",
     .help = THOUSAND("unbroken")},
    {0}};

static const halo_kernel texts = {.name = "texts",
                                  .help = "starts " THOUSAND("%s%d and\n ") "stops",
                                  .axes = 2,
                                  .cell_bits = {8},
                                  .depth = 1,
                                  .step = texts_step,
                                  .options = rows,
                                  .options_bytes = 3 * sizeof(double)};

HALO_KERNEL_EXPORT(texts);
