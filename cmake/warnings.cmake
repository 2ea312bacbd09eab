# The warnings every target of the house is built with.
add_library(tacho_warnings INTERFACE)
target_compile_options(tacho_warnings INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wconversion
                       -Wsign-conversion -Wnon-virtual-dtor -Woverloaded-virtual -Wold-style-cast
                       -Wformat=2 -Wimplicit-fallthrough)
if(CMAKE_CXX_COMPILER_ID MATCHES Clang)
  target_compile_options(tacho_warnings INTERFACE -Wthread-safety)
endif()
if(TACHO_WERROR)
  target_compile_options(tacho_warnings INTERFACE -Werror)
endif()
