# One static library per layer.
#
# tacho_layer(NAME SOURCES a.cc b.cc [LAYERS tacho_common] [USES PkgConfig::ZSTD])
#   LAYERS: layers of ours that this one's headers may need (public).
#   USES:   third-party libraries at home in this layer (private: their headers go no further).
function(tacho_layer name)
  cmake_parse_arguments(A "" "" "SOURCES;LAYERS;USES" ${ARGN})
  add_library(${name} STATIC ${A_SOURCES})
  target_include_directories(${name} PUBLIC "${PROJECT_SOURCE_DIR}")
  target_link_libraries(${name} PUBLIC ${A_LAYERS} PRIVATE tacho_warnings ${A_USES})
endfunction()

# tacho_program(NAME SOURCES main.cc LAYERS ... [USES ...])
# libstdc++ and libgcc are linked in: a robot's image decides only about libc and libsystemd.
function(tacho_program name)
  cmake_parse_arguments(A "" "" "SOURCES;LAYERS;USES" ${ARGN})
  add_executable(${name} ${A_SOURCES})
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/bin")
  target_link_libraries(${name} PRIVATE tacho_warnings ${A_LAYERS} ${A_USES})
  target_compile_definitions(${name} PRIVATE TACHO_VERSION="${PROJECT_VERSION}")
  if(NOT TACHO_SANITIZE)
    target_link_options(${name} PRIVATE -static-libstdc++ -static-libgcc -Wl,--gc-sections)
  endif()
endfunction()

# tacho_test(NAME SOURCES x_test.cc LAYERS ... [LABELS unit])
function(tacho_test name)
  cmake_parse_arguments(A "" "" "SOURCES;LAYERS;USES;LABELS" ${ARGN})
  add_executable(${name} ${A_SOURCES})
  target_link_libraries(${name} PRIVATE tacho_warnings ${A_LAYERS} ${A_USES} GTest::gmock_main)
  target_compile_definitions(${name} PRIVATE TACHO_SOURCE_DIR="${PROJECT_SOURCE_DIR}"
                             TACHO_BINARY_DIR="${PROJECT_BINARY_DIR}")
  add_test(NAME ${name} COMMAND ${name})
  set_tests_properties(${name} PROPERTIES LABELS "${A_LABELS}" TIMEOUT 300)
endfunction()
