#include "io/places/places.h"
#include "support/scratch.h"
#include "support/unit_check.h"

static void check_list(const halo_places *places, int axes, const int64_t *wanted, size_t count)
{
    halo_buffer list = {0};
    SUCCEEDS(halo_places_list(places, axes, &list));
    CU_ASSERT_EQUAL(list.size, count * sizeof *wanted);
    check(list.size == count * sizeof *wanted && memcmp(list.data, wanted, list.size) == 0,
          "other places than were given");
    halo_buffer_free(&list);
}

TEST("places one by one")
{
    static halo_places pairs, numbers, wrong;
    SUCCEEDS(halo_places_add(&pairs, "10,20", false));
    SUCCEEDS(halo_places_add(&pairs, "0,2147483647", false));
    check_list(&pairs, 2, (const int64_t[]){20, 10, INT32_MAX, 0}, 4); /* rows before columns */
    CU_ASSERT_PTR_NULL(pairs.odd[2]);
    CU_ASSERT_STRING_EQUAL(pairs.odd[3], "0,2147483647");
    SUCCEEDS(halo_places_add(&numbers, "7", false));
    SUCCEEDS(halo_places_add(&numbers, "3,4,5", false));
    check_list(&numbers, 1, (const int64_t[]){7, 3, 4, 5}, 4);
    CU_ASSERT_STRING_EQUAL(numbers.odd[2], "3,4,5");
    CU_ASSERT_STRING_EQUAL(numbers.odd[3], "7");
    static halo_places triples;
    SUCCEEDS(halo_places_add(&triples, "1,2,3", false));
    SUCCEEDS(halo_places_add(&triples, "40,50,60", false));
    check_list(&triples, 3, (const int64_t[]){3, 2, 1, 60, 50, 40}, 6); /* planes first */
    CU_ASSERT_PTR_NULL(triples.odd[3]);
    const char *const no_places[] = {"", ",", "1,", "-1,2", "1 2", "x", "1,2147483648"};
    for (size_t i = 0; i < sizeof no_places / sizeof *no_places; i++) {
        CU_ASSERT_EQUAL(halo_places_add(&wrong, no_places[i], false), HALO_FORMAT);
    }
    FAILS(HALO_ARGUMENT, "one by one or in one file", halo_places_add(&pairs, "a.csv", true));
}

TEST("as many places as there is room for")
{
    static halo_places places;
    for (int i = 0; i < HALO_PLACES; i++) {
        SUCCEEDS(halo_places_add(&places, "1,2,3", false));
    }
    FAILS(HALO_ARGUMENT, "more than 1024 places", halo_places_add(&places, "1,2", false));
    CU_ASSERT_EQUAL(places.number_count, 3 * HALO_PLACES);
}

static void check_refused(const char *text, int axes, const char *message)
{
    static halo_places places;
    halo_buffer list = {0};
    places = (halo_places){.path = "wrong.csv"};
    scratch_text("wrong.csv", text);
    FAILS(HALO_FORMAT, message, halo_places_list(&places, axes, &list));
    halo_buffer_free(&list);
}

TEST("places in files")
{
    static halo_places places;
    const char pairs[] = "x,y\r\n3,4\r\n\r\n  \n50,60", numbers[] = "12\n\n7\n";
    scratch_text("pairs.csv", pairs);
    SUCCEEDS(halo_places_add(&places, "pairs.csv", true));
    check_list(&places, 2, (const int64_t[]){4, 3, 60, 50}, 4);
    FAILS(HALO_ARGUMENT, "one by one or in one file", halo_places_add(&places, "1,2", false));
    scratch_text("numbers.csv", numbers);
    places = (halo_places){.path = "numbers.csv"};
    check_list(&places, 1, (const int64_t[]){12, 7}, 2);
    check_refused("x,y\n1;2\n", 2, "line 2: this is no place; each line has a column and a row");
    check_refused("1,2\nx,y\n", 2, "line 2: this is no place"); /* no head there */
    check_refused("1,2,3\n", 2, "line 1: this is no place");
    check_refused("1,2\n", 1, "line 1: this is no place");
    check_refused("1,2\n", 3,
                  "line 1: this is no place; each line has a column, a row and a plane");
    check_refused("1,2,3,4\n", 3, "line 1: this is no place");
    scratch_text("triples.csv", "x,y,z\n3,4,5\n50,60,70\n");
    places = (halo_places){.path = "triples.csv"};
    check_list(&places, 3, (const int64_t[]){5, 4, 3, 70, 60, 50}, 6);
    check_refused("x,y\n\n", 2, "has no place; give each line a column");
    halo_buffer list = {0};
    places = (halo_places){.path = "no/such.csv"};
    FAILS(HALO_FILE, "cannot be read", halo_places_list(&places, 1, &list));
}

int main(void)
{
    return scratch_run();
}
