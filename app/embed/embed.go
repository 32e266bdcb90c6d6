package embed

import (
	"foyer/app/availability"
	"foyer/app/business"
	"foyer/app/catalog"
	"foyer/app/clock"
	"foyer/app/pg"
	"foyer/app/schedule"
	"foyer/app/walkin"
	"foyer/app/web"
)

// Services are the domains whose reads the fragments show; all of them are required.
type Services struct {
	Business     *business.Service
	Catalog      *catalog.Service
	Schedule     *schedule.Service
	Availability *availability.Service
	Walkin       *walkin.Service
}

// Options are everything else; all of them are required.
type Options struct {
	DB      *pg.DB
	Clock   clock.Clock
	BaseURL string         // as web.Options.BaseURL
	Cache   *web.PageCache // forgets a business when one of its transactions commits
}

// surface is the surface with what it needs.
type surface struct {
	*web.Server
	Services
	o Options
}

// Register mounts everything below /embed. It panics when something is missing.
func Register(s *web.Server, v Services, o Options) {
	if v.Business == nil || v.Catalog == nil || v.Schedule == nil || v.Availability == nil || v.Walkin == nil {
		panic("embed: a service is missing")
	}
	if o.DB == nil || o.Clock == nil || o.BaseURL == "" || o.Cache == nil {
		panic("embed: an option is missing")
	}
	e := &surface{s, v, o}
	e.fragments()
	e.scripts()
	e.themes()
	e.guides()
}
