package picture_test

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/jpeg"
	"math"
	"slices"
	"strings"
	"testing"

	"golang.org/x/image/webp"

	"foyer/media/picture"
)

// TestSizesNeverEnlarge: a photo has its own width as its largest size, up to 1920, and none beside it of nearly the
// same width. Issue 31, item 12.
func TestSizesNeverEnlarge(t *testing.T) {
	for width, want := range map[int]string{
		1: "[1]", 159: "[159]", 160: "[160]", 161: "[161]", 319: "[160 319]", 640: "[160 320 640]", 700: "[160 320 700]",
		720: "[160 320 640 720]", 1200: "[160 320 640 1200]", 1279: "[160 320 640 1279]", 1300: "[160 320 640 1300]",
		1919: "[160 320 640 1280 1919]", 1920: "[160 320 640 1280 1920]", 12000: "[160 320 640 1280 1920]",
	} {
		if got := fmt.Sprint(picture.Sizes(width, width)); got != want {
			t.Errorf("%d: %s, want %s", width, got, want)
		}
	}
	for size, want := range map[image.Point]string{
		{2160, 3840}: "[160 320 640 1280 1920]", {3900, 12_600}: "[160 320 640 1280]", {1200, 10_000}: "[160 320 640]",
		{160, 16_383}: "[160]", {1, 16_383}: "[1]", {12_600, 3900}: "[160 320 640 1280 1920]",
	} {
		if got := fmt.Sprint(picture.Sizes(size.X, size.Y)); got != want {
			t.Errorf("%v: %s, want %s", size, got, want)
		}
	}
}

// shown is a variant as a browser shows it, on white.
func shown(t testing.TB, v picture.Variant) *image.RGBA {
	t.Helper()
	decode := jpeg.Decode
	if v.Format == "webp" {
		decode = webp.Decode
	}
	m, err := decode(bytes.NewReader(v.Data))
	if err != nil {
		t.Fatalf("%s of %d: %v", v.Format, v.Width, err)
	}
	if b := m.Bounds(); b.Dx() != v.Width || b.Dy() != v.Height {
		t.Errorf("%s says it is %d x %d, and is %v", v.Format, v.Width, v.Height, b)
	}
	if y, ok := m.(*image.YCbCr); ok && v.Format == "webp" { // Go takes its range for that of a JPEG
		for i, c := range y.Y {
			y.Y[i] = stretch(float64(c)-16, 219, 0)
		}
		for i := range y.Cb {
			y.Cb[i], y.Cr[i] = stretch(float64(y.Cb[i])-128, 224, 128), stretch(float64(y.Cr[i])-128, 224, 128)
		}
	}
	out := image.NewRGBA(image.Rect(0, 0, v.Width, v.Height))
	draw.Draw(out, out.Rect, image.White, image.Point{}, draw.Src)
	draw.Draw(out, out.Rect, m, m.Bounds().Min, draw.Over)
	return out
}

func stretch(c, wide, zero float64) byte { return byte(min(max(c*255/wide+zero+0.5, 0), 255)) }

// checkQuarters checks the middle of each quarter.
func checkQuarters(t *testing.T, what string, m *image.RGBA, want [2][2]color.RGBA, off int) {
	t.Helper()
	b := m.Bounds()
	for x := range 2 {
		for y := range 2 {
			is, should := m.RGBAAt(b.Dx()*(2*x+1)/4, b.Dy()*(2*y+1)/4), want[x][y]
			far := max(math.Abs(float64(is.R)-float64(should.R)), math.Abs(float64(is.G)-float64(should.G)), math.Abs(float64(is.B)-float64(should.B)))
			if int(far) > off {
				t.Errorf("%s: column %d, row %d is %v, want %v", what, x, y, is, should)
			}
		}
	}
}

