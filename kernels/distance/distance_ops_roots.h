/* Roots of squares of distances, for distance_ops_body.h. No include guard on purpose. */

/* A float, or a double, holds the whole number, so that its root is rounded once. */
static void roots_of_some(const uint16_t *squares, int64_t count, float *out)
{
    for (int64_t i = 0; i < count; i++) {
        out[i] = sqrtf((float)squares[i]);
    }
}

static void roots_of_some_wide(const uint16_t *squares, int64_t count, double *out)
{
    for (int64_t i = 0; i < count; i++) {
        out[i] = sqrt((double)squares[i]);
    }
}

static void roots_of_some24(const uint32_t *squares, int64_t count, float *out)
{
    for (int64_t i = 0; i < count; i++) {
        out[i] = sqrtf((float)(int32_t)squares[i]);
    }
}

static void roots32_wide(const uint32_t *squares, int64_t count, double *out)
{
    for (int64_t i = 0; i < count; i++) {
        out[i] = sqrt((double)squares[i]);
    }
}

#if HALO_ISA_BYTES == 64

/* Instructions for roots take several times as long as a multiplication, which Goldschmidt's
 * iteration is made of (Markstein 1990): g becomes the root and h half of its reciprocal, from an
 * approximation of 14 bits. The last step adds the rest, which is exact, so that the sum is rounded
 * as the root is unless this is within 2^-27 of the last place of a number in the middle between
 * two floats. Tests try all squares. */
ALWAYS __m512 root(__m512 square)
{
    const __m512 half = _mm512_set1_ps(.5F);
    __m512 about = _mm512_rsqrt14_ps(square);
    __m512 g = _mm512_mul_ps(square, about), h = _mm512_mul_ps(half, about);
    __m512 r = _mm512_fnmadd_ps(g, h, half);
    g = _mm512_fmadd_ps(g, r, g);
    h = _mm512_fmadd_ps(h, r, h);
    __m512 rest = _mm512_fnmadd_ps(g, g, square);
    __mmask16 some =
        _mm512_test_epi32_mask(_mm512_castps_si512(square), _mm512_castps_si512(square));
    return _mm512_maskz_fmadd_ps(some, rest, h, g);
}

ALWAYS __m512d root_wide(__m512d square)
{
    const __m512d half = _mm512_set1_pd(.5);
    __m512d about = _mm512_rsqrt14_pd(square);
    __m512d g = _mm512_mul_pd(square, about), h = _mm512_mul_pd(half, about);
    for (int i = 0; i < 2; i++) {
        __m512d r = _mm512_fnmadd_pd(g, h, half);
        g = _mm512_fmadd_pd(g, r, g);
        h = _mm512_fmadd_pd(h, r, h);
    }
    __m512d rest = _mm512_fnmadd_pd(g, g, square);
    __mmask8 some =
        _mm512_test_epi64_mask(_mm512_castpd_si512(square), _mm512_castpd_si512(square));
    return _mm512_maskz_fmadd_pd(some, rest, h, g);
}

enum { FLOATS = 16 };

ALWAYS void put(float *out, __m512 found, bool streams)
{
    if (streams) {
        _mm512_stream_ps(out, found);
    } else {
        _mm512_storeu_ps(out, found);
    }
}

static void roots16(const uint16_t *squares, int64_t count, float *out, bool streams)
{
    int64_t before = (int64_t)((BYTES - (uintptr_t)out % BYTES) % BYTES / sizeof *out);
    int64_t i = before < count ? before : count;
    streams = streams && (uintptr_t)out % sizeof *out == 0;
    roots_of_some(squares, i, out);
    for (; i + FLOATS <= count; i += FLOATS) {
        __m256i narrow = _mm256_loadu_si256((const void *)(squares + i));
        put(out + i, root(_mm512_cvtepi32_ps(_mm512_cvtepu16_epi32(narrow))), streams);
    }
    roots_of_some(squares + i, count - i, out + i);
    _mm_sfence();
}

static void roots24(const uint32_t *squares, int64_t count, float *out, bool streams)
{
    int64_t before = (int64_t)((BYTES - (uintptr_t)out % BYTES) % BYTES / sizeof *out), i;
    before = before < count ? before : count;
    streams = streams && (uintptr_t)out % sizeof *out == 0;
    roots_of_some24(squares, before, out);
    for (i = before; i + FLOATS <= count; i += FLOATS) {
        __m512 square = _mm512_cvtepi32_ps(_mm512_loadu_si512(squares + i));
        put(out + i, _mm512_sqrt_ps(square), streams);
    }
    roots_of_some24(squares + i, count - i, out + i);
    _mm_sfence();
}

static void roots16_wide(const uint16_t *squares, int64_t count, double *out, bool streams)
{
    enum { LANES = 8 };
    int64_t before = (int64_t)((BYTES - (uintptr_t)out % BYTES) % BYTES / sizeof *out);
    int64_t i = before < count ? before : count;
    streams = streams && (uintptr_t)out % sizeof *out == 0;
    roots_of_some_wide(squares, i, out);
    for (; i + LANES <= count; i += LANES) {
        __m128i narrow = _mm_loadu_si128((const void *)(squares + i));
        __m512d found = root_wide(_mm512_cvtepi32_pd(_mm256_cvtepu16_epi32(narrow)));
        if (streams) {
            _mm512_stream_pd(out + i, found);
        } else {
            _mm512_storeu_pd(out + i, found);
        }
    }
    roots_of_some_wide(squares + i, count - i, out + i);
    _mm_sfence();
}

#else

static void roots24(const uint32_t *squares, int64_t count, float *out, bool streams)
{
    (void)streams;
    roots_of_some24(squares, count, out);
}

static void roots16(const uint16_t *squares, int64_t count, float *out, bool streams)
{
    (void)streams;
    roots_of_some(squares, count, out);
}

static void roots16_wide(const uint16_t *squares, int64_t count, double *out, bool streams)
{
    (void)streams;
    roots_of_some_wide(squares, count, out);
}

#endif
