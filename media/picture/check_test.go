package picture_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"image"
	"image/color"
	"math"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/image/webp"

	"foyer/media/picture"
)

func check(t *testing.T, data []byte) picture.Photo {
	t.Helper()
	p, err := picture.Check(t.Context(), data)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestCheckKnowsPhotos: each kind of file that cameras, phones and editors make.
func TestCheckKnowsPhotos(t *testing.T) {
	for format, names := range map[string]string{
		"jpeg": "camera progressive 444 422 440 411 cmyk grey rgb restart p3", "png": "16-bit 16-bit-clear clear palette interlaced grey turned p3",
		"gif": "animated corner clear", "webp": "lossy lossless clear clear-lossless animated turned p3",
	} {
		for name := range strings.FieldsSeq(names) {
			name += "." + map[string]string{"jpeg": "jpg"}[format]
			if strings.HasSuffix(name, ".") {
				name += format
			}
			p := check(t, read(t, name))
			if p.Format != format || p.Width != 96 || p.Height != 64 {
				t.Errorf("%s: %+v", name, p)
			}
			checkBlur(t, name, p)
		}
	}
}

// checkBlur checks the placeholder of a photo.
func checkBlur(t *testing.T, name string, p picture.Photo) {
	t.Helper()
	m, err := webp.Decode(bytes.NewReader(p.Blur))
	if err != nil {
		t.Errorf("%s: its blur: %v", name, err)
		return
	}
	if b := m.Bounds(); max(b.Dx(), b.Dy()) > 16 || len(p.Blur) > 300 {
		t.Errorf("%s: its blur is %v, %d bytes", name, b, len(p.Blur))
	}
	if wide, is := p.Width > p.Height, m.Bounds().Dx() > m.Bounds().Dy(); wide != is {
		t.Errorf("%s is %d x %d, its blur %v", name, p.Width, p.Height, m.Bounds())
	}
	if _, err := strconv.ParseUint(strings.TrimPrefix(p.Colour, "#"), 16, 24); err != nil || len(p.Colour) != 7 {
		t.Errorf("%s: its colour is %q", name, p.Colour)
	}
}

func TestColourIsWhatMostOfItIs(t *testing.T) {
	m := quarters(900, 600)
	for y := range 600 {
		for x := 300; x < 900; x++ {
			m.SetRGBA(x, y, color.RGBA{0x20, 0x40, 0xc0, 255})
		}
	}
	var r, g, b int
	p := check(t, asJPEG(t, m, 90))
	if _, err := fmt.Sscanf(p.Colour, "#%02x%02x%02x", &r, &g, &b); err != nil {
		t.Fatal(err)
	}
	if far := max(math.Abs(float64(r-0x20)), math.Abs(float64(g-0x40)), math.Abs(float64(b-0xc0))); far > 12 {
		t.Errorf("most of it is blue, it says %s", p.Colour)
	}
	checkBlur(t, "mostly blue", p)
}

func TestBlurOfScenery(t *testing.T) {
	for _, size := range []image.Point{{1600, 1200}, {400, 1200}, {1, 900}, {900, 1}, {1, 1}, {17, 16}} {
		checkBlur(t, size.String(), check(t, asJPEG(t, scenery(size.X, size.Y), 90)))
	}
}

// TestCheckRefuses distinguishes all reasons.
func TestCheckRefuses(t *testing.T) {
	for name, c := range map[string]struct {
		data []byte
		want error
	}{
		"nothing":            {nil, picture.ErrFormat},
		"a letter":           {[]byte("x"), picture.ErrFormat},
		"a page":             {[]byte("<!doctype html><script>alert(1)</script>"), picture.ErrFormat},
		"a drawing":          {[]byte(`<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>`), picture.ErrFormat},
		"a drawing in XML":   {[]byte(`<?xml version="1.0"?><svg/>`), picture.ErrFormat},
		"a PDF":              {[]byte("%PDF-1.7\n"), picture.ErrFormat},
		"a TIFF":             {read(t, "tiff.tiff"), picture.ErrFormat},
		"a BMP":              {read(t, "bmp.bmp"), picture.ErrFormat},
		"a HEIC":             {[]byte("\x00\x00\x00\x18ftypheic\x00\x00\x00\x00mif1heic"), picture.ErrFormat},
		"a WAV":              {[]byte("RIFF\x24\x00\x00\x00WAVEfmt "), picture.ErrFormat},
		"arithmetic coding":  {read(t, "arithmetic.jpg"), picture.ErrFormat},
		"a JPEG's beginning": {[]byte("\xff\xd8\xff"), picture.ErrBroken},
		"a GIF's beginning":  {[]byte("GIF89a"), picture.ErrBroken},
		"a PNG's beginning":  {[]byte("\x89PNG\r\n\x1a\n"), picture.ErrBroken},
		"a WebP's beginning": {[]byte("RIFF\x04\x00\x00\x00WEBP"), picture.ErrBroken},
		"many passes":        {manyPasses(read(t, "progressive.jpg")), picture.ErrBroken},
		"a small frame":      {canvas(read(t, "clear.webp"), 90, 64), picture.ErrBroken},
		"a larger canvas":    {canvas(read(t, "clear.webp"), 960, 640), picture.ErrBroken},
		"a huge canvas":      {canvas(read(t, "animated.webp"), 9000, 9000), picture.ErrTooLarge},
		"a wide PNG":         {pngClaims(16_384, 1, 8, 0), picture.ErrTooLarge},
		"a tall PNG":         {pngClaims(1, 16_384, 8, 0), picture.ErrTooLarge},
		"30,000 x 30,000":    {pngClaims(30_000, 30_000, 1, 0), picture.ErrTooLarge},
		"16 bits too many":   {pngClaims(8_000, 5_000, 16, 6), picture.ErrTooLarge},
		"a large GIF":        {gifClaims(65_535, 65_535), picture.ErrTooLarge},
		"a large JPEG":       {jpegClaims(read(t, "444.jpg"), 8_000, 6_000), picture.ErrTooLarge},
		"large in passes":    {jpegClaims(read(t, "progressive.jpg"), 8_000, 5_000), picture.ErrTooLarge},
		"passes of 48 MP":    {padded(jpegClaims(read(t, "progressive.jpg"), 8_000, 6_000)), picture.ErrTooLarge},
		"48 MP and no data":  {jpegClaims(read(t, "444.jpg"), 8_000, 6_000), picture.ErrTooLarge},
		"a PNG of 48 MP":     {pngClaims(8_000, 6_000, 8, 2), picture.ErrTooLarge},
		"a wide JPEG":        {jpegClaims(read(t, "444.jpg"), 16_384, 2), picture.ErrTooLarge},
		"nothing wide":       {jpegClaims(read(t, "444.jpg"), 0, 64), picture.ErrBroken},
	} {
		if _, err := picture.Check(t.Context(), c.data); !errors.Is(err, c.want) {
			t.Errorf("%s: Check says %v, want %v", name, err, c.want)
		}
		err := picture.Make(t.Context(), c.data, nil, func(picture.Variant) error { return errors.New("a variant of it") })
		if !errors.Is(err, c.want) {
			t.Errorf("%s: Make says %v, want %v", name, err, c.want)
		}
	}
}

// TestHalfAFile: in every format, and for every length, half of a file is refused. So is one with the end of another
// file.
func TestHalfAFile(t *testing.T) {
	big := asJPEG(t, scenery(700, 500), 85)
	files := map[string][]byte{"scenery": big}
	for name := range strings.FieldsSeq("camera.jpg progressive.jpg grey.jpg cmyk.jpg restart.jpg 16-bit.png interlaced.png palette.png clear.gif lossy.webp " +
		"lossless.webp clear.webp animated.webp") {
		files[name] = read(t, name)
	}
	for name, data := range files {
		for cut := 1; cut <= 20; cut++ {
			end := len(data) * cut / 21
			if _, err := picture.Check(t.Context(), data[:end]); !errors.Is(err, picture.ErrBroken) && !errors.Is(err, picture.ErrFormat) {
				t.Errorf("%s: %d bytes of %d: %v", name, end, len(data), err)
			}
		}
		if _, err := picture.Check(t.Context(), data[:len(data)-3]); name != "clear.gif" && err == nil {
			t.Errorf("%s: three bytes less: no error", name)
		}
	}
}

// TestMoreThanAPhoto: data after a photo, or hidden in it, makes no difference: it is not served.
func TestMoreThanAPhoto(t *testing.T) {
	for _, name := range []string{"camera.jpg", "clear.gif", "lossy.webp", "16-bit.png"} {
		data := append(read(t, name), "<script>alert(1)</script>"...)
		check(t, data)
		for _, v := range variants(t, data) {
			if bytes.Contains(v.Data, []byte("script")) {
				t.Errorf("%s: the script is in the %s", name, v.Format)
			}
		}
	}
}

// TestWaitsForItsTurn: an expired context ends the wait.
func TestWaitsForItsTurn(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := picture.Check(ctx, read(t, "444.jpg")); !errors.Is(err, context.Canceled) {
		t.Errorf("Check: %v", err)
	}
	nothing := func(picture.Variant) error { return nil }
	if err := picture.Make(ctx, read(t, "444.jpg"), nil, nothing); !errors.Is(err, context.Canceled) {
		t.Errorf("Make: %v", err)
	}
}

// manyPasses repeats the last pass of a JPEG.
func manyPasses(data []byte) []byte {
	end := len(data) - 2
	last := bytes.LastIndex(data, []byte("\xff\xda"))
	out := bytes.Clone(data[:end])
	for range 200 {
		out = append(out, data[last:end]...)
	}
	return append(out, data[end:]...)
}

// canvas changes the size in a WebP's VP8X header.
func canvas(data []byte, w, h int) []byte {
	out := bytes.Clone(data)
	copy(out[24:], []byte{byte(w - 1), byte((w - 1) >> 8), 0, byte(h - 1), byte((h - 1) >> 8), 0})
	return out
}

// padded is a file with so much behind it that its size alone does not give it away.
func padded(data []byte) []byte { return append(data, make([]byte, 1<<20)...) }

func jpegClaims(data []byte, w, h int) []byte {
	out := bytes.Clone(data)
	at := bytes.Index(out, []byte("\xff\xc0"))
	if at < 0 {
		at = bytes.Index(out, []byte("\xff\xc2"))
	}
	binary.BigEndian.PutUint16(out[at+5:], uint16(h))
	binary.BigEndian.PutUint16(out[at+7:], uint16(w))
	return out
}

func gifClaims(w, h int) []byte {
	out := []byte("GIF89a")
	out = binary.LittleEndian.AppendUint16(binary.LittleEndian.AppendUint16(out, uint16(w)), uint16(h))
	return append(out, 0x80, 0, 0, 0, 0, 0, 255, 255, 255)
}
