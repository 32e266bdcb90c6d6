package picture

import (
	"encoding/binary"
	"math"
)

// pngColours are the colours of a PNG besides a profile, as the standard ranks them: cICP, then iCCP, then sRGB, then
// gAMA with cHRM. Browsers show a PNG so.
type pngColours struct {
	named, icc *profile
	isNamed    bool
	isICC      bool
	isSRGB     bool
	gamma      uint32 // 45455 means 1/2.2
	chroma     []byte
}

func (c *pngColours) take(kind string, body []byte) {
	switch kind {
	case "cICP":
		if !c.isNamed { // the first counts, as with profiles: others cost time
			c.named, c.isNamed = namedColours(body)
		}
	case "iCCP":
		if !c.isICC {
			c.icc, c.isICC = readProfile(unpackProfile(body)), true
		}
	case "sRGB":
		c.isSRGB = true
	case "gAMA":
		if len(body) == 4 {
			c.gamma = binary.BigEndian.Uint32(body)
		}
	case "cHRM":
		c.chroma = body
	}
}

// profile is the one that applies; nil for sRGB, or without any.
func (c *pngColours) profile() *profile {
	switch {
	case c.isNamed:
		return c.named
	case c.isICC:
		return c.icc
	case c.isSRGB:
		return nil
	}
	return gammaColours(c.gamma, c.chroma)
}

// gammaColours is the profile of gAMA and cHRM. Without gAMA, browsers ignore cHRM.
func gammaColours(gamma uint32, chroma []byte) *profile {
	const least, most = 1_000, 1_000_000 // a value outside is no gamma
	if gamma < least || gamma > most {
		return nil
	}
	exponent := 1e5 / float64(gamma)
	p := profileOf(func(v float64) float64 { return math.Pow(v, exponent) })
	if len(chroma) == 32 {
		var xy [8]float64
		for i := range xy {
			xy[i] = float64(int32(binary.BigEndian.Uint32(chroma[4*i:]))) / 1e5
		}
		p.setPrimaries(xy)
	}
	return p.unlessPlain()
}

// Colours that cICP calls by a number of H.273: white, red, green and blue, as x and y.
var namedPrimaries = map[byte][8]float64{
	1:  {0.3127, 0.3290, 0.640, 0.330, 0.300, 0.600, 0.150, 0.060}, // sRGB
	9:  {0.3127, 0.3290, 0.708, 0.292, 0.170, 0.797, 0.131, 0.046}, // BT.2020
	12: {0.3127, 0.3290, 0.680, 0.320, 0.265, 0.690, 0.150, 0.060}, // Display P3
}

// namedCurves are the supported curves of H.273. Those of high dynamic range are not among them.
var namedCurves = map[byte]func(float64) float64{
	4:  func(v float64) float64 { return math.Pow(v, 2.2) },
	8:  func(v float64) float64 { return v },
	13: light,
}

// namedColours is the profile of a cICP chunk. An unsupported one is ignored in favour of other chunks.
func namedColours(body []byte) (p *profile, ok bool) {
	if len(body) != 4 || body[2] != 0 || body[3] != 1 {
		return nil, false
	}
	primaries, ok := namedPrimaries[body[0]]
	curve, known := namedCurves[body[1]]
	if !ok || !known {
		return nil, false
	}
	p = profileOf(curve)
	p.setPrimaries(primaries)
	return p.unlessPlain(), true
}

// profileOf has one curve for all three colours, and the colours of sRGB.
func profileOf(curve func(float64) float64) *profile {
	p := &profile{matrix: same}
	for v := range 256 {
		l := float32(curve(float64(v) / 255))
		p.linear[0][v], p.linear[1][v], p.linear[2][v] = l, l, l
	}
	return p
}

// setPrimaries makes the profile convert other primaries to those of sRGB. The white of one becomes the white of the
// other. Invalid primaries are ignored.
func (p *profile) setPrimaries(xy [8]float64) {
	from, ok := lightOf(xy)
	to, _ := lightOf(namedPrimaries[1])
	if !ok {
		return
	}
	there := to.inverse().times(adapted(xy[0], xy[1])).times(from)
	for i, v := range there {
		if math.IsNaN(v) || math.Abs(v) > 100 {
			return
		}
		p.matrix[i] = float32(v)
	}
}

// square is three rows of three.
type square [9]float64

func (a square) times(b square) (out square) {
	for row := range 3 {
		for column := range 3 {
			for i := range 3 {
				out[3*row+column] += a[3*row+i] * b[3*i+column]
			}
		}
	}
	return out
}

func (a square) inverse() (out square) {
	minor := func(row, column int) float64 {
		r1, r2, c1, c2 := (row+1)%3, (row+2)%3, (column+1)%3, (column+2)%3
		return a[3*r1+c1]*a[3*r2+c2] - a[3*r1+c2]*a[3*r2+c1]
	}
	whole := a[0]*minor(0, 0) + a[1]*minor(0, 1) + a[2]*minor(0, 2)
	for row := range 3 {
		for column := range 3 {
			out[3*column+row] = minor(row, column) / whole
		}
	}
	return out
}

func (a square) of(v [3]float64) (out [3]float64) {
	for row := range 3 {
		out[row] = a[3*row]*v[0] + a[3*row+1]*v[1] + a[3*row+2]*v[2]
	}
	return out
}

// lightOf converts red, green and blue with those chromaticities to XYZ, with all three at once as white.
func lightOf(xy [8]float64) (square, bool) {
	for i := 1; i < 8; i += 2 {
		if xy[i] <= 0 || xy[i] > 1 || xy[i-1] < 0 || xy[i-1] > 1 {
			return square{}, false
		}
	}
	var m square
	for i := range 3 {
		x, y := xy[2+2*i], xy[3+2*i]
		m[i], m[3+i], m[6+i] = x/y, 1, (1-x-y)/y
	}
	much := m.inverse().of(seen(xy[0], xy[1]))
	for i := range 9 {
		m[i] *= much[i%3]
	}
	return m, true
}

func seen(x, y float64) [3]float64 { return [3]float64{x / y, 1, (1 - x - y) / y} }

// bradford converts light to the responses of the eye's cones.
var bradford = square{0.8951, 0.2664, -0.1614, -0.7502, 1.7135, 0.0367, 0.0389, -0.0685, 1.0296}

// adapted converts light under a white to the same under the white of sRGB.
func adapted(x, y float64) square {
	from, to := bradford.of(seen(x, y)), bradford.of(seen(0.3127, 0.3290))
	scale := square{0: to[0] / from[0], 4: to[1] / from[1], 8: to[2] / from[2]}
	return bradford.inverse().times(scale).times(bradford)
}
