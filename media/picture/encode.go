package picture

import (
	"bytes"
	"image"
	"image/color"
	"image/jpeg"

	"github.com/gen2brain/webp"
)

// Qualities of what is shown, and how hard the WebP encoder tries, 0 to 6: 4 makes files 6 % smaller and takes three times as long.
const (
	jpegQuality = 82
	webpQuality = 80
	webpMethod  = 2
	blurQuality = 20
)

// jpeg writes a picture as JPEG, what is see-through on white. No metadata is written, because there is none in a raster.
func (r *raster) jpeg() ([]byte, error) {
	var out bytes.Buffer
	var m image.Image
	if r.opaque() {
		m = &image.YCbCr{
			Y: r.planes[0].pix, Cb: r.planes[1].pix, Cr: r.planes[2].pix, YStride: r.planes[0].stride, CStride: r.planes[1].stride,
			SubsampleRatio: image.YCbCrSubsampleRatio420, Rect: image.Rect(0, 0, r.w, r.h),
		}
	} else {
		m = r.onWhite()
	}
	err := jpeg.Encode(&out, m, &jpeg.Options{Quality: jpegQuality})
	return out.Bytes(), err
}

func (r *raster) onWhite() *image.RGBA {
	out := image.NewRGBA(image.Rect(0, 0, r.w, r.h))
	for y := range r.h {
		from, to := r.planes[0].row(y), out.Pix[y*out.Stride:]
		for i := 0; i < len(from); i += 4 {
			white := 255 - from[i+3]
			to[i], to[i+1], to[i+2], to[i+3] = from[i]+white, from[i+1]+white, from[i+2]+white, 255
		}
	}
	return out
}

// webp writes a picture as WebP.
func (r *raster) webp(quality int) ([]byte, error) {
	var out bytes.Buffer
	var m image.Image
	if r.opaque() {
		m = r.video()
	} else {
		m = r.divided()
	}
	err := webp.Encode(&out, m, webp.Options{Quality: quality, Method: webpMethod})
	return out.Bytes(), err
}

// video is brightness and colour in the range that a WebP has them in, with an alpha that hides nothing and is not written.
func (r *raster) video() *image.NYCbCrA {
	m := image.NewNYCbCrA(image.Rect(0, 0, r.w, r.h), image.YCbCrSubsampleRatio420)
	for i, to := range [][]byte{m.Y, m.Cb, m.Cr} {
		p, range_ := r.planes[i], &videoC
		if i == 0 {
			range_ = &videoY
		}
		for y := range p.h {
			line := to[y*p.w : (y+1)*p.w]
			for x, v := range p.row(y) {
				line[x] = range_[v]
			}
		}
	}
	for i := range m.A {
		m.A[i] = 255
	}
	return m
}

// divided takes alpha out of the colours again, as a WebP has them.
func (r *raster) divided() *image.NRGBA {
	out := image.NewNRGBA(image.Rect(0, 0, r.w, r.h))
	for y := range r.h {
		from, to := r.planes[0].row(y), out.Pix[y*out.Stride:]
		for i := 0; i < len(from); i += 4 {
			c := color.NRGBAModel.Convert(color.RGBA{from[i], from[i+1], from[i+2], from[i+3]}).(color.NRGBA)
			to[i], to[i+1], to[i+2], to[i+3] = c.R, c.G, c.B, c.A
		}
	}
	return out
}
