package product

import (
	"strings"
	"testing"
)

// Barcodes that are printed on goods, each with a wrong check digit beside it; any other text is a code 128.
func TestBarcodes(t *testing.T) {
	for code, want := range map[string]BarcodeKind{
		"4006381333931": EAN13, "9780201379624": EAN13, "036000291452": UPCA, "012345678905": UPCA, "73513537": EAN8,
		"96385074": EAN8, "MAT-BLUE-01": Code128, "1234567": Code128, "12345678901234": Code128, "a": Code128,
	} {
		if got, ok := barcodeKind(code); got != want || !ok {
			t.Errorf("%s: %s %v, want %s", code, got, ok, want)
		}
		if want == Code128 {
			continue
		}
		for digit := range 10 {
			other := code[:len(code)-1] + string(rune('0'+digit))
			if _, ok := barcodeKind(other); ok != (other == code) {
				t.Errorf("%s: accepted is %v", other, ok)
			}
		}
	}
	long := BarcodeMax + 1
	for _, code := range []string{"", "mätte", "tab\there", strings.Repeat("a", long), strings.Repeat("1", long)} {
		if kind, ok := barcodeKind(code); ok {
			t.Errorf("%q is a %s", code, kind)
		}
	}
}

// A variant has one choice of each option, spelled as there; changed options keep the choices that are left.
func TestChoices(t *testing.T) {
	size, colour := Option{"Size", []string{"S", "M"}}, Option{"Colour", []string{"Blue", "Red"}}
	for _, c := range []struct {
		options []Option
		choices []string
		want    bool
	}{
		{nil, []string{}, true},
		{[]Option{size}, []string{"M"}, true},
		{[]Option{size, colour}, []string{"M", "Red"}, true},
		{[]Option{size, colour}, []string{"Red", "M"}, false},
		{[]Option{size, colour}, []string{"M"}, false},
		{[]Option{size}, []string{"M", "Red"}, false},
		{[]Option{size}, []string{"m"}, false},
		{[]Option{size}, []string{}, false},
		{nil, []string{"M"}, false},
	} {
		if got := covers(c.options, c.choices); got != c.want {
			t.Errorf("%v of %v: %v", c.choices, c.options, got)
		}
	}
	for _, c := range []struct {
		options []Option
		choices []string
		want    string
	}{
		{[]Option{size, colour}, []string{"M"}, "M, Blue"},
		{[]Option{size}, []string{"M", "Red"}, "M"},
		{[]Option{size}, []string{"L"}, "L"},
		{nil, []string{"M"}, ""},
	} {
		if got := strings.Join(refit(c.options, c.choices), ", "); got != c.want {
			t.Errorf("%v with %v: %s, want %s", c.choices, c.options, got, c.want)
		}
	}
	if label("Mat", nil) != "Mat" || label("Mat", []string{"Blue", "L"}) != "Mat (Blue, L)" {
		t.Errorf("labels %s, %s", label("Mat", nil), label("Mat", []string{"Blue", "L"}))
	}
}
