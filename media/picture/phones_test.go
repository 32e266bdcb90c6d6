package picture_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"
	"io"
	"strings"
	"testing"

	"golang.org/x/image/webp"

	"foyer/media/picture"
)

// TestWithoutItsEnd: a JPEG that lacks nothing but its end marker, or half of it, or has zeros there, is the photo
// that it was. One that lacks a part of its picture is refused. A204.
func TestWithoutItsEnd(t *testing.T) {
	files := map[string][]byte{"scenery": asJPEG(t, scenery(700, 500), 85)}
	for name := range strings.FieldsSeq("camera progressive 444 411 grey cmyk rgb restart p3 orientation-6") {
		files[name] = read(t, name+".jpg")
	}
	for name, whole := range files {
		end := bytes.LastIndex(whole, []byte("\xff\xd9"))
		want := variants(t, whole)
		for kind, data := range map[string][]byte{
			"without it": whole[:end], "with half of it": whole[:end+1],
			"with zeros": append(bytes.Clone(whole[:end]), make([]byte, 40)...),
		} {
			check(t, data)
			for i, v := range variants(t, data) {
				if !bytes.Equal(v.Data, want[i].Data) {
					t.Errorf("%s %s: its %s of %d is another one", name, kind, v.Format, v.Width)
				}
			}
		}
		for _, part := range []int{99, 95, 75, 50} {
			cut := whole[:end*part/100]
			if _, err := picture.Check(t.Context(), cut); !errors.Is(err, picture.ErrBroken) {
				t.Errorf("%s, %d %% of it: %v", name, part, err)
			}
		}
	}
}

// TestPassesAreMissing: a JPEG in passes that ends behind one of them, without its end marker, shows a coarse
// picture and is refused.
func TestPassesAreMissing(t *testing.T) {
	whole := read(t, "progressive.jpg")
	passes := 0
	for at, mark := 0, []byte("\xff\xda"); ; passes++ {
		next := bytes.Index(whole[at+1:], mark)
		if next < 0 {
			break
		}
		at += 1 + next
		if _, err := picture.Check(t.Context(), whole[:at]); !errors.Is(err, picture.ErrBroken) {
			t.Errorf("behind pass %d: %v", passes, err)
		}
	}
	if passes < 4 {
		t.Errorf("only %d passes", passes)
	}
}

// bigJPEG is a JPEG with the grain of a camera's.
func bigJPEG(t *testing.T, w, h int) []byte {
	t.Helper()
	m := image.NewYCbCr(image.Rect(0, 0, w, h), image.YCbCrSubsampleRatio420)
	for y := range h {
		row := m.Y[y*m.YStride:][:w]
		for x := range row {
			row[x] = byte(40 + x*140/w + int(uint32(x*y*2654435761)>>28)*2)
		}
	}
	for i := range m.Cb {
		m.Cb[i], m.Cr[i] = byte(90+i%m.CStride*70/m.CStride), byte(150-i/m.CStride*60/(len(m.Cb)/m.CStride))
	}
	var out bytes.Buffer
	if err := jpeg.Encode(&out, m, &jpeg.Options{Quality: 75}); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// TestPhotosOfPhones: photos of today's phones get all sizes within 80 MB: 48 megapixels, a panorama of 12,600
// pixels, and the largest one of an iPhone, standing. Issue 31, item 12.
func TestPhotosOfPhones(t *testing.T) {
	for name, c := range map[string]struct{ w, h, turned int }{
		"48 megapixels": {8064, 6048, 6}, "a panorama": {12_600, 3_900, 1},
		"the largest panorama, standing": {16_382, 3_628, 6},
	} {
		photo, want := withOrientation(bigJPEG(t, c.w, c.h), c.turned), image.Pt(c.w, c.h)
		if c.turned == 6 {
			want = image.Pt(c.h, c.w)
		}
		var p picture.Photo
		var err error
		looked := peak(func() { p, err = picture.Check(t.Context(), photo) })
		if err != nil || p.Width != want.X || p.Height != want.Y {
			t.Fatalf("%s: %+v, %v", name, p, err)
		}
		var widths []int
		made := peak(func() {
			err = picture.Make(t.Context(), photo, picture.Sizes(p.Width, p.Height), func(v picture.Variant) error {
				widths = append(widths, v.Width)
				_, err := io.Discard.Write(v.Data)
				return err
			})
		})
		if want := picture.Sizes(p.Width, p.Height); err != nil || len(widths) != 2*len(want) || widths[0] < 640 {
			t.Errorf("%s: %v, want %v, %v", name, widths, want, err)
		}
		t.Logf("%s, %d kB, turned by %d: Check %d MB, Make %d MB", name, len(photo)>>10, c.turned, looked, made)
		if looked > 80 || made > 80 {
			t.Errorf("%s: Check took %d MB, Make %d MB", name, looked, made)
		}
	}
}

// encoded is a PNG, with chunks behind its header.
func encoded(t *testing.T, m image.Image, chunks ...[]byte) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := png.Encode(&out, m); err != nil {
		t.Fatal(err)
	}
	data := out.Bytes()
	const head = 8 + 25
	return append(append(bytes.Clone(data[:head]), bytes.Join(chunks, nil)...), data[head:]...)
}

