# loadline_room(NAME [COLD] [USES rooms...] [LIBRARIES targets...])
# One folder of src/ becomes one static library loadline_NAME from its *.cpp, and one test program
# NAME_test from its *_test.cpp, which stand beside the code they test. A COLD room runs once a run and not once a
# request: it is compiled with less effort, as tests are, so that a clean build stays short.

add_library(loadline_options INTERFACE)
target_compile_options(loadline_options INTERFACE -Wall -Wextra -Wconversion -Wshadow -Wnon-virtual-dtor
                       -Wno-missing-field-initializers)
# These judge what the optimiser made of the standard library's own code, differently in every release of g++, and
# were wrong each time they spoke here.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  target_compile_options(loadline_options INTERFACE -Wno-maybe-uninitialized -Wno-stringop-overflow -Wno-stringop-overread
                         -Wno-array-bounds -Wno-restrict)
  if(CMAKE_CXX_COMPILER_VERSION VERSION_GREATER_EQUAL 13)
    target_compile_options(loadline_options INTERFACE -Wno-dangling-reference)
  endif()
endif()
if(LOADLINE_WERROR)
  target_compile_options(loadline_options INTERFACE -Werror)
endif()
if(LOADLINE_SANITIZE)
  target_compile_options(loadline_options INTERFACE -fsanitize=${LOADLINE_SANITIZE} -fno-omit-frame-pointer)
  target_link_options(loadline_options INTERFACE -fsanitize=${LOADLINE_SANITIZE})
endif()
# simdjson reads JSON with the instructions that the compiler may use; every x86 server since 2010 has these.
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  target_compile_options(loadline_options INTERFACE -msse4.2 -mpclmul)
endif()
target_include_directories(loadline_options INTERFACE ${CMAKE_SOURCE_DIR}/src)
target_compile_definitions(loadline_options INTERFACE LOADLINE_VERSION="${PROJECT_VERSION}"
                           LOADLINE_SOURCE_DIR="${CMAKE_SOURCE_DIR}")

function(loadline_room name)
  cmake_parse_arguments(room "COLD" "" "USES;LIBRARIES" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/${name}/*.cpp)
  set(tests ${sources})
  list(FILTER sources EXCLUDE REGEX "_test\\.cpp$")
  list(FILTER tests INCLUDE REGEX "_test\\.cpp$")
  set(uses ${room_USES})
  list(TRANSFORM uses PREPEND loadline_)

  if(sources)
    add_library(loadline_${name} STATIC ${sources})
    target_link_libraries(loadline_${name} PUBLIC loadline_options ${uses} ${room_LIBRARIES})
    if(room_COLD)
      target_compile_options(loadline_${name} PRIVATE $<$<CONFIG:Release>:-O1>)
    endif()
    if(name STREQUAL "core")
      target_precompile_headers(loadline_core PRIVATE ${CMAKE_SOURCE_DIR}/cmake/precompiled.h)
    else()
      target_precompile_headers(loadline_${name} REUSE_FROM loadline_core)
    endif()
  else()
    add_library(loadline_${name} INTERFACE)
    target_link_libraries(loadline_${name} INTERFACE loadline_options ${uses} ${room_LIBRARIES})
  endif()

  if(tests)
    add_executable(${name}_test ${tests})
    target_link_libraries(${name}_test PRIVATE loadline_${name} GTest::gtest_main)
    target_compile_options(${name}_test PRIVATE $<$<CONFIG:Release>:-O0>)
    if(name STREQUAL "core")
      target_precompile_headers(core_test PRIVATE ${CMAKE_SOURCE_DIR}/cmake/precompiled.h <gtest/gtest.h>)
    else()
      target_precompile_headers(${name}_test REUSE_FROM core_test)
    endif()
    add_test(NAME ${name} COMMAND ${name}_test)
    set_tests_properties(${name} PROPERTIES TIMEOUT 600 LABELS unit)
    # Tests on the large real traces run where those are, and are skipped by name and reason elsewhere.
    if(EXISTS ${CMAKE_SOURCE_DIR}/../shared/traces)
      set_tests_properties(${name} PROPERTIES ENVIRONMENT LOADLINE_SHARED=${CMAKE_SOURCE_DIR}/../shared)
    endif()
  endif()
endfunction()
