#include "app/main.h"

int main(int argc, char** argv) { return loadline::run_program(argc, argv); }
