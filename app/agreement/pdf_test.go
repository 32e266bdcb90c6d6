package agreement_test

import (
	"bytes"
	"compress/zlib"
	"fmt"
	"strings"
	"testing"

	"foyer/app/agreement"
)

// onePage is a PDF with a page tree of three pages.
var onePage = []byte("%PDF-1.4\n1 0 obj << /Type /Catalog /Pages 2 0 R >> endobj\n2 0 obj << /Type /Pages /Kids [3 0 R] /Count 3 >> endobj\n%%EOF\n")

// packed returns a PDF with its page tree inside a packed stream.
func packed(t testing.TB, inside string) []byte {
	t.Helper()
	var b bytes.Buffer
	w := zlib.NewWriter(&b)
	if _, err := w.Write([]byte(inside)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return []byte(fmt.Sprintf("%%PDF-1.5\n4 0 obj << /Type /ObjStm /N 1 /First 4 /Filter /FlateDecode /Length %d >> stream\n%s\nendstream endobj\n", b.Len(), b.Bytes()))
}

// TestPagesOfAPDF: A178: pages are counted if the page tree has them, and no file keeps the program busy.
func TestPagesOfAPDF(t *testing.T) {
	s := open(t)
	three, twelve := 3, 12
	for name, c := range map[string]struct {
		file []byte
		want *int
	}{
		"plain":             {onePage, &three},
		"packed":            {packed(t, "2 0 << /Count 12 /Type /Pages /Kids [] >>"), &twelve},
		"encrypted":         {append(bytes.Clone(onePage), "trailer << /Encrypt 9 0 R >>"...), nil},
		"no tree":           {[]byte("%PDF-1.7\nhello"), nil},
		"broken stream":     {[]byte("%PDF-1.5\n<< /Type /ObjStm /Filter /FlateDecode >> stream\nnot zlib\nendstream"), nil},
		"endless stream":    {packed(t, strings.Repeat("0", 64<<20)), nil},
		"a loop of nothing": {append([]byte("%PDF-1.4\n"), strings.Repeat("/Type /Pages stream obj << /Type /ObjStm FlateDecode ", 20_000)...), nil},
		"too many":          {[]byte("%PDF-1.4\n<< /Type /Pages /Count 999999 >>"), nil},
	} {
		d := s.asks(t, func(in *agreement.CreateInput) { in.File = c.file })
		if got := d.Copy.PageCount; (got == nil) != (c.want == nil) || got != nil && *got != *c.want {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
		if back, err := s.a.File(t.Context(), d.Copy); err != nil || !bytes.Equal(back, c.file) {
			t.Errorf("%s: %d bytes came back (%v)", name, len(back), err)
		}
	}
}
