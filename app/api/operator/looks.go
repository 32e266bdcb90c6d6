package operator

import (
	"context"

	"foyer/app/api/wire"
	"foyer/app/business"
	"foyer/app/tenancy"
	"foyer/app/web"
)

// Theme is how a location's pages and embeds look.
type Theme struct {
	Accent  string `json:"accent" doc:"Colour of what can be pressed; pages move its lightness until it can be read." example:"#a4472b"`
	Ground  string `json:"ground" enum:"paper,white,dark"`
	Type    string `json:"type" enum:"figtree,system"`
	Corners string `json:"corners" enum:"square,soft,round,pill"`
	Version int64  `json:"version" doc:"The location's."`
}

type themeIn struct {
	Body themeBody
}

type themeBody struct {
	Accent  string `json:"accent" pattern:"^#[0-9a-fA-F]{6}$" example:"#a4472b"`
	Ground  string `json:"ground" enum:"paper,white,dark"`
	Type    string `json:"type" enum:"figtree,system"`
	Corners string `json:"corners" enum:"square,soft,round,pill"`
	Version int64  `json:"version" minimum:"1" doc:"The location's, as it was read."`
}

type hoursIn struct {
	Body hoursBody
}

type hoursBody struct {
	Intervals []wire.OpenInterval `json:"intervals" maxItems:"70" doc:"The whole week; intervals of one day must not overlap."`
}

// looks declares how a location appears: its theme and its opening hours.
func (a *surface) looks() {
	web.Op(a.Ops, web.Spec{
		ID: "getTheme", Method: "GET", Path: "/locations/{id}/theme", Tag: "locations",
		Summary: "Get the theme", Description: "How the location's pages and embeds look.",
		Access: web.Operator, Feature: "location.view", Target: web.InLocation("id"), Errors: wire.ReadErrors,
	}, func(ctx context.Context, sc tenancy.Scope, _ *wire.Nothing) (Theme, error) {
		t, err := a.Business.Theme(ctx, sc, sc.Location)
		return showTheme(t), err
	})
	web.Op(a.Ops, web.Spec{
		ID: "replaceTheme", Method: "PUT", Path: "/locations/{id}/theme", Tag: "locations",
		Summary: "Replace the theme", Description: "The location's version is checked and goes up.",
		Access: web.Operator, Feature: "location.manage", Target: web.InLocation("id"), Versioned: true, Errors: wire.ChangeErrors,
	}, a.replaceTheme)
	web.Op(a.Ops, web.Spec{
		ID: "getHours", Method: "GET", Path: "/locations/{id}/hours", Tag: "locations",
		Summary: "Get the opening hours", Description: "The opening week on the location's wall clock.",
		Access: web.Operator, Feature: "location.view", Target: web.InLocation("id"), Errors: wire.ReadErrors,
	}, func(ctx context.Context, sc tenancy.Scope, _ *wire.Nothing) (wire.Hours, error) {
		h, err := a.Business.Hours(ctx, sc, sc.Location)
		return wire.ShowHours(h), err
	})
	web.Op(a.Ops, web.Spec{
		ID: "replaceHours", Method: "PUT", Path: "/locations/{id}/hours", Tag: "locations",
		Summary: "Replace the opening hours", Description: "Replaces the whole week. The last one to write wins.",
		Access: web.Operator, Feature: "location.manage", Target: web.InLocation("id"), Errors: wire.ChangeErrors,
	}, a.replaceHours)
}

func (a *surface) replaceTheme(ctx context.Context, sc tenancy.Scope, in *themeIn) (Theme, error) {
	b := in.Body
	t, err := a.Business.PutTheme(ctx, sc, business.Theme{
		LocationID: sc.Location, Version: b.Version,
		Look: business.Look{Accent: b.Accent, Ground: b.Ground, Type: b.Type, Corners: b.Corners},
	})
	return showTheme(t), err
}

func (a *surface) replaceHours(ctx context.Context, sc tenancy.Scope, in *hoursIn) (wire.Hours, error) {
	h, err := a.Business.PutHours(ctx, sc, business.Hours{
		LocationID: sc.Location,
		Intervals:  wire.Show(in.Body.Intervals, wire.OpenInterval.Interval),
	})
	return wire.ShowHours(h), err
}

func showTheme(t business.Theme) Theme {
	return Theme{Accent: t.Look.Accent, Ground: t.Look.Ground, Type: t.Look.Type, Corners: t.Look.Corners, Version: t.Version}
}
