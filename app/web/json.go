package web

import (
	"bytes"
	"encoding/json"
	"io"

	"github.com/danielgtaylor/huma/v2"
	gojson "github.com/goccy/go-json"
)

// jsonFormat is how bodies are read and answers are written. Writing is most of what a long answer costs outside of the
// database, and go-json writes the same bytes as encoding/json in a third of the time (TestAnswersAreStandardJSON). What
// others send is read by encoding/json alone, whose every corner the checks in front of it know (strictjson.go).
var jsonFormat = huma.Format{Marshal: writeJSON, Unmarshal: json.Unmarshal}

// writeJSON encodes one value and a line feed, without escaping < > and &.
func writeJSON(w io.Writer, v any) error {
	enc := gojson.NewEncoder(w)
	enc.SetEscapeHTML(false)
	return enc.Encode(v)
}

// plainJSON encodes like writeJSON, without the line feed.
func plainJSON(v any) ([]byte, error) {
	var buf bytes.Buffer
	if err := writeJSON(&buf, v); err != nil {
		return nil, err
	}
	return bytes.TrimRight(buf.Bytes(), "\n"), nil
}
