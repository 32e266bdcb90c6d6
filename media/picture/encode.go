package picture

import (
	"bytes"
	"image"
	"image/jpeg"

	"github.com/gen2brain/webp"
)

// The qualities of sizes, and the effort of the WebP encoder, 0 to 6: 4 makes files 6 % smaller and takes three times
// as long.
const (
	jpegQuality = 82
	webpQuality = 80
	webpMethod  = 2
	blurQuality = 20
)

func (r *raster) encode(format string) ([]byte, error) {
	if format == "webp" {
		return asWebP(r.video(), webpQuality)
	}
	return asJPEG(&image.YCbCr{
		Y: r.planes[0].pix, Cb: r.planes[1].pix, Cr: r.planes[2].pix,
		YStride: r.planes[0].stride, CStride: r.planes[1].stride,
		SubsampleRatio: image.YCbCrSubsampleRatio420, Rect: image.Rect(0, 0, r.w, r.h),
	})
}

// asJPEG writes pixels as JPEG. No metadata is written, because pixels have none.
func asJPEG(m image.Image) ([]byte, error) {
	var out bytes.Buffer
	err := jpeg.Encode(&out, m, &jpeg.Options{Quality: jpegQuality})
	return out.Bytes(), err
}

func asWebP(m image.Image, quality int) ([]byte, error) {
	var out bytes.Buffer
	err := webp.Encode(&out, m, webp.Options{Quality: quality, Method: webpMethod})
	return out.Bytes(), err
}

// video is brightness and colour in the range of a WebP, with an opaque alpha that is not written.
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
