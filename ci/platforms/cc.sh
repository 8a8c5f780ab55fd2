#!/usr/bin/env bash
# The C compiler of another platform: `zig cc` for the platform $ZIG_TARGET, from the Python package in $ZIG_PACKAGE. Zig
# has the headers of every platform with it. It names platforms otherwise than clang, so what names them here is left out.
set -uo pipefail

kept=()
while [ $# -gt 0 ]; do
  case $1 in
    --target=* | -mmacosx-version-min=* | -mmacos-version-min=*) ;;
    -arch | -target | -isysroot) shift ;;
    *) kept+=("$1") ;;
  esac
  shift
done
exec env PYTHONPATH="$ZIG_PACKAGE" python3 -m ziglang cc -target "$ZIG_TARGET" "${kept[@]}"
