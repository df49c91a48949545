#ifndef HALOBEAT_CLI_LABEL_AXES_H
#define HALOBEAT_CLI_LABEL_AXES_H

#include "app/options/options.h"
#include "app/run.h"

/* Local. "z,x": a label_axes. "0.5,0.2,0.2", of planes, rows and columns, or of the last two: a
 * label_spacing. */
halo_option_parse label_parse_axes, label_parse_background, label_parse_delta, label_parse_spacing;

/* Local. HALO_ARGUMENT, with the remedy, if this image does not have a measure that is asked for.
 */
halo_status label_check_measures(const app_run *run);

#endif
