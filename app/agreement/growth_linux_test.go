package agreement_test

import (
	"strconv"
	"strings"
	"testing"

	"foyer/app/agreement"
	"foyer/app/apptest/growth"
)

// TestPagesOfCostAsTheFile: counting the pages of a PDF takes time in proportion to its size, whatever its content.
// The files are small, and are counted long before the time limit.
func TestPagesOfCostAsTheFile(t *testing.T) {
	const begin = "obj << /Type /ObjStm /Filter /FlateDecode >> stream\n"
	var rows []growth.Row
	for _, piece := range []string{
		"stream ", "endstream ", "obj stream ", begin, begin + "endstream\n", begin + "x\x9c\x00\x00\x00\xff\xff", "x\x9c" + begin,
		string(packed(t, "<< /Type /Pages /Count 12 >>")), string(packed(t, strings.Repeat("0", 64<<10))), strings.Replace(string(packed(t, "a")), "endstream", "", 1),
		"/Type /Pages ", "/Type ", "/Type\n", "<< /Type /Pages /Count 1", "/Type /Pages /Count ", "/Count 1 ", "<<", ">>", "/Encrypt"[:7], "\x00",
	} {
		rows = append(rows, growth.Row{Name: strconv.Quote(piece[:min(len(piece), 60)]), Most: 256 << 10, Read: func(size int) func() {
			file := []byte("%PDF-1.7\n" + growth.Repeated(piece, size))
			return func() { agreement.PagesOf(t.Context(), file) }
		}})
	}
	growth.Check(t, rows...)
}

// TestPagesBehindAWord: a word that only looks like the beginning of a stream does not hide the page tree behind it.
func TestPagesBehindAWord(t *testing.T) {
	file := "%PDF-1.7\n1 0 obj << /Type /ObjStm /Filter /FlateDecode (no stream) >> endobj\n" + string(packed(t, "2 0 << /Count 7 /Type /Pages /Kids [] >>"))[9:]
	if got := agreement.PagesOf(t.Context(), []byte(file)); got == nil || *got != 7 {
		t.Errorf("%v pages, want 7", got)
	}
}
