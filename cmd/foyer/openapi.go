package main

import (
	"log/slog"
	"net"

	"foyer/app/clock"
	"foyer/app/jobs"
	"foyer/app/mail"
	"foyer/app/pg"
)

type openapiCommand struct{}

// Run prints the document that GET /openapi.json serves. It needs no database: the operations are declared, not called.
func (openapiCommand) Run(p *program) error {
	x := &product{baseURL: "https://foyer.example.com", jobs: jobs.NewRegistry(), db: &pg.DB{}}
	nothing := parts{clock: clock.System{}, log: slog.New(slog.DiscardHandler), mail: mail.Nowhere{}, address: &net.TCPAddr{}}
	secret := make([]byte, 32)
	x.domains(nothing, secret)
	x.surfaces(nothing, secret)
	doc, err := x.web.Operations.OpenAPI()
	if err != nil {
		return err
	}
	_, err = p.stdout.Write(append(doc, '\n'))
	return err
}
