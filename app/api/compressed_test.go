package api_test

import (
	"bytes"
	"testing"

	"foyer/app/pg"
)

// JSON above a kilobyte is compressed for clients that accept it, with the same content, except if another site
// started the request; less is not.
func TestJSONIsCompressed(t *testing.T) {
	h := open(t)
	s := h.open("Harbour")
	for range 9 {
		s.class("", 1500, 5)
	}
	at := s.at("/locations/{location}/offerings")
	plain := h.expect(200, call{path: at, token: s.owner})
	if len(plain.body) < 1<<10 || plain.packed != 0 {
		t.Fatalf("%d bytes, %d on their way", len(plain.body), plain.packed)
	}
	for site, packed := range map[string]bool{"": true, "same-origin": true, "cross-site": false} {
		takes := []string{"Accept-Encoding", "br, gzip", "Sec-Fetch-Site", site}
		got := h.expect(200, call{path: at, token: s.owner, headers: takes})
		if vary := got.header("Vary"); vary != "Accept-Encoding, Sec-Fetch-Site" || (got.packed > 0) != packed {
			t.Errorf("from %q: %d bytes on their way, varies by %q", site, got.packed, vary)
		}
		if got.packed > len(plain.body)/2 || !bytes.Equal(got.body, plain.body) {
			t.Errorf("from %q: %d bytes for %d, or others", site, got.packed, len(plain.body))
		}
	}
	small := call{
		path: "/locations/" + pg.NewID().String() + "/offerings", token: s.owner,
		headers: []string{"Accept-Encoding", "gzip"},
	}
	if got := h.expect(404, small); got.packed > 0 {
		t.Errorf("%s is compressed", got)
	}
}
