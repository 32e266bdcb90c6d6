package web_test

import (
	"net"
	"sync"
	"testing"

	"foyer/app/apptest/contract"
	"foyer/app/web"
)

// believe validates the answer of an operation against the document of its server. Plain handlers, and addresses
// without an operation, have tests of their own. A11.
func believe(t testing.TB, srv *web.Server, method, path string, got resp) {
	t.Helper()
	doc := documentOf(t, srv)
	if op, _ := doc.Operation(method, path); op == nil {
		return
	}
	for _, p := range doc.Problems(contract.Answer{Method: method, Path: path, Status: got.status, Header: got.header, Body: []byte(got.body)}) {
		t.Errorf("%s %s: %d %.300s: %s", method, path, got.status, got.body, p)
	}
}

// documents are those of the servers that have answered: none of them declares anything after that.
var documents sync.Map

func documentOf(t testing.TB, srv *web.Server) *contract.Document {
	t.Helper()
	if doc, ok := documents.Load(srv); ok {
		return doc.(*contract.Document)
	}
	body, err := srv.Operations.OpenAPI()
	if err != nil {
		t.Fatal(err)
	}
	doc, err := contract.Read(body)
	if err != nil {
		t.Fatal(err)
	}
	documents.Store(srv, doc)
	return doc
}

// sockets are the servers that listen, by address, so that calls over a socket are believed as little as the others.
var sockets sync.Map

// listen is a listener of this server.
func (w *world) listen() net.Listener {
	w.t.Helper()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		w.t.Fatal(err)
	}
	sockets.Store(ln.Addr().String(), w.srv)
	return ln
}

func believeAt(t testing.TB, address, method, path string, got resp) {
	t.Helper()
	if srv, ok := sockets.Load(address); ok {
		believe(t, srv.(*web.Server), method, path, got)
	}
}
