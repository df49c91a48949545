# The target `docs`: pages of the public headers' comments, in build/PRESET/docs/html.
find_program(DOXYGEN_EXECUTABLE doxygen)
if(DOXYGEN_EXECUTABLE)
    configure_file(docs/Doxyfile.in Doxyfile @ONLY)
    add_custom_target(docs
        COMMAND ${CMAKE_COMMAND} -D HALOBEAT_SOURCE=${PROJECT_SOURCE_DIR}
                -D HALOBEAT_GENERATED=${PROJECT_BINARY_DIR}/generated
                -D HALOBEAT_GATHERED=${PROJECT_BINARY_DIR}/docs/headers
                -D HALOBEAT_MPI=${HALOBEAT_MPI}
                -P ${PROJECT_SOURCE_DIR}/cmake/public_headers.cmake
        COMMAND ${DOXYGEN_EXECUTABLE} ${PROJECT_BINARY_DIR}/Doxyfile
        WORKING_DIRECTORY ${PROJECT_BINARY_DIR}
        COMMENT "Documenting the interface: ${PROJECT_BINARY_DIR}/docs/html/index.html")
endif()
