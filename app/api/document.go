package api

import (
	"context"
	_ "embed"
	"errors"
	"log/slog"
	"time"

	"foyer/app/assembly"
	"foyer/app/clock"
	"foyer/app/pg"

	"foyer/app/web"
	"foyer/app/web/op"
	"foyer/policy"
)

// DocumentURL is the server address in the published document, docs/openapi.json.
const DocumentURL = "https://foyer.example.com"

// Examples are calls recorded by the tests of this package, for the document. Run go test ./app/api -update to record
// them again.
//
//go:embed examples.json
var Examples []byte

// Document returns the description of the API without a deployment behind it: the content of docs/openapi.json and
// the output of the command line. A running server serves the same document under its own address.
func Document(baseURL string) ([]byte, error) { return document(baseURL, Examples) }

func document(baseURL string, examples []byte) ([]byte, error) {
	nowhere := errors.New("api: there is nothing behind a document")
	s := web.New(web.Options{
		BaseURL: baseURL, Build: "dev", Secret: make([]byte, 32), Clock: clock.System{}, Log: slog.New(slog.DiscardHandler),
		Known: policy.Known, Tags: Tags, Words: Words, Refusals: Refusals, Examples: examples,
		Hit:  func(context.Context, string, int, time.Duration) (pg.Hits, error) { return pg.Hits{}, nowhere },
		Gate: op.Gate{Enter: func(context.Context, op.Knock) (op.Entry, error) { return op.Entry{}, nowhere }},
	})
	Register(s, assembly.Services{})
	return s.Operations.OpenAPI()
}
