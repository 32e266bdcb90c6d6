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

// Services are what the surface shows and moves.
type Services struct {
	Mailbox *mail.Mailbox
	// Clock is the program's own; Sweep runs every sweep once, after the clock was moved: jobs.Registry.Sweeps.
	Clock *clock.Moving
	Sweep func(ctx context.Context) error
	// Sim serves the simulator's pages under /__sim; nil when the processor is a real one.
	Sim http.Handler
}

// Register mounts the surface. It panics when a service is missing, except Sim.
func Register(s *web.Server, v Services) {
	if v.Mailbox == nil || v.Clock == nil || v.Sweep == nil {
		panic("dev: Mailbox, Clock and Sweep are needed")
	}
	app, d := s.App(), &site{v}
	app.Get("/dev", d.index)
	app.Get("/dev/mailbox", d.mailbox)
	app.Get("/dev/mailbox.json", d.mailboxJSON)
	app.Get("/dev/mailbox/:id", d.message)
	app.Get("/dev/mailbox/:id/html", d.messageHTML)
	app.Get("/dev/clock", d.clock)
	app.Post("/dev/clock", d.advance)
	if v.Sim != nil {
		app.All("/__sim/*", adaptor.HTTPHandler(v.Sim))
	}
}

type site struct{ Services }

func (d *site) index(c *fiber.Ctx) error { return d.show(c, "index.html", page{Title: "Development"}) }
