package agreement

import (
	"bytes"
	"compress/zlib"
	"context"
	"io"
	"regexp"
	"strconv"
	"time"
)

// Bounds of counting pages: beyond them pages are not counted.
const (
	pagesWithin  = 200 * time.Millisecond
	inflatedMax  = 4 << 20  // bytes of one packed stream
	inflatedAll  = 32 << 20 // bytes of all of them
	pagesMost    = 100_000
	headerLength = 5
)

// isPDF checks the content, not the name. security.md 28.
func isPDF(file []byte) bool {
	return len(file) > headerLength && bytes.HasPrefix(file, []byte("%PDF-"))
}

var (
	objectStream = regexp.MustCompile(`/Type\s*/ObjStm`)
	pageTree     = regexp.MustCompile(`/Type\s*/Pages\b`)
	pageCount    = regexp.MustCompile(`/Count\s+(\d{1,6})\b`)
	streamBegins = []byte("stream")
	streamEnds   = []byte("endstream")
)

// pagesOf counts the pages of a PDF as far as its page tree allows: the largest count of a node is the root's. It
// returns nil when the count is unknown: the file is encrypted, broken, or takes too long. It reads only the given
// bytes and follows no reference, so no file can keep it busy.
func pagesOf(ctx context.Context, file []byte) *int {
	if bytes.Contains(file, []byte("/Encrypt")) {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, pagesWithin)
	defer cancel()
	most, left := countIn(file), inflatedAll
	var packed unpacker
	for at, end := 0, 0; left > 0 && ctx.Err() == nil; {
		i := bytes.Index(file[at:], streamBegins)
		if i < 0 {
			break
		}
		head := file[max(0, at+i-512) : at+i]
		if at += i + len(streamBegins); end < at { // each part of the file is searched for an end once
			end = endOfStream(file, at)
		}
		if start := bytes.LastIndex(head, []byte("obj")); start >= 0 {
			head = head[start:]
		}
		if !objectStream.Match(head) || !bytes.Contains(head, []byte("FlateDecode")) {
			continue
		}
		plain := packed.inflate(bytes.TrimLeft(file[at:end], "\r\n"), min(inflatedMax, left))
		if len(plain) > 0 { // else it was none, and was abandoned at its first byte
			at = end
		}
		left -= len(plain) + 1
		most = max(most, countIn(plain))
	}
	if ctx.Err() != nil || most < 1 || most > pagesMost {
		return nil
	}
	return &most
}

// endOfStream returns the end of the stream that begins at a position: the end of the file when nothing marks it.
func endOfStream(file []byte, at int) int {
	if end := bytes.Index(file[at:], streamEnds); end >= 0 {
		return at + end
	}
	return len(file)
}

// unpacker unpacks one stream after another with one reader, which takes 40 KB.
type unpacker struct{ r io.Reader }

// inflate unpacks at most that many bytes; what is broken ends early.
func (u *unpacker) inflate(packed []byte, most int) []byte {
	var err error
	if again, is := u.r.(zlib.Resetter); is {
		err = again.Reset(bytes.NewReader(packed), nil)
	} else {
		u.r, err = zlib.NewReader(bytes.NewReader(packed))
	}
	if err != nil {
		return nil
	}
	plain, _ := io.ReadAll(io.LimitReader(u.r, int64(most))) // the bytes before an error count
	return plain
}

// countIn returns the largest count of a page tree's node in plain.
func countIn(plain []byte) int {
	most := 0
	for _, at := range pageTree.FindAllIndex(plain, 1000) {
		from, to := at[0], at[1]
		if open := bytes.LastIndex(plain[max(0, from-256):from], []byte("<<")); open >= 0 {
			from = max(0, from-256) + open
		}
		to = min(len(plain), to+16<<10)
		if end := bytes.Index(plain[at[1]:to], []byte(">>")); end >= 0 {
			to = at[1] + end
		}
		if found := pageCount.FindSubmatch(plain[from:to]); found != nil {
			n, _ := strconv.Atoi(string(found[1])) // digits
			most = max(most, n)
		}
	}
	return most
}