// TestEveryKindLooksRight: every kind of file becomes the picture that it shows: upright, in its colours, its holes
// white or see-through.
func TestEveryKindLooksRight(t *testing.T) {
	hole := quarter
	hole[0][0] = color.RGBA{255, 255, 255, 255}
	half, grey := quarter, quarter
	for x := range 2 {
		for y := range 2 {
			c := quarter[x][y]
			half[x][y] = color.RGBA{c.R/2 + 128, c.G/2 + 128, c.B/2 + 128, 255}
			// as ImageMagick weighs them
			g := byte(0.2126*float64(c.R) + 0.7152*float64(c.G) + 0.0722*float64(c.B))
			grey[x][y] = color.RGBA{g, g, g, 255}
		}
	}
	corner := [2][2]color.RGBA{{{255, 255, 255, 255}, {255, 255, 255, 255}}, {{255, 255, 255, 255}, quarter[1][1]}}
	wants := map[string][2][2]color.RGBA{
		"16-bit-clear.png": half, "clear.png": hole, "palette.png": hole, "clear.gif": hole, "clear.webp": hole, "clear-lossless.webp": hole,
		"grey.jpg": grey, "grey.png": grey, "corner.gif": corner,
	}
	names := "camera.jpg progressive.jpg 444.jpg 422.jpg 440.jpg 411.jpg cmyk.jpg grey.jpg rgb.jpg restart.jpg 16-bit.png 16-bit-clear.png clear.png " +
		"palette.png interlaced.png grey.png turned.png animated.gif corner.gif clear.gif lossy.webp lossless.webp clear.webp clear-lossless.webp " +
		"animated.webp turned.webp p3.jpg p3.png p3.webp"
	for n := range 8 {
		names += fmt.Sprintf(" orientation-%d.jpg", n+1)
	}
	for name := range strings.FieldsSeq(names) {
		want, ok := wants[name]
		if !ok {
			want = quarter
		}
		all := variants(t, read(t, name))
		if len(all) != 2 || all[0].Format != "jpeg" || all[1].Format != "webp" || all[0].Width != 96 || all[0].Height != 64 {
			t.Errorf("%s: %d variants, the first a %s of %d x %d", name, len(all), all[0].Format, all[0].Width, all[0].Height)
		}
		for _, v := range all {
			near := 14
			if strings.HasPrefix(name, "p3.") { // its numbers alone are as far off as that
				near = 8
			}
			checkQuarters(t, name+" as "+v.Format, shown(t, v), want, near)
			if b := bytes.Clone(v.Data[:12]); v.ContentType() == "image/webp" != (string(b[8:]) == "WEBP") {
				t.Errorf("%s: %s begins with %q", name, v.ContentType(), b)
			}
		}
		if want == hole && bytes.Count(all[1].Data, []byte("ALPH"))+bytes.Count(all[1].Data, []byte("VP8L")) == 0 {
			t.Errorf("%s: one cannot see through its WebP", name)
		}
	}
}

// TestLargePhotosLieRight: a photo that is decoded smaller than it is, and turned, in all sizes.
func TestLargePhotosLieRight(t *testing.T) {
	wide, tall := asJPEG(t, quarters(1301, 1279), 90), asJPEG(t, quarters(1279, 1301), 90) // the second is decoded at half its size
	sizes := []int{160, 320, 640}
	turned := map[int][2][2]color.RGBA{ // the stored picture is the shown one, turned back
		1: quarter,
		3: {{quarter[1][1], quarter[1][0]}, {quarter[0][1], quarter[0][0]}},
		6: {{quarter[0][1], quarter[1][1]}, {quarter[0][0], quarter[1][0]}},
		8: {{quarter[1][0], quarter[0][0]}, {quarter[1][1], quarter[0][1]}},
	}
	for n, want := range turned {
		for _, stored := range [][]byte{wide, tall} {
			photo := withOrientation(stored, n)
			p := check(t, photo)
			all := variants(t, photo, sizes...)
			var widths []int
			for i, v := range all {
				if i%2 == 0 {
					widths = append(widths, v.Width)
				}
				if high := (p.Height*v.Width + p.Width/2) / p.Width; v.Height != high {
					t.Errorf("turned by %d, %d wide: %d tall, want %d", n, v.Width, v.Height, high)
				}
				checkQuarters(t, fmt.Sprintf("turned by %d, %d wide, %s", n, v.Width, v.Format), shown(t, v), want, 10)
			}
			slices.Reverse(widths)
			if !slices.Equal(widths, sizes) {
				t.Errorf("turned by %d: made %v, want %v", n, widths, sizes)
			}
		}
	}
}

