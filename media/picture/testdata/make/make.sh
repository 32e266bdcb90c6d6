#!/usr/bin/env bash
# Made the pictures beside this folder, with ImageMagick 6.9, libwebp 1.2 (cwebp, img2webp, webpmux), libjpeg-turbo 2.1 (cjpeg) and
# exiftool 12.5 of Debian 12. They are committed, because no test may need those programs.
#
# quarters: 96 x 64, red and green above blue and yellow, which a wrong turn, a wrong colour or half a file cannot hide in.
set -euo pipefail
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -r "$work"' EXIT
q=$work/quarters.png
convert -size 48x32 \( xc:'#d03020' xc:'#20a040' +append \) \( xc:'#2040c0' xc:'#e0c030' +append \) -append -depth 8 "$q"

stored=(- '' -flop '-rotate 180' -flip -transpose '-rotate 270' -transverse '-rotate 90')
for n in 1 2 3 4 5 6 7 8; do
	# shellcheck disable=SC2086 # options
	convert "$q" ${stored[$n]} +repage -quality 92 "orientation-$n.jpg"
	exiftool -q -overwrite_original -n -Orientation="$n" "orientation-$n.jpg"
done
convert "$q" -quality 92 -sampling-factor 2x2 "$work/plain.jpg"
cp "$work/plain.jpg" camera.jpg # as a phone writes it: place, maker, thumbnail, XMP, comment, colour profile
convert "$q" -resize 48x -quality 60 "$work/thumbnail.jpg"
exiftool -q -overwrite_original -Make=Maker -Model='Phone 9' -Artist='Jane Roe' -GPSLatitude=52.5 -GPSLatitudeRef=N -GPSLongitude=13.4 \
	-GPSLongitudeRef=E -Comment='my secret comment' -XMP-dc:Creator='Jane Roe' -IPTC:City=Berlin "-ThumbnailImage<=$work/thumbnail.jpg" camera.jpg
convert "$q" -quality 92 -interlace Plane progressive.jpg
convert "$q" -quality 92 -sampling-factor 1x1 444.jpg
convert "$q" -quality 92 -sampling-factor 2x1 422.jpg
convert "$q" -quality 92 -sampling-factor 1x2 440.jpg
convert "$q" -quality 92 -sampling-factor 4x1 411.jpg
convert "$q" -quality 92 -colorspace CMYK cmyk.jpg
convert "$q" -quality 92 -colorspace Gray grey.jpg
convert "$q" ppm:- | cjpeg -quality 92 -rgb >rgb.jpg
convert "$q" ppm:- | cjpeg -quality 92 -restart 1 >restart.jpg
convert "$q" ppm:- | cjpeg -quality 92 -arithmetic >arithmetic.jpg

convert "$q" -depth 16 -define png:bit-depth=16 -set comment 'my secret comment' 16-bit.png
convert "$q" -alpha set -channel A -evaluate set 50% +channel -depth 16 -define png:bit-depth=16 -define png:color-type=6 16-bit-clear.png
hole=(-alpha set -region 48x32+0+0 -alpha transparent +region) # instead of the red quarter
convert "$q" "${hole[@]}" -define png:color-type=6 clear.png
convert "$q" "${hole[@]}" -colors 8 png8:palette.png
convert "$q" -interlace PNG interlaced.png
convert "$q" -colorspace Gray grey.png
convert "$q" -transverse +repage -define png:color-type=2 turned.png
exiftool -q -overwrite_original -n -Orientation=7 -GPSLatitude=52.5 -Artist='Jane Roe' turned.png

convert -delay 20 "$q" \( "$q" -negate \) -loop 0 animated.gif
convert -delay 20 -size 96x64 -page 96x64+48+32 \( -size 48x32 xc:'#e0c030' \) -page 96x64+0+0 "$q" -loop 0 corner.gif
convert "$q" "${hole[@]}" clear.gif

cwebp -quiet -q 90 "$q" -o lossy.webp
cwebp -quiet -lossless "$q" -o lossless.webp
cwebp -quiet -q 90 clear.png -o clear.webp
cwebp -quiet -lossless clear.png -o clear-lossless.webp
convert "$q" -negate "$work/negative.png"
img2webp -loop 0 -lossy -q 90 -d 200 "$q" "$work/negative.png" -o animated.webp >/dev/null
convert "$q" -transpose +repage "$work/lying.png"
cwebp -quiet -q 90 "$work/lying.png" -o turned.webp
exiftool -q -overwrite_original -n -Orientation=5 -GPSLatitude=52.5 turned.webp
convert "$q" -compress LZW tiff.tiff
convert "$q" bmp3:bmp.bmp
