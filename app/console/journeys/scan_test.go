package journeys_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"foyer/app/apptest"
	"foyer/app/apptest/browser"
	"foyer/app/console/consoletest"
	"foyer/app/product"
)

// shelved adds products with stock to a studio: a mat with a barcode, and socks with a SKU.
func shelved(t *testing.T, s *consoletest.Studio) {
	t.Helper()
	for _, v := range []product.CreateVariantInput{
		{Barcode: matCode, PriceAmount: 2450, Track: true}, {SKU: "SOCKS", PriceAmount: 900, Track: true},
	} {
		name := "Cork mat"
		if v.SKU != "" {
			name = "Grip socks"
		}
		p, err := s.Products.Create(t.Context(), s.Owner, product.CreateInput{Name: name})
		if err != nil {
			t.Fatal(err)
		}
		v.ProductID = p.ID
		made, err := s.Products.CreateVariant(t.Context(), s.Owner, v)
		if err != nil {
			t.Fatal(err)
		}
		_, err = s.Products.Receive(t.Context(), s.Owner, product.ReceiveInput{
			StockInput: product.StockInput{ProductID: p.ID, VariantID: made.ID, LocationID: s.Location.ID}, Quantity: 4,
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

const matCode = "4006381333931"

// counted returns the numbers of the rows by the names of their products.
func (p *person) counted() string {
	return browser.Eval[string](p.Page, `[...document.querySelectorAll("[data-scan] tbody tr")].map((r) =>
		r.dataset.name + " " + r.querySelector("input[inputmode]").value).join(", ")`)
}

// inBothSchemes runs axe in light and in dark, at the end of the page: the bar of a phone lies over nothing there.
func (p *person) inBothSchemes() {
	p.t.Helper()
	browser.Eval[bool](p.Page, "scrollTo(0, document.body.scrollHeight), true")
	for _, dark := range []bool{true, false} {
		p.Scheme(dark)
		p.Axe(p.t)
	}
}

// TestCountByTyping: on the smallest phone, a shelf is counted with a hand scanner, which types codes, and a number is
// typed; the count is saved at once.
func TestCountByTyping(t *testing.T) {
	t.Parallel()
	s := consoletest.Open(t)
	shelved(t, s)
	owner := signedIn(t, s, way{Width: narrow}, s.Owner.Email)
	owner.area("Products")
	owner.press("Count stock")
	for i, code := range []string{matCode, "0" + matCode, "socks", matCode, "SOCKS"} {
		owner.Fill("[name=code]", code)
		owner.Press("\r")
		want := []string{
			"Cork mat 1", "Cork mat 1", "Grip socks 1, Cork mat 1", "Grip socks 1, Cork mat 2", "Grip socks 2, Cork mat 2",
		}[i]
		owner.until("the rows are "+want, func() bool { return owner.counted() == want })
		if i == 1 {
			owner.reads("No product has the code 0" + matCode)
		}
	}
	owner.reads("Grip socks: 2")
	owner.sound()
	owner.inBothSchemes()
	owner.Fill("[data-name='Cork mat'] input[inputmode]", "5")
	owner.press("Save count")
	owner.reads("Counted. Difference: -1.") // one mat more, two pairs of socks less
	owner.leaves()
	onHand(t, s, "2 5")
}

// TestCountWithoutScript: on the smallest phone and without script, where no camera can be, the codes of a shelf and
// its numbers are typed, one product after the other.
func TestCountWithoutScript(t *testing.T) {
	t.Parallel()
	s := consoletest.Open(t)
	shelved(t, s)
	owner := signedIn(t, s, way{Width: narrow, NoScript: true}, s.Owner.Email)
	owner.area("Products")
	owner.press("Count stock")
	owner.misses("Use camera")
	owner.fill("SKU or barcode", "0"+matCode)
	owner.press("Add")
	owner.reads("No product has the code 0" + matCode)
	for _, c := range []struct{ code, name, number, said string }{
		{matCode, "Cork mat", "5", "Counted. Difference: +1."}, {"socks", "Grip socks", "2", "Counted. Difference: -2."},
	} {
		owner.fill("SKU or barcode", c.code)
		owner.press("Add")
		owner.reads(c.name)
		owner.sound()
		owner.fill("Counted", c.number)
		owner.press("Save count")
		owner.reads(c.said)
	}
	owner.leaves()
	onHand(t, s, "2 5")
}

// onHand fails unless these numbers are on hand, in ascending order.
func onHand(t *testing.T, s *consoletest.Studio, want string) {
	t.Helper()
	got := apptest.Value[string](t, s.World, "select string_agg(on_hand::text, ' ' order by on_hand) from stock_levels")
	if got != want {
		t.Errorf("%s on hand, want %s", got, want)
	}
}

// The number of times that the page loaded the reader for browsers without a detector.
const zxings = `performance.getEntriesByType("resource").filter((r) => r.name.includes("zxing")).length`

// stall keeps a page busy for longer than a code is out of sight before it counts again.
const stall = `for (const from = performance.now(); performance.now() - from < 1200;); `

// detector is a BarcodeDetector for Chromium on systems that have none. It cannot read the bars: it finds the mat in
// any picture with dark pixels.
const detector = `globalThis.BarcodeDetector = class {
	static async getSupportedFormats() { return ["ean_13"]; }
	async detect(canvas) {
		const { data } = canvas.getContext("2d").getImageData(0, canvas.height >> 1, canvas.width, 1);
		globalThis.detected = (globalThis.detected ?? 0) + 1;
		return data.some((x) => x < 40) ? [{ rawValue: "` + matCode + `" }] : [];
	}
}`

// TestShelfByCamera: on the smallest phone, the camera reads a barcode once while it is in sight: a delivery is
// received, and a shelf is counted, where the other products are typed. The reader is loaded when the camera is
// switched on, and runs under the content policy; a browser with a detector does not load it.
func TestShelfByCamera(t *testing.T) {
	t.Parallel()
	s := consoletest.Open(t)
	shelved(t, s)
	file := filepath.Join(t.TempDir(), "code.y4m")
	if err := os.WriteFile(file, filmOf(matCode), 0o600); err != nil {
		t.Fatal(err)
	}
	owner := signedIn(t, s, way{Width: narrow, Camera: file}, s.Owner.Email)
	owner.area("Products")
	owner.press("Receive stock")
	if n := browser.Eval[int](owner.Page, zxings); n != 0 {
		t.Errorf("the reader is loaded %d times before the camera is on", n)
	}
	owner.readsMat()
	const shown = `document.querySelector("video").currentTime`
	stalled := browser.Eval[float64](owner.Page, stall+shown) // a slow phone reads no picture for a while
	owner.until("several pictures were read", func() bool {
		return browser.Eval[float64](owner.Page, shown) > stalled+0.5
	})
	if got := owner.counted(); got != "Cork mat 1" {
		t.Errorf("a code in sight counts more than once: %s", got)
	}
	owner.sound()
	owner.inBothSchemes()
	owner.press("Use camera")
	if browser.Eval[bool](owner.Page, `document.querySelector("video").srcObject !== null`) {
		t.Error("the camera stays on")
	}
	owner.press("Receive stock")
	owner.reads("Received 1 item.")
	onHand(t, s, "4 5")
	owner.countsShelf("6", "Counted. Difference: -2.") // one mat more, three pairs of socks less
	onHand(t, s, "1 6")
	if n := browser.Eval[int](owner.Page, zxings); n != 1 {
		t.Errorf("the reader was loaded %d times", n)
	}

	owner.Before(detector)
	owner.at("")
	owner.countsShelf("7", "Counted. Difference: +1.")
	onHand(t, s, "1 7")
	if n := browser.Eval[int](owner.Page, zxings); n != 0 || browser.Eval[int](owner.Page, "detected") == 0 {
		t.Errorf("with a detector the reader is loaded %d times", n)
	}
	owner.leaves()
}

// readsMat switches the camera on, which sees the code of the mat.
func (p *person) readsMat() {
	p.t.Helper()
	p.press("Use camera")
	p.reads("Cork mat: 1")
}

// countsShelf counts the mats by the camera, types the code of the socks, of which there is one pair, and the number
// of mats.
func (p *person) countsShelf(mats, said string) {
	p.t.Helper()
	p.area("Products")
	p.press("Count stock")
	p.readsMat()
	p.press("Use camera")
	p.Fill("[name=code]", "socks")
	p.Press("\r")
	p.until("both are counted", func() bool { return p.counted() == "Grip socks 1, Cork mat 1" })
	p.Fill("[data-name='Cork mat'] input[inputmode]", mats)
	p.sound()
	p.press("Save count")
	p.reads(said)
}

// filmOf returns two pictures of 640 by 480 pixels with a barcode, as Y4M.
func filmOf(code string) []byte {
	const wide, high, module = 640, 480, 4
	bars := ean13(code)
	row := bytes.Repeat([]byte{235}, wide)
	from := (wide - module*len(bars)) / 2
	for i, bar := range bars {
		if bar == '1' {
			copy(row[from+i*module:], []byte{16, 16, 16, 16})
		}
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, "YUV4MPEG2 W%d H%d F10:1 Ip A%d:1 C420\n", wide, high, 1)
	for range 2 {
		b.WriteString("FRAME\n")
		for y := range high {
			if y > 90 && y < high-90 {
				b.Write(row)
			} else {
				b.Write(bytes.Repeat([]byte{235}, wide))
			}
		}
		b.Write(bytes.Repeat([]byte{128}, wide*high/2))
	}
	return b.Bytes()
}

// ean13 returns the modules of an EAN-13: 1 is a bar.
func ean13(code string) string {
	left := [10]string{
		"0001101", "0011001", "0010011", "0111101", "0100011", "0110001", "0101111", "0111011", "0110111", "0001011",
	}
	parity := [10]string{
		"LLLLLL", "LLGLGG", "LLGGLG", "LLGGGL", "LGLLGG", "LGGLLG", "LGGGLL", "LGLGLG", "LGLGGL", "LGGLGL",
	}
	invert := func(s string) string { return strings.NewReplacer("0", "1", "1", "0").Replace(s) }
	reverse := func(s string) (out string) {
		for _, c := range s {
			out = string(c) + out
		}
		return out
	}
	out := "101"
	for i, c := range code[1:] {
		bits := left[c-'0']
		switch {
		case i >= 6:
			bits = invert(bits)
		case parity[code[0]-'0'][i] == 'G':
			bits = reverse(invert(bits))
		}
		if i == 6 {
			out += "01010"
		}
		out += bits
	}
	return out + "101"
}