// TestOddShapes: lines and dots.
func TestOddShapes(t *testing.T) {
	for _, size := range []image.Point{{1, 1}, {2, 1}, {1, 700}, {700, 1}, {3, 5}, {161, 7}, {2001, 2}} {
		for _, v := range variants(t, asJPEG(t, quarters(size.X, size.Y), 90)) {
			shown(t, v)
		}
	}
}

// TestNothingIsTold: no variant has a segment or a chunk but those that hold pixels. A204.
func TestNothingIsTold(t *testing.T) {
	for _, name := range []string{"camera.jpg", "turned.png", "16-bit.png", "turned.webp", "clear.png", "animated.gif", "p3.jpg", "p3.png", "p3.webp"} {
		data := read(t, name)
		for _, v := range variants(t, data) {
			for _, part := range parts(t, v.Data) {
				if !slices.Contains([]string{"ffdb", "ffc0", "ffc4", "ffda", "VP8 ", "VP8L", "VP8X", "ALPH"}, part) {
					t.Errorf("%s: its %s has a part %s", name, v.Format, part)
				}
			}
			for _, secret := range []string{"Exif", "Jane Roe", "Berlin", "secret", "xpacket", "ICC", "JFIF", "Maker"} {
				if bytes.Contains(v.Data, []byte(secret)) {
					t.Errorf("%s: its %s holds %q", name, v.Format, secret)
				}
			}
		}
	}
	for _, secret := range []string{"Exif", "Jane Roe", "Berlin", "secret", "xpacket", "Maker"} {
		if !bytes.Contains(read(t, "camera.jpg"), []byte(secret)) {
			t.Errorf("camera.jpg does not hold %q, so this test proves nothing", secret)
		}
	}
}

// parts is the kinds of the segments of a JPEG, or of the chunks of a WebP.
func parts(t *testing.T, data []byte) (out []string) {
	t.Helper()
	if string(data[:2]) != "\xff\xd8" {
		for at := 12; at < len(data); {
			n := int(data[at+4]) | int(data[at+5])<<8 | int(data[at+6])<<16 | int(data[at+7])<<24
			out = append(out, string(data[at:at+4]))
			at += 8 + n + n%2
		}
		return out
	}
	for at := 2; ; at += 2 + int(data[at+2])<<8 + int(data[at+3]) {
		out = append(out, fmt.Sprintf("%x", data[at:at+2]))
		if data[at+1] == 0xda { // from here to the end are pixels
			if end := bytes.Index(data[at:], []byte("\xff\xd9")); at+end != len(data)-2 {
				t.Error("something hangs behind a JPEG")
			}
			return out
		}
	}
}

// TestSameBytes: the same input makes the same output, so that a job that runs twice overwrites its own files.
func TestSameBytes(t *testing.T) {
	data := asJPEG(t, scenery(1000, 700), 90)
	first, second := variants(t, data), variants(t, data)
	for i := range first {
		if !bytes.Equal(first[i].Data, second[i].Data) {
			t.Errorf("%d, %s: other bytes the second time", first[i].Width, first[i].Format)
		}
	}
}

func TestEmitEndsIt(t *testing.T) {
	full, n := errors.New("the store is full"), 0
	err := picture.Make(t.Context(), asJPEG(t, scenery(700, 500), 90), nil, func(picture.Variant) error {
		n++
		return full
	})
	if !errors.Is(err, full) || n != 1 {
		t.Errorf("%v after %d", err, n)
	}
}