func chunk(kind string, numbers ...uint32) []byte {
	var body []byte
	for _, n := range numbers {
		body = binary.BigEndian.AppendUint32(body, n)
	}
	return pngChunk(nil, kind, body)
}

// TestGammaOfAPNG: a PNG is as bright, and as red, as its metadata demands, in each of its forms. Issue 31, item 12.
func TestGammaOfAPNG(t *testing.T) {
	p3 := []uint32{31270, 32900, 68000, 32000, 26500, 69000, 15000, 6000}
	srgb := []uint32{31270, 32900, 64000, 33000, 30000, 60000, 15000, 6000}
	gamma := func(n uint32) []byte { return chunk("gAMA", n) }
	nonsense := pngChunk(nil, "iCCP", []byte("x\x00\x00nonsense"))
	ofP3, ofSRGB, ofNothing := chunk("cHRM", p3...), chunk("cHRM", srgb...), chunk("cHRM", make([]uint32, 8)...)
	byNumber := func(n ...byte) []byte { return pngChunk(nil, "cICP", n) }
	opaque := func(r, g, b byte) color.RGBA { return color.RGBA{r, g, b, 255} }
	for name, row := range map[string]struct {
		chunks [][]byte
		from   color.RGBA
		want   color.RGBA
	}{
		"nothing said":          {nil, opaque(100, 150, 200), opaque(100, 150, 200)},
		"gamma of sRGB":         {[][]byte{gamma(45455)}, opaque(100, 150, 200), opaque(100, 150, 200)},
		"nearly gamma of sRGB":  {[][]byte{gamma(45450), ofSRGB}, opaque(100, 150, 200), opaque(100, 150, 200)},
		"light itself":          {[][]byte{gamma(100000)}, opaque(55, 128, 10), opaque(128, 188, 56)},
		"of an old Mac":         {[][]byte{gamma(55556)}, opaque(128, 64, 200), opaque(144, 82, 209)},
		"dark":                  {[][]byte{gamma(38462)}, opaque(128, 128, 128), opaque(112, 112, 112)},
		"sRGB beats gamma":      {[][]byte{chunk("sRGB"), gamma(100000)}, opaque(55, 128, 10), opaque(55, 128, 10)},
		"a profile beats gamma": {[][]byte{nonsense, gamma(100000)}, opaque(55, 128, 10), opaque(55, 128, 10)},
		"colours of P3":         {[][]byte{gamma(45455), ofP3}, opaque(191, 63, 44), opaque(210, 45, 26)},
		"colours and no gamma":  {[][]byte{ofP3}, opaque(191, 63, 44), opaque(191, 63, 44)},
		"no such colours":       {[][]byte{gamma(45455), ofNothing}, opaque(191, 63, 44), opaque(191, 63, 44)},
		"no gamma at all":       {[][]byte{gamma(0)}, opaque(191, 63, 44), opaque(191, 63, 44)},
		"P3 by number":          {[][]byte{byNumber(12, 13, 0, 1), gamma(100000)}, opaque(191, 63, 44), opaque(208, 48, 32)},
		"sRGB by number":        {[][]byte{byNumber(1, 13, 0, 1), gamma(100000)}, opaque(191, 63, 44), opaque(191, 63, 44)},
		"no such number":        {[][]byte{byNumber(99, 13, 0, 1)}, opaque(191, 63, 44), opaque(191, 63, 44)},
		"light and half of it":  {[][]byte{gamma(100000)}, color.RGBA{27, 64, 5, 127}, opaque(192, 222, 156)}, // on white
		"a chunk cut off":       {[][]byte{pngChunk(nil, "gAMA", []byte{1})}, opaque(191, 63, 44), opaque(191, 63, 44)},
	} {
		m := image.NewRGBA(image.Rect(0, 0, 40, 30))
		for i := range 40 * 30 {
			m.SetRGBA(i%40, i/40, row.from)
		}
		for _, v := range variants(t, encoded(t, m, row.chunks...)) {
			checkQuarters(t, name+" as "+v.Format, shown(t, v), [2][2]color.RGBA{{row.want, row.want}, {row.want, row.want}}, 6)
		}
	}
	deep := image.NewGray16(image.Rect(0, 0, 40, 30))
	for i := range 40 * 30 {
		deep.SetGray16(i%40, i/40, color.Gray16{0x3737})
	}
	for _, v := range variants(t, encoded(t, deep, gamma(100000))) {
		want := color.RGBA{128, 128, 128, 255}
		checkQuarters(t, "grey of 16 bits as "+v.Format, shown(t, v), [2][2]color.RGBA{{want, want}, {want, want}}, 4)
	}
}

