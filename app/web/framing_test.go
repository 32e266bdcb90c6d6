package web_test

import (
	"bufio"
	"io"
	"testing"
	"time"
)

// TestAmbiguousRequests: a request that two servers could cut off at different places, or send to different hosts, is
// refused, and nothing behind it is answered. security.md 55.
func TestAmbiguousRequests(t *testing.T) {
	w := newWorld(t)
	accessWorld(w)
	addr := w.serve(t)
	at := "/businesses/" + studio.String() + "/catalog"
	const smuggled = "GET /me/profile HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer " + ownerToken + "\r\n\r\n"
	chunked := "0\r\n\r\n"
	for name, request := range map[string]string{
		"length and chunks":             "POST " + at + " HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n" + chunked,
		"chunks and length":             "POST " + at + " HTTP/1.1\r\nHost: x\r\ntransfer-encoding: chunked\r\ncontent-length: 5\r\n\r\n" + chunked,
		"length and identity":           "POST " + at + " HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: identity\r\nContent-Length: 0\r\n\r\n",
		"of a GET":                      "GET /nothing HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n",
		"chunks twice":                  "POST " + at + " HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n" + chunked,
		"chunks of HTTP/1.0":            "POST " + at + " HTTP/1.0\r\nHost: x\r\nConnection: keep-alive\r\nTransfer-Encoding: chunked\r\n\r\n" + chunked,
		"two lengths":                   "POST " + at + " HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\nContent-Length: 0\r\n\r\n",
		"a name with a space":           "POST " + at + " HTTP/1.1\r\nHost: x\r\nTransfer-Encoding : chunked\r\nContent-Length: 0\r\n\r\n",
		"a line that goes on":           "POST " + at + " HTTP/1.1\r\nHost: x\r\nX-Folded: a\r\n Transfer-Encoding: chunked\r\nContent-Length: 0\r\n\r\n",
		"no host":                       "GET /nothing HTTP/1.1\r\nX-A: b\r\n\r\n",
		"no header at all":              "GET /nothing HTTP/1.1\r\n\r\n",
		"an empty host":                 "GET /nothing HTTP/1.1\r\nHost: \r\n\r\n",
		"two hosts":                     "GET /nothing HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n",
		"the same host twice, HTTP/1.0": "GET /nothing HTTP/1.0\r\nHost: x\r\nhost: x\r\nConnection: keep-alive\r\n\r\n",
	} {
		t.Run(name, func(t *testing.T) {
			conn := dial(t, addr)
			in := bufio.NewReader(conn)
			raw(t, conn, in, request+smuggled).refused(t, 400)
			if err := conn.SetReadDeadline(time.Now().Add(10 * time.Second)); err != nil {
				t.Fatal(err)
			}
			if rest, err := io.ReadAll(in); len(rest) > 0 {
				t.Errorf("and then: %.200s %v", rest, err)
			}
		})
	}
	t.Run("what is none of them", func(t *testing.T) {
		conn := dial(t, addr)
		in := bufio.NewReader(conn)
		body := `{"note":"x"}`
		for _, request := range []string{
			smuggled,
			"POST " + at + " HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer " + ownerToken + "\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nc\r\n" + body + "\r\n0\r\n\r\n",
			"GET /me/profile HTTP/1.0\r\nConnection: keep-alive\r\nAuthorization: Bearer " + ownerToken + "\r\n\r\n",
		} {
			if got := raw(t, conn, in, request); got.status != 200 {
				t.Errorf("%.40s: %d %s", request, got.status, got.body)
			}
		}
	})
}
