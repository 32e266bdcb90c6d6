package picture_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"image"
	"image/color"
	"image/draw"
	"image/jpeg"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"foyer/media/picture"
)

// quarter is a colour of the test picture, by column and row.
var quarter = [2][2]color.RGBA{
	{{0xd0, 0x30, 0x20, 255}, {0x20, 0x40, 0xc0, 255}},
	{{0x20, 0xa0, 0x40, 255}, {0xe0, 0xc0, 0x30, 255}},
}

// read is a picture of testdata.
func read(t testing.TB, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// quarters is the test picture in any size.
func quarters(w, h int) *image.RGBA {
	m := image.NewRGBA(image.Rect(0, 0, w, h))
	for x := range 2 {
		for y := range 2 {
			r := image.Rect(x*w/2, y*h/2, (x+1)*w/2+x, (y+1)*h/2+y)
			draw.Draw(m, r, image.NewUniform(quarter[x][y]), image.Point{}, draw.Src)
		}
	}
	return m
}

// scenery is a picture as photos are: areas that run into each other, edges, and noise.
func scenery(w, h int) *image.RGBA {
	r := rand.New(rand.NewPCG(1, 2))
	m := image.NewRGBA(image.Rect(0, 0, w, h))
	type hill struct{ x, y, size, red, green, blue float64 }
	var hills []hill
	for range 12 {
		hills = append(hills, hill{r.Float64(), r.Float64(), 0.02 + 0.2*r.Float64(), r.Float64(), r.Float64(), r.Float64()})
	}
	for y := range h {
		for x := range w {
			fx, fy := float64(x)/float64(w), float64(y)/float64(h)
			red, green, blue := 0.2+0.3*fy, 0.4, 0.7-0.4*fy
			for _, c := range hills {
				dx, dy := fx-c.x, fy-c.y
				if d := dx*dx + dy*dy; d < c.size*c.size {
					red, green, blue = (red+c.red)/2, (green+c.green)/2, (blue+c.blue)/2
				}
			}
			n := 0.04 * (r.Float64() - 0.5) // as a small sensor has it
			m.SetRGBA(x, y, color.RGBA{level(red + n), level(green + n), level(blue + n), 255})
		}
	}
	return m
}

func level(v float64) byte { return byte(min(max(v*255, 0), 255)) }

func asJPEG(t testing.TB, m image.Image, quality int) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := jpeg.Encode(&out, m, &jpeg.Options{Quality: quality}); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// withOrientation puts EXIF behind the first two bytes of a JPEG.
func withOrientation(data []byte, n int) []byte {
	tiff := []byte("MM\x00*\x00\x00\x00\x08\x00\x01\x01\x12\x00\x03\x00\x00\x00\x01\x00\x00\x00\x00\x00\x00\x00\x00")
	tiff[19] = byte(n)
	segment := append([]byte("Exif\x00\x00"), tiff...)
	out := append([]byte{0xff, 0xd8, 0xff, 0xe1}, binary.BigEndian.AppendUint16(nil, uint16(len(segment)+2))...)
	return append(append(out, segment...), data[2:]...)
}

// variants is all variants of a photo in some widths, or in those that it has.
func variants(t testing.TB, data []byte, sizes ...int) []picture.Variant {
	t.Helper()
	var out []picture.Variant
	err := picture.Make(context.Background(), data, sizes, func(v picture.Variant) error {
		out = append(out, v)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}
