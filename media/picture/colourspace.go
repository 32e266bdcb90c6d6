package picture

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"image"
	"image/color"
	"io"
	"math"
)

// profile converts the colours of a file to sRGB, the default of browsers for a file without a profile, such as our
// variants. Phones write Display P3; without the conversion, their reds come out dull.
type profile struct {
	linear [3][256]float32 // light of each value of red, green and blue
	matrix [9]float32      // from there to the light of sRGB
}

// fromD50 converts the colours of profiles, under the illuminant D50, to the light of sRGB.
var fromD50 = [9]float64{3.1338561, -1.6168667, -0.4906146, -0.9787684, 1.9161415, 0.0334540, 0.0719453, -0.2289914, 1.4052427}

// maxProfile is far above the size of a matrix profile. Those of printers are tables of megabytes, and are not needed
// here.
const maxProfile = 64 << 10

// readProfile reads profiles of screens and cameras: red, green and blue light, and a curve. It is nil for all
// others, and for sRGB, as that needs no conversion.
func readProfile(icc []byte) *profile {
	if len(icc) < 132 || len(icc) > maxProfile {
		return nil
	}
	if string(icc[16:20]) == "GRAY" {
		return readGrey(icc)
	}
	if string(icc[16:20]) != "RGB " || string(icc[20:24]) != "XYZ " {
		return nil
	}
	p := &profile{}
	var columns [3][3]float64
	for i, name := range []string{"r", "g", "b"} {
		light, curve := iccTag(icc, name+"XYZ"), iccTag(icc, name+"TRC")
		if len(light) < 20 || !p.readCurve(i, curve) {
			return nil
		}
		for j := range 3 {
			columns[i][j] = fixed(light[8+4*j:])
		}
	}
	for row := range 3 {
		for i := range 3 {
			v := 0.0
			for j := range 3 {
				v += fromD50[3*row+j] * columns[i][j]
			}
			p.matrix[3*row+i] = float32(v)
		}
	}
	return p.unlessPlain()
}

// readGrey reads profiles of grey pictures: a curve alone.
func readGrey(icc []byte) *profile {
	p := &profile{matrix: same}
	if !p.readCurve(0, iccTag(icc, "kTRC")) {
		return nil
	}
	p.linear[1], p.linear[2] = p.linear[0], p.linear[0]
	return p.unlessPlain()
}

var same = [9]float32{0: 1, 4: 1, 8: 1}

// unlessPlain is nil for sRGB, and for profiles without a visible difference from it.
func (p *profile) unlessPlain() *profile {
	for i, v := range p.matrix {
		if math.Abs(float64(v-same[i])) >= 0.01 {
			return p
		}
	}
	for v := range 256 {
		for i := range 3 {
			if math.Abs(float64(p.linear[i][v])-light(float64(v)/255)) >= 0.01 {
				return p
			}
		}
	}
	return nil
}

// takeProfile reads the first profile of a picture.
func (h *header) takeProfile(icc func() []byte) {
	if !h.profiled {
		h.colours, h.profiled = readProfile(icc()), true
	}
}

// iccTag is one entry of a profile, or nothing.
func iccTag(icc []byte, name string) []byte {
	list := icc[132:]
	for range min(binary.BigEndian.Uint32(icc[128:]), 100) {
		if len(list) < 12 {
			break
		}
		at, size := int64(binary.BigEndian.Uint32(list[4:])), int64(binary.BigEndian.Uint32(list[8:]))
		if string(list[:4]) == name && at+size <= int64(len(icc)) {
			return icc[at : at+size]
		}
		list = list[12:]
	}
	return nil
}

func fixed(b []byte) float64 { return float64(int32(binary.BigEndian.Uint32(b))) / 65536 }

// readCurve makes a table of a curve: a list of points, or one of five formulas.
func (p *profile) readCurve(i int, tag []byte) bool {
	if len(tag) < 12 {
		return false
	}
	var at func(x float64) float64
	switch n := int(binary.BigEndian.Uint32(tag[8:])); {
	case string(tag[:4]) == "para":
		at = formula(int(binary.BigEndian.Uint16(tag[8:])), tag[12:])
	case string(tag[:4]) != "curv" || n < 0 || len(tag) < 12+2*n:
	case n == 0:
		at = func(x float64) float64 { return x }
	case n == 1:
		gamma := float64(binary.BigEndian.Uint16(tag[12:])) / 256
		at = func(x float64) float64 { return math.Pow(x, gamma) }
	default:
		at = func(x float64) float64 { return between(tag[12:12+2*n], x) }
	}
	if at == nil {
		return false
	}
	for v := range 256 {
		y := at(float64(v) / 255)
		if math.IsNaN(y) {
			return false
		}
		p.linear[i][v] = float32(min(max(y, 0), 1))
	}
	return true
}

