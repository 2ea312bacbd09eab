# Where an installed Tachograph lies: `cmake --install build/release --prefix /usr [--component robot|server]`.
include(GNUInstallDirs)

# tacho_install(COMPONENT PROGRAMS... ): the programs, and the units, users and folders named after the component.
function(tacho_install component)
  install(TARGETS ${ARGN} RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}" COMPONENT ${component})
  foreach(program IN LISTS ARGN)
    if(EXISTS "${PROJECT_SOURCE_DIR}/systemd/${program}.service")
      install(FILES "${PROJECT_SOURCE_DIR}/systemd/${program}.service"
              DESTINATION lib/systemd/system COMPONENT ${component})
    endif()
  endforeach()
  foreach(kind sysusers tmpfiles)
    if(EXISTS "${PROJECT_SOURCE_DIR}/systemd/tacho-${component}.${kind}")
      install(FILES "${PROJECT_SOURCE_DIR}/systemd/tacho-${component}.${kind}" RENAME "tacho-${component}.conf"
              DESTINATION lib/${kind}.d COMPONENT ${component})
    endif()
  endforeach()
endfunction()

if(TACHO_GRPC)
  tacho_install(robot tachod tacho-uplink tacho)
  tacho_install(server tacho-server tacho)
endif()
