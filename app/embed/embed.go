package embed

import (
	"foyer/app/assembly"
	"foyer/app/clock"
	"foyer/app/web"
)

// Options are the domains with the reads for the fragments, and the settings; all of them are required.
type Options struct {
	assembly.Services
	Clock   clock.Clock
	BaseURL string         // as web.Options.BaseURL
	Cache   *web.PageCache // drops a business's pages when one of its transactions commits
}

// surface is the handlers with their dependencies.
type surface struct {
	*web.Server
	Options
}

// Register mounts everything below /embed. It panics when something is missing.
func Register(s *web.Server, o Options) {
	if len(o.Missing()) > 0 || o.Clock == nil || o.BaseURL == "" || o.Cache == nil {
		panic("embed: an option is missing")
	}
	e := &surface{s, o}
	e.fragments()
	e.scripts()
	e.themes()
	e.guides()
}