// between reads a list of points at x, 0 to 1.
func between(points []byte, x float64) float64 {
	last := len(points)/2 - 1
	whole, rest := math.Modf(x * float64(last))
	point := func(i int) float64 { return float64(binary.BigEndian.Uint16(points[2*min(i, last):])) / 65535 }
	return point(int(whole))*(1-rest) + point(int(whole)+1)*rest
}

// formula is a curve of the standard's five, by its number and its parameters g a b c d e f.
func formula(kind int, b []byte) func(x float64) float64 {
	counts := []int{1, 3, 4, 5, 7}
	if kind >= len(counts) || len(b) < 4*counts[kind] {
		return nil
	}
	var v [7]float64
	for i := range counts[kind] {
		v[i] = fixed(b[4*i:])
	}
	g, a, from := v[0], v[1], v[4]
	var above, below float64
	switch kind {
	case 0:
		a, from = 1, 0
	case 1:
		from = -v[2] / a
	case 2:
		from, above, below = -v[2]/a, v[3], v[3]
	case 4:
		above, below = v[5], v[6]
	}
	slope := map[bool]float64{true: v[3]}[kind >= 3]
	return func(x float64) float64 {
		if x >= from {
			return math.Pow(max(a*x+v[2], 0), g) + above
		}
		return slope*x + below
	}
}

// light is that of a value of sRGB, 0 to 1.
func light(v float64) float64 {
	if v <= 0.04045 {
		return v / 12.92
	}
	return math.Pow((v+0.055)/1.055, 2.4)
}

// values is the way back, by light in 4096 steps.
var values = func() (out [4097]byte) {
	for i := range out {
		l := float64(i) / 4096
		v := 12.92 * l
		if l > 0.0031308 {
			v = 1.055*math.Pow(l, 1/2.4) - 0.055
		}
		out[i] = rounded(255 * v)
	}
	return
}()

func (p *profile) convert(r, g, b byte) (byte, byte, byte) {
	lr, lg, lb := p.linear[0][r], p.linear[1][g], p.linear[2][b]
	m := &p.matrix
	return values[step(m[0]*lr+m[1]*lg+m[2]*lb)], values[step(m[3]*lr+m[4]*lg+m[5]*lb)], values[step(m[6]*lr+m[7]*lg+m[8]*lb)]
}

func step(l float32) int { return int(min(max(l, 0), 1)*4096 + 0.5) }

// apply changes the colours of a picture where they are; it is small by then.
func (p *profile) apply(r *raster) {
	if p == nil {
		return
	}
	strip := image.NewRGBA(image.Rect(0, 0, r.w, 2))
	for y := 0; y < r.h; y += 2 {
		rows := min(2, r.h-y)
		cbs, crs := r.planes[1].row(y/r.subY), r.planes[2].row(y/r.subY)
		for dy := range rows {
			to := strip.Pix[dy*strip.Stride:]
			for x, luma := range r.planes[0].row(y + dy) {
				red, green, blue := color.YCbCrToRGB(luma, cbs[x/r.subX], crs[x/r.subX])
				to[4*x], to[4*x+1], to[4*x+2] = p.convert(red, green, blue)
			}
		}
		r.takeRows(y, strip, rows)
	}
}

// applyTo changes the colours of a picture that may be transparent, in place.
func (p *profile) applyTo(m *image.NRGBA) {
	if p == nil {
		return
	}
	for i := 0; i+3 < len(m.Pix); i += 4 {
		c := m.Pix[i:][:4]
		c[0], c[1], c[2] = p.convert(c[0], c[1], c[2])
	}
}

// unpackProfile is the content of a PNG's iCCP chunk after its name.
func unpackProfile(chunk []byte) []byte {
	_, packed, ok := bytes.Cut(chunk, []byte{0})
	if !ok || len(packed) < 1 || packed[0] != 0 {
		return nil
	}
	z, err := zlib.NewReader(bytes.NewReader(packed[1:]))
	if err != nil {
		return nil
	}
	icc, err := io.ReadAll(io.LimitReader(z, maxProfile))
	if err != nil {
		return nil
	}
	return icc
}
