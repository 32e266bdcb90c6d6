package mcp

import (
	"bytes"
	"crypto/rand"
	"encoding/json"
	"net/http"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// The protocol's library encodes an answer three times, which for a list of 250 KB, or a result with 50 rows, is most
// of its cost. So it gets answers with places in them, and a splicer writes what is already JSON there. A place is a
// text that no client can know.
var (
	placeText   = "text " + rand.Text()
	placeObject = json.RawMessage(`{"` + rand.Text() + `":0}`)
	placeTool   = &sdk.Tool{Name: "tools " + rand.Text(), InputSchema: json.RawMessage(`{"type":"object"}`)}
)

// piece is what is written at a place.
type piece struct {
	place []byte
	parts [][]byte
}

// spliceTools puts encoded tools in the place of those of a list.
func (a *admitted) spliceTools(list *sdk.ListToolsResult, parts [][]byte) {
	if place, err := encoded(placeTool); err == nil {
		list.Tools, a.pieces = []*sdk.Tool{placeTool}, []piece{{place, parts}}
	}
}

// spliceResult does the same for the object of a result and for its text. It leaves a result alone that is made in
// another way, or has line breaks, which would end an event.
func (a *admitted) spliceResult(res *sdk.CallToolResult) {
	object, ok := res.StructuredContent.(json.RawMessage)
	if !ok || len(res.Content) != 1 || bytes.ContainsAny(object, "\r\n") {
		return
	}
	text, ok := res.Content[0].(*sdk.TextContent)
	if !ok {
		return
	}
	line, err := encoded(text.Text)
	if err != nil {
		return
	}
	res.StructuredContent, res.Content = placeObject, []sdk.Content{&sdk.TextContent{Text: placeText}}
	a.pieces = []piece{{[]byte(`"` + placeText + `"`), [][]byte{line}}, {placeObject, [][]byte{object}}}
}

// splicer is the writer of an answer.
type splicer struct {
	http.ResponseWriter
	caller *admitted
}

// Unwrap is for http.ResponseController, which flushes.
func (w splicer) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// Write is part of http.ResponseWriter. An event comes as one write.
func (w splicer) Write(p []byte) (int, error) {
	parts, size := spliced(p, w.caller.pieces)
	if g, ok := w.ResponseWriter.(interface{ Grow(int) }); ok {
		g.Grow(size)
	}
	for _, part := range parts {
		if _, err := w.ResponseWriter.Write(part); err != nil {
			return 0, err
		}
	}
	return len(p), nil
}

// spliced returns the parts of a text with its pieces, each of which comes once, and their size.
func spliced(text []byte, pieces []piece) (parts [][]byte, size int) {
	for len(text) > 0 {
		at, next := len(text), piece{}
		for _, x := range pieces {
			if i := bytes.Index(text, x.place); i >= 0 && i < at {
				at, next = i, x
			}
		}
		parts = append(append(parts, text[:at]), next.parts...)
		text = text[at+len(next.place):]
	}
	for _, part := range parts {
		size += len(part)
	}
	return parts, size
}

// splicing serves a handler of the protocol with a splicer.
func splicing(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if a := admittedOf(r.Context()); a != nil {
			w = splicer{w, a}
		}
		h.ServeHTTP(w, r)
	})
}

// dataOf returns the data of a success's envelope, which this process has made: {"data":…,"v":"…"}.
func dataOf(body []byte) (json.RawMessage, bool) {
	rest, ok := bytes.CutPrefix(body, []byte(`{"data":`))
	end := bytes.LastIndex(rest, []byte(`,"v":"`))
	if !ok || end < 0 {
		return nil, false
	}
	return json.RawMessage(rest[:end]), true
}
