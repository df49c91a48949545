#include "io/canvas/label_palette.h"

#include "io/canvas/channel_internal.h"

#include <math.h>

/* Neighbouring numbers get hues a golden angle apart, which never come round to the same place,
 * in turn at three lightnesses; 0 is black. Full hues would all differ in brightness too much to
 * look at, so each is mixed with white. */
void halo_label_palette(unsigned char palette[3 * HALO_LABEL_PALETTE_COLOURS])
{
    static const double lightness[] = {0.95, 0.72, 0.84};
    static const double saturation[] = {0.62, 0.80, 0.45};
    const double golden = 0.61803398874989485;
    palette[0] = palette[1] = palette[2] = 0;
    for (int i = 1; i < HALO_LABEL_PALETTE_COLOURS; i++) {
        double hue = fmod(i * golden, 1) * 6;
        for (int c = 0; c < 3; c++) {
            /* The channel's distance from its own hue, going round: red 0, green 2, blue 4. */
            double away = fabs(fmod(hue - 2 * c + 9, 6) - 3);
            double pure = fmin(fmax(2 - away, 0), 1);
            double light = lightness[i % 3], colourful = saturation[i % 3];
            palette[3 * i + c] = canvas_channel(light * (1 - colourful + colourful * pure));
        }
    }
}
