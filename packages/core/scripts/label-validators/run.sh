#!/bin/sh
# Writes sample labels, renders them at 203 and 300 dots per inch, and decodes every QR code with ZBar. Requires
# `zbarimg`, `rsvg-convert`, and `pdftoppm`. Run this script from packages/core. To inspect the rendered labels, specify
# an output folder.
set -eu
folder=${1:-$(mktemp -d)}
mkdir -p "$folder"
node --conditions=@compliance/source scripts/label-validators/write-labels.ts "$folder"
failed=0
decoded=0
for pdf in "$folder"/*.pdf; do
  label=${pdf%.pdf}
  dpi=${label##*-}
  pdftoppm -r "$dpi" -png -singlefile "$pdf" "$label-from-pdf"
  rsvg-convert -d "$dpi" -p "$dpi" "$label.svg" -o "$label-from-svg.png"
  for image in "$label-from-pdf.png" "$label-from-svg.png" "$label.pbm"; do
    if zbarimg -q --raw "$image" 2>/dev/null | grep -q '^https://compliance.example/gcc/'; then
      decoded=$((decoded + 1))
    else
      echo "FAIL $image"
      failed=$((failed + 1))
    fi
  done
done
echo "$decoded codes decoded, $failed failed"
[ "$failed" = 0 ]
