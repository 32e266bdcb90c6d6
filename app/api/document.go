package api

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/google/uuid"

	"foyer/app/api/wire"
	"foyer/app/clock"
	"foyer/app/pg"
	"foyer/app/tenancy"
	"foyer/app/web"
	"foyer/policy"
)

// DocumentURL is where the published document, docs/openapi.json, says that the API is.
const DocumentURL = "https://foyer.example.com"

// Document is the description of the API without a deployment behind it: what docs/openapi.json holds and what the
// command line prints. A running server serves the same under its own address.
func Document(baseURL string) ([]byte, error) {
	nowhere := errors.New("api: there is nothing behind a document")
	s := web.New(web.Options{
		BaseURL: baseURL, Build: "dev", Secret: make([]byte, 32), Clock: clock.System{}, Log: slog.New(slog.DiscardHandler),
		Known: policy.Known, Tags: Tags,
		Hit: func(context.Context, string, int, time.Duration) (pg.Hits, error) { return pg.Hits{}, nowhere },
		Gate: web.Gate{
			Authenticate: func(context.Context, string) (p tenancy.Principal, err error) { return p, nowhere },
			Admit: func(context.Context, tenancy.Principal, uuid.UUID) (g tenancy.Grants, exists, member bool, err error) {
				return g, false, false, nowhere
			},
			Locate: func(context.Context, string, string) (b, l uuid.UUID, ok bool, err error) {
				return b, l, false, nowhere
			},
		},
	})
	Register(s, wire.Services{})
	return s.Operations.OpenAPI()
}
