# Which stages of .ci/run run a test, and what each of them has to build for its tests.

# Tests that take longest in one of the stages start first, in this order: one that starts last would keep one core
# while the others have nothing to do. A fresh clone does not know how long tests take.
set(HALOBEAT_LONG_TESTS
    install_copy cli_threads_as_mpi cli_threads_signals cli_memory cli_threads_faults cli_bench cli_ranks_differ
    hosts_faults hosts_going_on cli_threads threads_same_stencils threads_same_pictures cli_same_files_label
    mpi_forged_checkpoints_1_7 mpi_forged_checkpoints_3_41 cli_formats threads_life_memory cli_kills cli_life_results
    threads_many_label threads_tasks_tell cli_geometry cli_zarr cli_hdf5 threads_memory threads_shared balance_noise
    cli_journal cli_synthetic_tasks thread_mutants fuzz_image fuzz_hdf5 fuzz_zarr balance_disturbed hosts_ends
    mpi_same_life hosts_same_files_label hosts_disks hosts_stores cli_snake_coins threads_many_motion
    threads_life_known png_read cli_mpi_errors cli_refusals_rows threads_same_life cli_interruptions_life
    thread_bags cli_batch_on_mpi install_examples install_libraries install_tutorial install_names install_blur)

# halobeat_test_stages(TEST STAGE...): the stages that run this test, as its labels: ci-gcc for gcc, and so on;
# all-gcc for all-gcc, which only `.ci/run --all` runs. `.ci/run --stages` lists them all, and stages.sh finds a
# test that no stage runs.
function(halobeat_test_stages test)
    set(stages ${ARGN})
    list(FILTER stages EXCLUDE REGEX "^all-")
    list(TRANSFORM stages PREPEND ci-)
    set(rare ${ARGN})
    list(FILTER rare INCLUDE REGEX "^all-")
    set_tests_properties(${test} PROPERTIES LABELS "${stages};${rare}")
    list(FIND HALOBEAT_LONG_TESTS ${test} place)
    if(NOT place EQUAL -1)
        math(EXPR cost "1000 - ${place}")
        set_tests_properties(${test} PROPERTIES COST ${cost})
    endif()
    set_property(GLOBAL APPEND PROPERTY halobeat_staged_tests ${test})
    set_property(GLOBAL PROPERTY halobeat_labels_of_${test} ${stages} ${rare})
endfunction()

# halobeat_test_needs(TEST TARGET...): what must be built before this test. `./run test -L '^LABEL$'` builds no
# more than this for the tests with that label, and a test whose program is not there fails.
function(halobeat_test_needs test)
    set_property(GLOBAL PROPERTY halobeat_needs_of_${test} ${ARGN})
endfunction()

# halobeat_stage_targets(): a target for each label, which builds what its tests need, and a file with the names
# of these targets, by which ./run knows them. Call it when all tests are known.
function(halobeat_stage_targets)
    get_property(tests GLOBAL PROPERTY halobeat_staged_tests)
    list(REMOVE_DUPLICATES tests)
    set(all_labels)
    foreach(test IN LISTS tests)
        get_property(labels GLOBAL PROPERTY halobeat_labels_of_${test})
        get_property(needs GLOBAL PROPERTY halobeat_needs_of_${test})
        foreach(label IN LISTS labels)
            list(APPEND all_labels ${label})
            list(APPEND needs_of_${label} ${needs})
        endforeach()
    endforeach()
    list(REMOVE_DUPLICATES all_labels)
    foreach(label IN LISTS all_labels)
        add_custom_target(${label})
        if(needs_of_${label})
            list(REMOVE_DUPLICATES needs_of_${label})
            add_dependencies(${label} ${needs_of_${label}})
        endif()
    endforeach()
    list(JOIN all_labels "\n" lines)
    file(WRITE ${CMAKE_BINARY_DIR}/stage_targets "${lines}\n")
endfunction()
