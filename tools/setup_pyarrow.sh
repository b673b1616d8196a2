#!/bin/sh
# Brings pyarrow into FOLDER/venv, for the tests that read Parquet. Where that is impossible (no network), those tests
# are skipped by name.
set -u
folder=$1
mkdir -p "$folder" || exit 1
[ -f "$folder/ready-1" ] && exit 0
python3 -m venv "$folder/venv" >"$folder/log" 2>&1 \
  && "$folder/venv/bin/pip" install -q --disable-pip-version-check pyarrow >>"$folder/log" 2>&1 \
  && touch "$folder/ready-1" \
  || echo "pyarrow is not available (see $folder/log): tests of Parquet are skipped"
exit 0
