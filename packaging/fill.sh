#!/usr/bin/env bash
# Fills the templates of packages with a version and the checksums of its archives.
#
#   packaging/fill.sh 0.2.0 SHA256SUMS FOLDER
set -euo pipefail

version=$1
sums=$2
out=$3
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
templates=(homebrew/attractor.rb aur/PKGBUILD mason/package.yaml)

case $version in
  *[!0-9A-Za-z.+-]* | "") echo "the version is \`$version\`; expected one like \`0.2.0\`" >&2; exit 2 ;;
esac

script="s/@VERSION@/$version/g"
while read -r digest name; do
  target=${name#attractor-}
  [[ $name == attractor-*.tar.gz && $digest =~ ^[0-9a-f]{64}$ ]] || continue
  script+=$'\n'"s/@SHA256:${target%.tar.gz}@/$digest/g"
done <"$sums"

for template in "${templates[@]}"; do
  mkdir -p "$out/$(dirname "$template")"
  sed -e "$script" "$here/$template" >"$out/$template"
  if missing=$(grep -o '@[A-Z0-9]*[:@][^@]*@\?' "$out/$template"); then
    echo "\`$template\` has no value for ${missing//$'\n'/, }: the list of checksums lacks its archive" >&2
    exit 1
  fi
done
