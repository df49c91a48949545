#include "io/npy.h"
#include "support/unit_check.h"

#include <stdio.h>
#include <string.h>

static void check_header(halo_npy_header header, const char *text)
{
    halo_buffer out = {0};
    CU_ASSERT_EQUAL_FATAL(halo_npy_begin(&out, &header), HALO_OK);
    CU_ASSERT_FATAL(out.size > 10);
    CU_ASSERT_EQUAL(out.size % 64, 0);
    CU_ASSERT(memcmp(out.data, "\x93NUMPY\x01\x00", 8) == 0);
    CU_ASSERT_EQUAL(out.data[8] + 256u * out.data[9], out.size - 10);
    CU_ASSERT(memcmp(out.data + 10, text, strlen(text)) == 0);
    for (size_t i = 10 + strlen(text); i < out.size - 1; i++) {
        CU_ASSERT_EQUAL(out.data[i], ' ');
    }
    CU_ASSERT_EQUAL(out.data[out.size - 1], '\n');
    halo_buffer_free(&out);
}

static void test_headers(void)
{
    check_header((halo_npy_header){3, 2, HALO_NPY_U8},
                 "{'descr': '|u1', 'fortran_order': False, 'shape': (2, 3), }");
    check_header((halo_npy_header){70, 0, HALO_NPY_U16},
                 "{'descr': '<u2', 'fortran_order': False, 'shape': (0, 70), }");
    check_header((halo_npy_header){16384, 16385, HALO_NPY_I32},
                 "{'descr': '<i4', 'fortran_order': False, 'shape': (16385, 16384), }");
    check_header((halo_npy_header){3000000000, 40000000, HALO_NPY_I64},
                 "{'descr': '<i8', 'fortran_order': False, 'shape': (40000000, 3000000000), }");
    check_header((halo_npy_header){1, 1, HALO_NPY_F64},
                 "{'descr': '<f8', 'fortran_order': False, 'shape': (1, 1), }");
}

/* Every length of text, so that the padding is right around multiples of 64. */
static void test_padding(void)
{
    for (int64_t width = 1; width < INT64_MAX / 200; width *= 10) {
        char text[200];
        snprintf(text, sizeof text,
                 "{'descr': '<i8', 'fortran_order': False, 'shape': (1, %lld), }",
                 (long long)width);
        check_header((halo_npy_header){width, 1, HALO_NPY_I64}, text);
    }
}

/* Every type, parsed from what was begun. */
static void test_parse(void)
{
#define TYPE(code, descr, bytes) {HALO_NPY_##code, bytes},
    static const struct {
        halo_npy_type type;
        size_t bytes;
    } types[] = {HALO_NPY_LIST(TYPE)};
#undef TYPE
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        const halo_npy_header header = {(int64_t)i * 123456789, 7, types[i].type};
        halo_npy_header parsed;
        halo_buffer out = {0};
        bool swapped = true;
        size_t head = 0;
        CU_ASSERT_EQUAL_FATAL(halo_npy_begin(&out, &header), HALO_OK);
        CU_ASSERT_EQUAL(halo_npy_parse(out.data, out.size, "a", &parsed, &swapped, &head), HALO_OK);
        CU_ASSERT_EQUAL(head, out.size);
        CU_ASSERT_EQUAL(parsed.width, header.width);
        CU_ASSERT_EQUAL(parsed.height, header.height);
        CU_ASSERT_EQUAL(parsed.type, header.type);
        CU_ASSERT_FALSE(swapped && types[i].bytes > 1);
        CU_ASSERT_EQUAL(halo_npy_sample_bytes(&parsed), types[i].bytes);
        CU_ASSERT_EQUAL(halo_npy_row_bytes(&parsed), types[i].bytes * (size_t)parsed.width);
        halo_buffer_free(&out);
    }
}

static void test_refused(void)
{
    const halo_npy_header bad[] = {
        {-1, 5, HALO_NPY_U8},        {5, -1, HALO_NPY_U8},
        {INT64_MAX, 1, HALO_NPY_U8}, {(int64_t)1 << 32, (int64_t)1 << 32, HALO_NPY_I64},
        {5, 5, (halo_npy_type)99},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        halo_buffer out = {0};
        CU_ASSERT_EQUAL(halo_npy_begin(&out, &bad[i]), HALO_ARGUMENT);
        CU_ASSERT_EQUAL(out.size, 0);
        halo_buffer_free(&out);
    }
}

int main(void)
{
    CU_TestInfo tests[] = {
        {"headers", test_headers},
        {"padding", test_padding},
        {"headers parsed", test_parse},
        {"arrays that cannot be", test_refused},
        CU_TEST_INFO_NULL,
    };
    return unit_check_run("npy", tests);
}
