package apptest

import (
	"bytes"
	"fmt"
	"strings"
)

// PDF is a file that any viewer opens: that many pages, each with these words in large type.
func PDF(pages int, says string) []byte {
	var b bytes.Buffer
	var at []int
	object := func(format string, values ...any) {
		at = append(at, b.Len())
		fmt.Fprintf(&b, "%d 0 obj\n"+format+"\nendobj\n", append([]any{len(at)}, values...)...)
	}
	b.WriteString("%PDF-1.4\n")
	object("<< /Type /Catalog /Pages 2 0 R >>")
	var kids strings.Builder
	for i := range pages {
		fmt.Fprintf(&kids, "%d 0 R ", 5+i)
	}
	object("<< /Type /Pages /Kids [ %s] /Count %d >>", kids.String(), pages)
	object("<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>")
	words := fmt.Sprintf("BT /F1 24 Tf 60 700 Td (%s) Tj ET", says)
	object("<< /Length %d >>\nstream\n%s\nendstream", len(words), words)
	for range pages {
		object("<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 3 0 R >> >> >>")
	}
	xref := b.Len()
	fmt.Fprintf(&b, "xref\n0 %d\n0000000000 65535 f \n", len(at)+1)
	for _, offset := range at {
		fmt.Fprintf(&b, "%010d 00000 n \n", offset)
	}
	fmt.Fprintf(&b, "trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n", len(at)+1, xref)
	return b.Bytes()
}
