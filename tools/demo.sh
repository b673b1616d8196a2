#!/bin/sh
# The worked example of docs/method.md: first in virtual time, then over real HTTP with the engine's clock sped up.
set -eu
loadline=$1
tools=$(dirname "$0")
number=1
while [ -e "demo-run/$number" ] || [ -e "demo-run/$number-virtual" ]; do number=$((number + 1)); done
mkdir -p demo-run
folder=demo-run/$number

echo "== In virtual time: 20,000 requests a level on the engine model =="
"$loadline" simulate --ui none --output-dir "$folder-virtual"

echo
echo "== The same traffic over real HTTP: the embedded engine on loopback, its time running 8 times faster =="
"$loadline" run --trace builtin:worked-example --concurrency 8,32,64,96 --slo 'p99 ttft<=1000ms' \
  --engine-speed 8 --num-prompts 1000 --output-dir "$folder" || {
  [ $? = 1 ] || exit 1
  echo "The run over HTTP is NOT VALID for the reason above (a busy machine?): its column below is no measurement."
}

echo
echo "== Side by side =="
python3 "$tools/demo_table.py" "$folder-virtual/report.json" "$folder/report.json"
echo
echo "Pages: $folder/report.html (over HTTP) and $folder-virtual/report.html (virtual time)"
