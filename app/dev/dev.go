package dev

import (
	"context"
	"net/http"

	"github.com/gofiber/fiber/v2"
	"github.com/gofiber/fiber/v2/middleware/adaptor"

	"foyer/app/clock"
	"foyer/app/mail"
	"foyer/app/web"
)

// Services are the dependencies of the surface.
type Services struct {
	Mailbox *mail.Mailbox
	// Clock is the program's own. Sweep runs every sweep once, after a change of the clock: jobs.Registry.Sweeps.
	Clock *clock.Adjustable
	Sweep func(ctx context.Context) error
	Guide Guide
	// Sim serves the simulator's pages under /__sim; nil when the processor is a real one.
	Sim http.Handler
	// Ledger serves the pages of the simulated accounting provider under /__ledger; nil when there is none.
	Ledger http.Handler
}

// Register mounts the surface. It panics if a service is missing, except Sim and Ledger.
func Register(s *web.Server, v Services) {
	if v.Mailbox == nil || v.Clock == nil || v.Sweep == nil {
		panic("dev: Mailbox, Clock and Sweep are needed")
	}
	app, d := s.App(), &site{v}
	for path, handle := range map[string]fiber.Handler{
		"/dev":                  d.index,
		"/dev/demo.json":        d.demoJSON,
		"/dev/mailbox":          d.mailbox,
		"/dev/mailbox.json":     d.mailboxJSON,
		"/dev/mailbox/:id":      d.message,
		"/dev/mailbox/:id/html": d.messageHTML,

		"/dev/mailbox/:id/files/:name": d.messageFile,
		"/dev/clock":                   d.clock,
	} {
		app.Get(path, atHome(s.Host(), handle))
	}
	app.Post("/dev/clock", atHome(s.Host(), d.advance))
	if v.Sim != nil {
		app.All("/__sim/*", atHome(s.Host(), adaptor.HTTPHandler(v.Sim)))
	}
	if v.Ledger != nil {
		app.All("/__ledger/*", atHome(s.Host(), adaptor.HTTPHandler(v.Ledger)))
	}
}

type site struct{ Services }
