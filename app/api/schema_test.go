package api_test

import (
	"bytes"
	"fmt"
	"slices"
	"sync"
	"testing"

	"github.com/valyala/fasthttp"

	"foyer/app/apptest/contract"
)

type object = contract.Object

// dig walks into decoded JSON. It returns the zero value if a member on the way is missing.
func dig[T any](v any, keys ...string) T { return contract.Dig[T](v, keys...) }

// asText writes a scalar of decoded JSON.
func asText(v any) string { return fmt.Sprint(v) }

// takesType reports whether a schema permits a value of this type.
func takesType(s object, name string) bool {
	if list, ok := s["type"].([]any); ok {
		return slices.Contains(list, any(name))
	}
	return s["type"] == name
}

// checked is the only way into the house's server: it checks every response against the document, for every caller,
// the simulator's own calls included. A11, A13, A14, A15, A16, A17, A19, A21, A22, A66, A67, A68, A69, A70, A71, A72,
// A73, A75, A78.
func checked(t testing.TB, server fasthttp.RequestHandler, doc *contract.Document) fasthttp.RequestHandler {
	return func(rc *fasthttp.RequestCtx) {
		t.Helper()
		server(rc)
		a := contract.Answer{
			Method: string(rc.Method()), Path: string(rc.URI().PathOriginal()), Status: rc.Response.StatusCode(),
			Header: func(name string) string { return string(rc.Response.Header.Peek(name)) }, Body: unpacked(t, &rc.Response),
		}
		if a.Path == documentPath || a.Path == accountingReturn ||
			(a.Path == webhookPath || a.Path == platformPath) && a.Status == 200 {
			return // no operations; their responses are checked by tests of their own
		}
		if bytes.Contains(a.Body, []byte(`"reason":"other_business"`)) || bytes.Contains(a.Body,
			[]byte(`"reason":"credential_lost"`)) {
			return // of a tool: op.ErrOtherBusiness, op.ErrLost
		}
		problems := doc.Problems(a)
		for _, p := range problems {
			t.Errorf("%s %s: %d %.300s: %s", a.Method, a.Path, a.Status, a.Body, p)
		}
		if len(problems) == 0 && *update {
			keepExample(t.Name(), doc, rc)
		}
	}
}

// unpacked returns the body of a response as it was before it was compressed.
func unpacked(t testing.TB, r *fasthttp.Response) []byte {
	t.Helper()
	body, err := r.BodyUncompressed()
	if err != nil {
		t.Fatal(err)
	}
	return body
}

// documents are the documents of the servers of this process, by address. They depend on no other setting of a house,
// as TestDocumentIsOfTheProduct shows. Building one takes as long as thirty small tests.
var documents sync.Map

// documentAt returns the document of a server at an address, fetched from the first server there.
func documentAt(t testing.TB, address string, server fasthttp.RequestHandler) *contract.Document {
	t.Helper()
	if doc, ok := documents.Load(address); ok {
		return doc.(*contract.Document)
	}
	doc, err := contract.Read(fetchDocument(server))
	if err != nil {
		t.Fatal(err)
	}
	doc.Build = build
	documents.Store(address, doc)
	return doc
}

// fetchDocument reads /openapi.json, as a client would begin.
func fetchDocument(server fasthttp.RequestHandler) []byte {
	var rc fasthttp.RequestCtx
	rc.Init2(nowhere{}, nil, false)
	rc.Request.SetRequestURI(documentPath)
	server(&rc)
	return bytes.Clone(rc.Response.Body())
}

// documentPath is the path of the document. The document does not describe it.
const documentPath = "/openapi.json"
