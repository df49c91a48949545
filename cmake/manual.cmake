# The page of halobeat-keep-going, which is a script with few options, is written by hand: install_manual compares it
# with the script's help.
if(HALOBEAT_MPI)
    configure_file(${PROJECT_SOURCE_DIR}/docs/manual/halobeat-keep-going.1.in
        ${PROJECT_BINARY_DIR}/manual/halobeat-keep-going.1 @ONLY)
    install(FILES ${PROJECT_BINARY_DIR}/manual/halobeat-keep-going.1
            DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT program)
endif()
# The manual page and the completion for bash, which the program prints from its tables of options.
if(HALOBEAT_SANITIZE OR CMAKE_CROSSCOMPILING)
    set(halobeat_manual OFF)
else()
    set(halobeat_manual ON)
endif()
option(HALOBEAT_MANUAL "Make the manual page and the completion; runs the program" ${halobeat_manual})
if(HALOBEAT_MANUAL)
    set(manual ${PROJECT_SOURCE_DIR}/docs/manual)
    set(made ${PROJECT_BINARY_DIR}/manual)
    add_custom_command(OUTPUT ${made}/halobeat.1 ${made}/halobeat
        COMMAND sh ${manual}/make.sh $<TARGET_FILE:halobeat_program> ${made}
        DEPENDS halobeat_program ${manual}/make.sh ${manual}/completion.bash.in
            ${manual}/halobeat.1.in
        COMMENT "Writing the manual page"
        VERBATIM)
    add_custom_target(manual ALL DEPENDS ${made}/halobeat.1 ${made}/halobeat)
    install(FILES ${made}/halobeat.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT program)
    # bash-completion looks for a file by the first word, which is mpiexec where there are ranks.
    foreach(command halobeat mpiexec mpirun)
        install(FILES ${made}/halobeat RENAME ${command}
                DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions COMPONENT program)
    endforeach()
endif()
