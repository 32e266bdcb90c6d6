package op

import (
	"encoding/hex"
	"io"
	"strconv"
	"sync"
	"time"

	"github.com/google/uuid"
)

// Writer is data of an answer with its own encoder: a long list of small records, which reflection takes three times
// as long to inspect as to encode. The result equals that of encoding/json on its fields, which describe it in the
// document; a test of each compares the two.
type Writer interface{ WriteJSON(*JSON) }

// JSON is a JSON text in progress. It adds commas; times are in the form of answers (A19).
type JSON struct{ buf []byte }

// Bytes returns the text.
func (j *JSON) Bytes() []byte { return j.buf }

// next adds a comma after a preceding value.
func (j *JSON) next() {
	if n := len(j.buf); n > 0 {
		switch j.buf[n-1] {
		case '{', '[', ':':
		default:
			j.buf = append(j.buf, ',')
		}
	}
}

// Name begins a member; its value follows. Names are constants of the program and need no escapes.
func (j *JSON) Name(name string) *JSON {
	j.next()
	j.buf = append(j.buf, '"')
	j.buf = append(j.buf, name...)
	j.buf = append(j.buf, '"', ':')
	return j
}

// Object writes an object with the members that within writes.
func (j *JSON) Object(within func()) { j.enclosed('{', within, '}') }

// Array writes an array with the elements that within writes.
func (j *JSON) Array(within func()) { j.enclosed('[', within, ']') }

func (j *JSON) enclosed(first byte, within func(), last byte) {
	j.next()
	j.buf = append(j.buf, first)
	within()
	j.buf = append(j.buf, last)
}

// Text writes a string.
func (j *JSON) Text(s string) {
	j.next()
	if !plain(s) {
		quoted, err := plainJSON(s)
		if err != nil {
			panic(err) // a string can be written
		}
		j.buf = append(j.buf, quoted...)
		return
	}
	j.buf = append(j.buf, '"')
	j.buf = append(j.buf, s...)
	j.buf = append(j.buf, '"')
}

// plain reports whether a string needs no escapes in JSON.
func plain(s string) bool {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c > '~' || c == '"' || c == '\\' {
			return false
		}
	}
	return true
}

// Int writes a number.
func (j *JSON) Int(n int64) {
	j.next()
	j.buf = strconv.AppendInt(j.buf, n, 10)
}

// Bool writes true or false.
func (j *JSON) Bool(b bool) {
	j.next()
	j.buf = strconv.AppendBool(j.buf, b)
}

// Null writes null.
func (j *JSON) Null() {
	j.next()
	j.buf = append(j.buf, "null"...)
}

// Time writes an instant.
func (j *JSON) Time(at time.Time) {
	j.next()
	j.buf = append(j.buf, '"')
	j.buf = stamp(at).AppendFormat(j.buf, time.RFC3339Nano)
	j.buf = append(j.buf, '"')
}

// ID writes an identifier.
func (j *JSON) ID(id uuid.UUID) {
	j.next()
	b := append(j.buf, '"')
	for i, part := range [...][]byte{id[:4], id[4:6], id[6:8], id[8:10], id[10:]} {
		if i > 0 {
			b = append(b, '-')
		}
		b = hex.AppendEncode(b, part)
	}
	j.buf = append(b, '"')
}

// Ints writes an array of numbers.
func (j *JSON) Ints(list []int) {
	j.Array(func() {
		for _, n := range list {
			j.Int(int64(n))
		}
	})
}

// Texts writes an array of strings.
func (j *JSON) Texts(list []string) {
	j.Array(func() {
		for _, s := range list {
			j.Text(s)
		}
	})
}

// TextOrNull writes a string, or null.
func (j *JSON) TextOrNull(s *string) {
	if s == nil {
		j.Null()
		return
	}
	j.Text(*s)
}

// IntOrNull writes a number, or null.
func (j *JSON) IntOrNull(n *int) {
	if n == nil {
		j.Null()
		return
	}
	j.Int(int64(*n))
}

// texts are those of answers that were written: the next one takes its room.
var texts = sync.Pool{New: func() any { return new(JSON) }}

// writeTo writes the envelope of data with its own encoder, and reports whether the data has one.
func (e envelope[T]) writeTo(w io.Writer) (bool, error) {
	data, is := any(&e.Data).(Writer)
	if !is {
		return false, nil
	}
	j := texts.Get().(*JSON)
	defer texts.Put(j)
	j.buf = j.buf[:0]
	j.Object(func() {
		j.Name("data")
		data.WriteJSON(j)
		j.Name("v").Text(e.V)
	})
	j.buf = append(j.buf, '\n')
	_, err := w.Write(j.buf)
	return true, err
}