// logo is a drawing of one colour on nothing: a bar in the middle third.
func logo(ink color.NRGBA) *image.NRGBA {
	m := image.NewNRGBA(image.Rect(0, 0, 300, 300))
	for y := 100; y < 200; y++ {
		for x := 30; x < 270; x++ {
			m.SetNRGBA(x, y, ink)
		}
	}
	return m
}

// TestLogoOnNothing: a drawing on a transparent background is visible in every size: a WebP stays transparent, a JPEG
// and the placeholder of a WebP have a colour in contrast to the drawing. Issue 31, item 12.
func TestLogoOnNothing(t *testing.T) {
	paper, night := color.RGBA{255, 255, 255, 255}, color.RGBA{0x22, 0x22, 0x22, 255}
	corners := quarters(300, 300)
	for i := range 8 {
		for j := range 8 - i {
			corners.SetRGBA(i, j, color.RGBA{})
		}
	}
	palette := image.NewPaletted(image.Rect(0, 0, 300, 300), color.Palette{color.NRGBA{}, color.NRGBA{255, 255, 255, 255}})
	for y := 100; y < 200; y++ {
		for x := 30; x < 270; x++ {
			palette.SetColorIndex(x, y, 1)
		}
	}
	for name, c := range map[string]struct {
		m      image.Image
		ground color.RGBA
		at     image.Point // where nothing is
	}{
		"white":           {logo(color.NRGBA{255, 255, 255, 255}), night, image.Pt(80, 20)},
		"cream":           {logo(color.NRGBA{250, 240, 225, 255}), night, image.Pt(80, 20)},
		"white, faint":    {logo(color.NRGBA{255, 255, 255, 120}), night, image.Pt(80, 20)},
		"white, palette":  {palette, night, image.Pt(80, 20)},
		"black":           {logo(color.NRGBA{0, 0, 0, 255}), paper, image.Pt(80, 20)},
		"red":             {logo(color.NRGBA{200, 30, 30, 255}), paper, image.Pt(80, 20)},
		"rounded corners": {corners, paper, image.Pt(0, 0)},
	} {
		data := encoded(t, c.m)
		p := check(t, data)
		blurred, err := webp.Decode(bytes.NewReader(p.Blur))
		if err != nil {
			t.Fatal(err)
		}
		b := blurred.Bounds()
		checkNear(t, name+": what lies below it", blurred.At(b.Dx()/2, b.Dy()/2), c.ground)
		for _, v := range variants(t, data, 160) {
			if v.Format == "jpeg" {
				m, err := jpeg.Decode(bytes.NewReader(v.Data))
				if err != nil {
					t.Fatal(err)
				}
				checkNear(t, name+" as JPEG", m.At(c.at.X, c.at.Y), c.ground)
				continue
			}
			m, err := webp.Decode(bytes.NewReader(v.Data))
			if err != nil {
				t.Fatal(err)
			}
			if _, _, _, a := m.At(c.at.X, c.at.Y).RGBA(); a > 0x4000 {
				t.Errorf("%s: one cannot see through its WebP: %v", name, m.At(c.at.X, c.at.Y))
			}
		}
	}
}

