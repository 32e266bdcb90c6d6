package picture

import (
	"encoding/binary"
	"math"
	"testing"
)

// iccOf writes a profile as a phone does: three columns of light and one curve for all.
func iccOf(columns [3][3]float64, curve []byte) []byte {
	s15 := func(b []byte, v float64) []byte {
		return binary.BigEndian.AppendUint32(b, uint32(int32(math.Round(v*65536))))
	}
	out := make([]byte, 128)
	copy(out[16:], "RGB XYZ ")
	out = binary.BigEndian.AppendUint32(out, 6)
	at, data := uint32(len(out)+6*12), []byte(nil)
	for i, name := range []string{"r", "g", "b"} {
		column := []byte("XYZ \x00\x00\x00\x00")
		for _, v := range columns[i] {
			column = s15(column, v)
		}
		for tag, body := range map[string][]byte{"XYZ": column, "TRC": curve} {
			out = append(out, name+tag...)
			out = binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(out, at+uint32(len(data))), uint32(len(body)))
			data = append(data, body...)
		}
	}
	return append(out, data...)
}

func para(kind uint16, v ...float64) []byte {
	out := append([]byte("para\x00\x00\x00\x00"), byte(kind>>8), byte(kind), 0, 0)
	for _, f := range v {
		out = binary.BigEndian.AppendUint32(out, uint32(int32(math.Round(f*65536))))
	}
	return out
}

var (
	displayP3 = [3][3]float64{{0.51512, 0.2412, -0.00105}, {0.29198, 0.69225, 0.04189}, {0.1571, 0.06657, 0.78407}}
	sRGB      = [3][3]float64{{0.43607, 0.22249, 0.01392}, {0.38515, 0.71687, 0.09708}, {0.14307, 0.06061, 0.7141}}
	srgbCurve = para(3, 2.4, 1/1.055, 0.055/1.055, 1/12.92, 0.04045)
)

func TestProfileOfAPhone(t *testing.T) {
	p := readProfile(iccOf(displayP3, srgbCurve))
	if p == nil {
		t.Fatal("it is not understood")
	}
	for from, want := range map[[3]byte][3]byte{ // by LittleCMS
		{191, 63, 44}: {208, 48, 32}, {77, 158, 76}: {32, 160, 64}, {40, 63, 185}: {32, 64, 192}, {219, 193, 78}: {224, 192, 48}, {255, 255, 255}: {255, 255, 255}, {0, 0, 0}: {0, 0, 0},
		{128, 128, 128}: {128, 128, 128}, {255, 0, 0}: {255, 0, 0},
	} {
		r, g, b := p.convert(from[0], from[1], from[2])
		for i, v := range []byte{r, g, b} {
			if math.Abs(float64(v)-float64(want[i])) > 2 {
				t.Errorf("%v is %d %d %d, want %v", from, r, g, b, want)
			}
		}
	}
}

func TestProfilesThatChangeNothing(t *testing.T) {
	if readProfile(iccOf(sRGB, srgbCurve)) != nil {
		t.Error("sRGB is converted")
	}
	whole := iccOf(displayP3, srgbCurve)
	other := append([]byte(nil), whole...)
	copy(other[16:], "CMYK")
	for name, icc := range map[string][]byte{
		"nothing": nil, "of a printer": other, "too long": append(whole, make([]byte, maxProfile)...),
		"with a formula that is none": iccOf(displayP3, para(9, 1, 2, 3, 4, 5, 6, 7)), "with a curve that is cut off": iccOf(displayP3, []byte("curv\x00\x00\x00\x00\x00\x00\x01\x00")),
		"without a curve": iccOf(displayP3, nil),
	} {
		if readProfile(icc) != nil {
			t.Errorf("a profile %s is believed", name)
		}
	}
	for n := range whole {
		readProfile(whole[:n]) // does not fall
		broken := append([]byte(nil), whole...)
		broken[n] ^= 0xff
		readProfile(broken)
	}
}

// TestCurves: each way to write down a curve, at a half.
func TestCurves(t *testing.T) {
	for name, c := range map[string]struct {
		curve []byte
		want  float64
	}{
		"straight":      {[]byte("curv\x00\x00\x00\x00\x00\x00\x00\x00"), 0.5},
		"gamma":         {[]byte("curv\x00\x00\x00\x00\x00\x00\x00\x01\x02\x33"), math.Pow(0.5, 2.2)},
		"three points":  {[]byte("curv\x00\x00\x00\x00\x00\x00\x00\x03\x00\x00\x20\x00\xff\xff"), 0.125},
		"formula 0":     {para(0, 2), 0.25},
		"formula 1":     {para(1, 2, 1, 0.1), 0.36},
		"formula 2":     {para(2, 2, 1, 0.1, 0.2), 0.56},
		"formula 3":     {srgbCurve, light(0.5)},
		"formula 4":     {para(4, 2, 1, 0, 0.5, 0.8, 0.1, 0.05), 0.3},
		"above the top": {para(2, 1, 1, 0, 0.9), 1},
	} {
		var p profile
		if !p.readCurve(0, c.curve) {
			t.Errorf("%s: not understood", name)
		}
		if got := (float64(p.linear[0][127]) + float64(p.linear[0][128])) / 2; math.Abs(got-c.want) > 0.002 {
			t.Errorf("%s: %f at a half, want %f", name, got, c.want)
		}
	}
}
