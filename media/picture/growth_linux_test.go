package picture_test

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"image"
	"image/color"
	"image/gif"
	"image/png"
	"strings"
	"testing"
	"time"

	"foyer/app/apptest/growth"
	"foyer/media/picture"
)

// TestCheckCostsAsTheFile: the metadata of a photo is read in time proportional to its length, and at most one colour
// profile is: a chunk of a few hundred bytes unpacks to 64 KB of it, and there is room for forty thousand.
func TestCheckCostsAsTheFile(t *testing.T) {
	const most = 1 << 20
	jpeg := asJPEG(t, quarters(16, 16), 80)
	profile := picture.ProfileOfAPhone()
	inJPEG := func(segment []byte) func(size int) []byte {
		return func(size int) []byte {
			return append(append([]byte{0xff, 0xd8}, growth.Repeated(string(segment), size)...), jpeg[2:]...)
		}
	}
	still := encodedPNG(t)
	inPNG := func(chunk []byte) func(size int) []byte {
		return func(size int) []byte {
			return append(append(bytes.Clone(still[:33]), growth.Repeated(string(chunk), size)...), still[33:]...) // behind IHDR
		}
	}
	webp := read(t, "lossy.webp")
	inWebP := func(chunk []byte) func(size int) []byte {
		return func(size int) []byte {
			out := append(bytes.Clone(webp[:12]), growth.Repeated(string(chunk), size)...)
			out = append(out, webp[12:]...)
			binary.LittleEndian.PutUint32(out[4:], uint32(len(out)-8))
			return out
		}
	}
	var rows []growth.Row
	for name, file := range map[string]func(size int) []byte{
		"profiles in a JPEG":     inJPEG(segment(0xe2, append([]byte("ICC_PROFILE\x00\x01\x01"), profile...))),
		"EXIF in a JPEG":         inJPEG(segment(0xe1, []byte("Exif\x00\x00II*\x00\x08\x00\x00\x00\xff\xff"))),
		"comments in a JPEG":     inJPEG(segment(0xfe, nil)),
		"fill bytes":             inJPEG([]byte{0xff}),
		"tables in a JPEG":       inJPEG(segment(0xdb, make([]byte, 65))),
		"profiles in a PNG":      inPNG(pngChunk(nil, "iCCP", append([]byte("p\x00\x00"), deflated(t, append(bytes.Clone(profile), make([]byte, 60<<10)...))...))),
		"named colours in a PNG": inPNG(pngChunk(nil, "cICP", []byte{12, 13, 0, 1})),
		"EXIF in a PNG":          inPNG(pngChunk(nil, "eXIf", []byte("II*\x00\x08\x00\x00\x00\xff\xff"))),
		"texts in a PNG":         inPNG(pngChunk(nil, "tEXt", nil)),
		"empty data in a PNG":    inPNG(pngChunk(nil, "IDAT", nil)),
		"profiles in a WebP":     inWebP(riffChunk("ICCP", profile)),
		"EXIF in a WebP":         inWebP(riffChunk("EXIF", []byte("II*\x00\x08\x00\x00\x00\xff\xff"))),
		"chunks in a WebP":       inWebP(riffChunk("MISC", nil)),
		"alphas in a WebP":       inWebP(riffChunk("ALPH", []byte{0})),
		"frames of a GIF":        func(size int) []byte { return frames(t, size/50) },
	} {
		within := time.Duration(0)
		if strings.HasPrefix(name, "profiles") {
			within = 60 * time.Millisecond
		}
		rows = append(rows, growth.Row{Name: name, Most: most, Within: within, Read: func(size int) func() {
			data := file(size)
			return func() { _, _ = picture.Check(t.Context(), data) }
		}})
	}
	growth.Check(t, rows...)
}

func segment(marker byte, body []byte) []byte {
	return append(binary.BigEndian.AppendUint16([]byte{0xff, marker}, uint16(len(body)+2)), body...)
}

func riffChunk(kind string, body []byte) []byte {
	out := append(binary.LittleEndian.AppendUint32([]byte(kind), uint32(len(body))), body...)
	return append(out, make([]byte, len(body)%2)...)
}

func deflated(t *testing.T, plain []byte) []byte {
	t.Helper()
	var out bytes.Buffer
	z := zlib.NewWriter(&out)
	if _, err := z.Write(plain); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func encodedPNG(t *testing.T) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := png.Encode(&out, quarters(16, 16)); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// frames is an animation of small pictures.
func frames(t *testing.T, n int) []byte {
	t.Helper()
	m := image.NewPaletted(image.Rect(0, 0, 1, 1), color.Palette{color.Black, color.White})
	var g gif.GIF
	for range n {
		g.Image, g.Delay = append(g.Image, m), append(g.Delay, 1)
	}
	var out bytes.Buffer
	if err := gif.EncodeAll(&out, &g); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}