func checkNear(t *testing.T, what string, is color.Color, want color.RGBA) {
	t.Helper()
	r, g, b, _ := is.RGBA()
	for i, v := range []uint32{r >> 8, g >> 8, b >> 8} {
		if w := []byte{want.R, want.G, want.B}[i]; v > uint32(w)+20 || v+20 < uint32(w) {
			t.Errorf("%s is %v, want %v", what, is, want)
			return
		}
	}
}

// TestAnimations: whether a file is an animation is known of each format that has some. Issue 31, item 12.
func TestAnimations(t *testing.T) {
	still := encoded(t, quarters(20, 20))
	for name, c := range map[string]struct {
		data []byte
		want bool
	}{
		"GIF of three":  {moving(t, 3), true},
		"GIF of one":    {moving(t, 1), false},
		"GIF, cut off":  {moving(t, 3)[:30], false},
		"animated.gif":  {read(t, "animated.gif"), true},
		"clear.gif":     {read(t, "clear.gif"), false},
		"animated.webp": {read(t, "animated.webp"), true},
		"lossy.webp":    {read(t, "lossy.webp"), false},
		"PNG":           {still, false},
		"PNG of two":    {encoded(t, quarters(20, 20), chunk("acTL", 2, 0)), true},
		"PNG of one":    {encoded(t, quarters(20, 20), chunk("acTL", 1, 0)), false},
		"JPEG":          {read(t, "camera.jpg"), false},
		"no photo":      {[]byte("GIF"), false},
	} {
		if got := picture.Animated(c.data); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

func moving(t *testing.T, n int) []byte {
	t.Helper()
	g := gif.GIF{}
	for i := range n {
		m := image.NewPaletted(image.Rect(0, 0, 30, 20), color.Palette{color.Black, color.White, color.NRGBA{R: 200, A: 255}})
		m.SetColorIndex(i, i, 1)
		g.Image, g.Delay = append(g.Image, m), append(g.Delay, 10)
	}
	var out bytes.Buffer
	if err := gif.EncodeAll(&out, &g); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// TestHowAPNGLies: EXIF counts wherever it stands in a PNG, before its pixels or behind them.
func TestHowAPNGLies(t *testing.T) {
	tiff := []byte("MM\x00*\x00\x00\x00\x08\x00\x01\x01\x12\x00\x03\x00\x00\x00\x01\x00\x06\x00\x00\x00\x00\x00\x00")
	plain := encoded(t, quarters(60, 40))
	for name, data := range map[string][]byte{
		"before": encoded(t, quarters(60, 40), pngChunk(nil, "eXIf", tiff)),
		"behind": append(pngChunk(bytes.Clone(plain[:len(plain)-12]), "eXIf", tiff), plain[len(plain)-12:]...),
	} {
		if p := check(t, data); p.Width != 40 || p.Height != 60 {
			t.Errorf("%s: %d x %d", name, p.Width, p.Height)
		}
		for _, v := range variants(t, data) {
			want := [2][2]color.RGBA{{quarter[0][1], quarter[1][1]}, {quarter[0][0], quarter[1][0]}}
			checkQuarters(t, name, shown(t, v), want, 14)
		}
	}
}
