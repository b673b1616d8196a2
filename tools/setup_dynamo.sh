#!/bin/sh
# Brings NVIDIA Dynamo's front end with its mocker engine (wheels ai-dynamo) and a small tokenizer into FOLDER for
# tests/real. Where that is impossible (no network), the reason goes to FOLDER/unavailable and those tests are skipped by it.
set -u
folder=$1
here=$(dirname "$0")
mkdir -p "$folder" || exit 1
[ -f "$folder/ready-1" ] && exit 0
rm -f "$folder/unavailable"
fail() { echo "$1" >"$folder/unavailable"; echo "dynamo not available: $1"; exit 0; }
python3 -m venv "$folder/venv" >"$folder/log" 2>&1 || fail "python3 -m venv failed (see $folder/log)"
# --no-deps: one requirement of ai-dynamo is fetched from a place of its own.
"$folder/venv/bin/pip" install -q --disable-pip-version-check --no-deps ai-dynamo==1.6.1 ai-dynamo-runtime==1.6.1 >>"$folder/log" 2>&1 \
  || fail "pip could not install ai-dynamo"
"$folder/venv/bin/pip" install -q --disable-pip-version-check uvloop==0.23.0 pydantic==2.13.5 pyzmq==27.3.0 \
  msgspec==0.23.0 transformers==5.24.0 prometheus_client==0.26.0 redis==8.1.0 zstandard==0.25.0 aiohttp==3.14.5 >>"$folder/log" 2>&1 || fail "pip could not install what ai-dynamo needs"
python3 "$here/make_byte_tokenizer.py" "$folder/tokenizer" >>"$folder/log" 2>&1 || fail "the tokenizer could not be made (see $folder/log)"
touch "$folder/ready-1"
