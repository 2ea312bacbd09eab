# gRPC, protobuf and OpenSSL, linked into our programs, and the code generated from proto/.
#
# protoc and its plugin run on the building machine, so they are looked up as programs even when cross-compiling.
find_program(TACHO_PROTOC protoc REQUIRED)
find_program(TACHO_GRPC_PLUGIN grpc_cpp_plugin)
pkg_check_modules(PROTOBUF REQUIRED protobuf)

# tacho_archives(TARGET libraries...): the static archive of each library where there is one, all in one group since
# they need each other in circles. What belongs to libc stays dynamic.
function(tacho_archives target)
  set(archives "")
  set(shared "")
  set(names ${ARGN})
  list(REMOVE_DUPLICATES names)
  foreach(name IN LISTS names)
    if(name MATCHES "^(pthread|dl|rt|m|c|atomic)$")
      continue()
    endif()
    find_library(TACHO_ARCHIVE_${name} NAMES lib${name}.a NO_CACHE)
    if(TACHO_ARCHIVE_${name})
      list(APPEND archives "${TACHO_ARCHIVE_${name}}")
    else()
      list(APPEND shared "${name}")
    endif()
    unset(TACHO_ARCHIVE_${name})
  endforeach()
  list(JOIN archives "," group)
  add_library(${target} INTERFACE)
  target_link_libraries(${target} INTERFACE "$<LINK_GROUP:RESCAN,${group}>" ${shared} Threads::Threads ${CMAKE_DL_LIBS})
endfunction()

tacho_archives(tacho_protobuf_archive protobuf)
if(TACHO_GRPC)
  pkg_check_modules(GRPC REQUIRED grpc++ protobuf)
  tacho_archives(tacho_grpc_archives ${GRPC_STATIC_LIBRARIES})
endif()

# Messages alone, and the services beside them. Generated code keeps its own warnings to itself.
set(tacho_generated "${PROJECT_BINARY_DIR}/generated")
function(tacho_generate stem)
  set(proto "${PROJECT_SOURCE_DIR}/proto/${stem}.proto")
  set(out "${tacho_generated}/${stem}")
  file(MAKE_DIRECTORY "${tacho_generated}")
  add_custom_command(OUTPUT "${out}.pb.cc" "${out}.pb.h"
    COMMAND "${TACHO_PROTOC}" "--proto_path=${PROJECT_SOURCE_DIR}/proto" "--cpp_out=${tacho_generated}" "${proto}"
    DEPENDS "${proto}" VERBATIM)
  add_library(tacho_messages STATIC "${out}.pb.cc")
  target_include_directories(tacho_messages SYSTEM PUBLIC "${tacho_generated}" ${PROTOBUF_INCLUDE_DIRS})
  target_compile_options(tacho_messages PRIVATE -w)
  if(NOT TACHO_GRPC)
    target_link_libraries(tacho_messages PUBLIC tacho_protobuf_archive)
    return()
  endif()
  add_custom_command(OUTPUT "${out}.grpc.pb.cc" "${out}.grpc.pb.h"
    COMMAND "${TACHO_PROTOC}" "--proto_path=${PROJECT_SOURCE_DIR}/proto" "--grpc_out=${tacho_generated}"
            "--plugin=protoc-gen-grpc=${TACHO_GRPC_PLUGIN}" "${proto}"
    DEPENDS "${proto}" "${out}.pb.h" VERBATIM)
  add_library(tacho_services STATIC "${out}.grpc.pb.cc" "${out}.grpc.pb.h")
  target_compile_options(tacho_services PRIVATE -w)
  target_link_libraries(tacho_services PUBLIC tacho_messages tacho_grpc_archives)
endfunction()
tacho_generate(tacho/v1/telemetry)
