#include "io/canvas/text.h"

#include "base/minmax.h"

#include <stdbool.h>
#include <string.h>

enum { COLUMNS = 5, ROWS = HALO_CANVAS_TEXT_HEIGHT, FIRST = ' ', LAST = '~' };

/* Pixel x of row y of a glyph is bit COLUMNS * y + x; glyphs from FIRST to LAST. */
static const uint64_t glyphs[LAST - FIRST + 1] = {
    0x0000000000, 0x0100421084, 0x000000294a, 0x0295f57d4a, 0x011f4717c4, 0x0674222173,
    0x0593511526, 0x0000001084, 0x0208210888, 0x0088842082, 0x0009575480, 0x00084f9080,
    0x1118000000, 0x0000070000, 0x018c000000, 0x0042222210, 0x03a33ae62e, 0x07c84214c4,
    0x07c444422e, 0x03e107420f, 0x0211f4a988, 0x03a3083c3f, 0x03a317842e, 0x008442221f,
    0x03a317462e, 0x03a10f462e, 0x000c6018c0, 0x00886018c0, 0x0410411110, 0x0001f07c00,
    0x0044441041, 0x010046422e, 0x0382daf62e, 0x0463f8c544, 0x03e317c62f, 0x03a210862e,
    0x01d318c527, 0x07c217843f, 0x004217843f, 0x03a31e862e, 0x04631fc631, 0x038842108e,
    0x019284211c, 0x0452519531, 0x07c2108421, 0x04631ad771, 0x04739ace71, 0x03a318c62e,
    0x004217c62f, 0x059358c62e, 0x045257c62f, 0x03e107043e, 0x010842109f, 0x03a318c631,
    0x011518c631, 0x04775ac631, 0x0462a22a31, 0x0108422a31, 0x07c222221f, 0x038421084e,
    0x0420820821, 0x039084210e, 0x0000004544, 0xf800000000, 0x0000000082, 0x07a3e83800,
    0x03e318bc21, 0x078210f800, 0x07a318fa10, 0x0383f8b800, 0x0084213c4c, 0x743d18f800,
    0x046318bc21, 0x0388421804, 0x3250843008, 0x024a32a421, 0x0388421086, 0x056b5aac00,
    0x046318bc00, 0x03a318b800, 0x085f18bc00, 0x843d18f800, 0x004219b400, 0x03e0e0f800,
    0x0304213c42, 0x07a318c400, 0x011518c400, 0x02ab58c400, 0x0454454400, 0x743d18c400,
    0x07c4447c00, 0x0608411098, 0x0108421084, 0x00c8441083, 0x00008a8800,
};

static const uint64_t box = 0x07e318c63f; /* 5 x 7 */

/* Bytes of UTF-8 behind the first one of a character. */
static bool goes_on(char byte)
{
    return ((unsigned char)byte & 0xc0) == 0x80;
}

int64_t halo_canvas_text_length(const char *text)
{
    int64_t length = 0;
    for (; *text != '\0'; text++) {
        length += !goes_on(*text);
    }
    return length;
}

static void draw_glyph(const halo_canvas *canvas, int64_t left, int64_t top, uint64_t glyph,
                       const unsigned char colour[3])
{
    for (int i = 0; i < ROWS * COLUMNS; i++) {
        int64_t x = left + i % COLUMNS, y = top + i / COLUMNS - canvas->first_row;
        bool inside = x >= 0 && x < canvas->width && y >= 0 && y < canvas->rows;
        if (inside && (glyph >> i & 1) != 0) {
            memcpy(canvas->pixels + (size_t)y * canvas->pitch + 3 * (size_t)x, colour, 3);
        }
    }
}

void halo_canvas_text(const halo_canvas *canvas, int64_t x, int64_t y, const char *text,
                      const unsigned char colour[3])
{
    for (; *text != '\0'; text++) {
        if (!goes_on(*text)) {
            bool has = *text >= FIRST && *text <= LAST;
            draw_glyph(canvas, x, y, has ? glyphs[*text - FIRST] : box, colour);
            x += HALO_CANVAS_TEXT_STEP;
        }
    }
}

/* The place behind `count` characters. */
static const char *behind(const char *text, int64_t count)
{
    for (; *text != '\0' && (count > 0 || goes_on(*text)); text++) {
        count -= !goes_on(*text);
    }
    return text;
}

void halo_canvas_text_shorten(const char *text, int64_t most, char *out, size_t size)
{
    static const char dots[] = "...";
    int64_t length = halo_canvas_text_length(text);
    int64_t kept = most - (int64_t)(sizeof dots - 1), first = kept - kept / 2;
    const char *end = length > most ? behind(text, first) : text + strlen(text);
    const char *rest = length > most ? behind(text, length - kept / 2) : "";
    const char *const parts[] = {text, length > most ? dots : "", rest};
    const size_t bytes[] = {(size_t)(end - text), strlen(parts[1]), strlen(rest)};
    size_t used = 0;
    for (int i = 0; i < 3; i++) {
        size_t now = (size_t)halo_min((int64_t)bytes[i], (int64_t)(size - 1 - used));
        memcpy(out + used, parts[i], now);
        used += now;
    }
    out[used] = '\0';
}
