# TACHO_SANITIZE=address,undefined or thread: the whole build, libraries of ours included.
if(TACHO_SANITIZE)
  add_compile_options(-fsanitize=${TACHO_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${TACHO_SANITIZE})
endif()
