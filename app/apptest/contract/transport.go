package contract

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
)

// Transport is a way to the API that lets no answer through which breaks the document: the call fails instead. What is
// not the API's, pages for example, it leaves alone.
type Transport struct {
	Document *Document
	Next     http.RoundTripper
}

// RoundTrip is http.RoundTripper.
func (t Transport) RoundTrip(r *http.Request) (*http.Response, error) {
	res, err := t.Next.RoundTrip(r)
	if err != nil || !t.Document.Covers(r.URL.Path) {
		return res, err
	}
	body, err := io.ReadAll(res.Body)
	if err := errors.Join(err, res.Body.Close()); err != nil {
		return nil, err
	}
	res.Body = io.NopCloser(bytes.NewReader(body))
	problems := t.Document.Problems(Answer{
		Method: r.Method, Path: r.URL.EscapedPath(), Status: res.StatusCode, Header: res.Header.Get, Body: body,
	})
	if len(problems) > 0 {
		return nil, fmt.Errorf("contract: %s %s: %d %.300s: %s", r.Method, r.URL.Path, res.StatusCode, body, strings.Join(problems, "; "))
	}
	return res, nil
}
