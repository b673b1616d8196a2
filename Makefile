# The README's two commands. Each does all set-up on a fresh Debian 12+ or Ubuntu 24.04+ machine.
#   make demo   builds, then draws the worked example in virtual time and over real HTTP
#   make test   builds, then runs every test, also against a real engine
BUILD := build/release
JOBS  ?= $(shell nproc)

.PHONY: all demo test setup configure program build real-engine dynamo pyarrow clean
all: build

setup:
	@tools/setup.sh

configure: setup
	@mkdir -p build
	@cmake --preset release > build/configure.log 2>&1 || { cat build/configure.log; exit 1; }

program: configure
	@cmake --build $(BUILD) -j $(JOBS) --target loadline

build: configure
	@cmake --build $(BUILD) -j $(JOBS)

demo: program
	@tools/demo.sh $(BUILD)/bin/loadline

real-engine: setup
	@tools/setup_real_engine.sh build/real-engine

dynamo: setup
	@tools/setup_dynamo.sh build/dynamo

pyarrow: setup
	@tools/setup_pyarrow.sh build/pyarrow

test: build real-engine dynamo pyarrow
	@ctest --test-dir $(BUILD) --output-on-failure -j 1

clean:
	rm -rf build demo-run
