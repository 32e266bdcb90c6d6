package operator

import (
	"context"
	"time"

	"foyer/app/api/wire"
	"foyer/app/business"
	"foyer/app/cssguard"
	"foyer/app/tenancy"
	"foyer/app/web/op"
)

// Theme is the branding of a location's pages and embeds.
type Theme struct {
	Accent     string `json:"accent" doc:"Color of buttons and links. Pages adjust its lightness for legibility." example:"#a4472b"`
	Background string `json:"background" enum:"paper,white,dark"`
	Type       string `json:"type" enum:"figtree,system"`
	Corners    string `json:"corners" enum:"square,soft,round,pill"`
	Version    int64  `json:"version" doc:"Version of the location."`
}

type themeBody struct {
	Accent     string `json:"accent" pattern:"^#[0-9a-fA-F]{6}$" example:"#a4472b"`
	Background string `json:"background" enum:"paper,white,dark"`
	Type       string `json:"type" enum:"figtree,system"`
	Corners    string `json:"corners" enum:"square,soft,round,pill"`
	Version    int64  `json:"version" minimum:"1" doc:"Version of the location that was read."`
}

type hoursBody struct {
	Intervals []wire.OpenInterval `json:"intervals" maxItems:"70" doc:"The whole week. Intervals of one day must not overlap."`
}

// looks declares the theme and the opening hours of a location.
func (a *surface) looks() {
	declare(a, op.Spec{
		ID: "getTheme", Method: "GET", Path: "/locations/{id}/theme", Tag: "locations", Feature: "location.view",
		Summary: "Get the theme", Description: "Returns the branding of the location's pages and embeds.",
	}, wire.AtLocation(a.Business.Theme, showTheme))
	declare(a, op.Spec{
		ID: "replaceTheme", Method: "PUT", Path: "/locations/{id}/theme", Tag: "locations", Feature: "location.manage", Versioned: true,
		Summary: "Replace the theme", Description: "Checks and increases the version of the location.",
	}, a.replaceTheme)
	declare(a, op.Spec{
		ID: "getHours", Method: "GET", Path: "/locations/{id}/hours", Tag: "locations", Feature: "location.view",
		Summary: "Get the opening hours", Description: "Returns the weekly opening hours on the location's wall clock.",
	}, wire.AtLocation(a.Business.Hours, wire.ShowHours))
	declare(a, op.Spec{
		ID: "replaceHours", Method: "PUT", Path: "/locations/{id}/hours", Tag: "locations", Feature: "location.manage",
		Summary: "Replace the opening hours", Description: "Replaces the whole week. The last write wins.",
	}, a.replaceHours)
}

func (a *surface) replaceTheme(ctx context.Context, sc tenancy.Scope, in *wire.Body[themeBody]) (Theme, error) {
	b := in.Body
	t, err := a.Business.PutTheme(ctx, sc, business.Theme{
		LocationID: sc.Location, Version: b.Version,
		Branding: business.Branding{Accent: b.Accent, Background: b.Background, Type: b.Type, Corners: b.Corners},
	})
	return showTheme(t), err
}

func (a *surface) replaceHours(ctx context.Context, sc tenancy.Scope, in *wire.Body[hoursBody]) (wire.Hours, error) {
	h, err := a.Business.PutHours(ctx, sc, business.Hours{
		LocationID: sc.Location,
		Intervals:  wire.Show(in.Body.Intervals, wire.OpenInterval.Interval),
	})
	return wire.ShowHours(h), err
}

func showTheme(t business.Theme) Theme {
	return Theme{Accent: t.Branding.Accent, Background: t.Branding.Background, Type: t.Branding.Type, Corners: t.Branding.Corners, Version: t.Version}
}

// Stylesheet is the CSS of a location's embeds on every site.
type Stylesheet struct {
	CSS       string              `json:"css" doc:"The CSS as saved, byte for byte. Empty if there is none."`
	Warnings  []StylesheetWarning `json:"warnings" doc:"Warnings about valid CSS that is better avoided, at most 100."`
	Version   int64               `json:"version" doc:"Version of the stylesheet; 0 if it was never saved."`
	UpdatedAt *time.Time          `json:"updatedAt" doc:"When it was last saved; null if never."`
}

// StylesheetWarning is a warning about valid CSS.
type StylesheetWarning struct {
	Line    int    `json:"line" minimum:"1"`
	Rule    string `json:"rule" enum:"important" doc:"important: the site's own rules cannot override a declaration with !important."`
	Message string `json:"message" doc:"Explanation for web developers."`
}

type stylesheetBody struct {
	CSS     string `json:"css" maxLength:"1000000" doc:"At most 32768 bytes of UTF-8. The refusal of a longer text names its line. Empty removes the stylesheet." example:"svc-schedule [data-pf=item] { padding: 1rem }"`
	Version int64  `json:"version" minimum:"0" doc:"Version of the stylesheet that was read; 0 if it was never saved."`
}

// stylesheetRules describes the values of details.rule in a refusal.
const stylesheetRules = "Saves the stylesheet, or refuses it without a change. " +
	"A refusal is about `body.css` and carries `details.line`, starting at 1, " +
	"and `details.rule`: `" + cssguard.TooLarge + "`, `" +
	cssguard.NotText + "`, `" + cssguard.Unmatched + "` (bracket, string, comment or url()), `" +
	cssguard.TooDeep + "`, `" + cssguard.NoBlock + "` (text between rules), `" + cssguard.Tag + "` (a selector that does not start with one of the seven tags), `" +
	cssguard.Sibling + "` (+ or ~ straight after the tag, or first in a nested selector), `" +
	cssguard.Ampersand + "` (& anywhere but first), `" +
	cssguard.Outside + "` (a selector that matches the page around the tag), `" +
	cssguard.AtRule + "` (other than @media, @supports, @container), `" +
	cssguard.Address + "` (not https://) or `" + cssguard.OldScript + "` (expression(), behavior, -moz-binding). A stylesheet is trusted code of the studio's own sites."

// stylesheets declares the CSS of a location's embeds.
func (a *surface) stylesheets() {
	declare(a, op.Spec{
		ID: "getStylesheet", Method: "GET", Path: "/locations/{id}/stylesheet", Tag: "locations", Feature: "location.view",
		Summary:     "Get the stylesheet",
		Description: "Returns the CSS of the location's embeds on every site, in addition to their theme.",
	}, wire.AtLocation(a.Business.Stylesheet, showStylesheet))
	declare(a, op.Spec{
		ID: "replaceStylesheet", Method: "PUT", Path: "/locations/{id}/stylesheet", Tag: "locations", Feature: "location.manage", Versioned: true,
		Summary: "Replace the stylesheet", Description: stylesheetRules,
	}, func(ctx context.Context, sc tenancy.Scope, in *wire.Body[stylesheetBody]) (Stylesheet, error) {
		sheet, err := a.Business.SaveStylesheet(ctx, sc, business.SaveStylesheetInput{
			LocationID: sc.Location, CSS: in.Body.CSS, Version: in.Body.Version,
		})
		return showStylesheet(sheet), err
	})
}

func showStylesheet(s business.Stylesheet) Stylesheet {
	return Stylesheet{CSS: s.CSS, Warnings: wire.Show(s.Warnings, showWarning), Version: s.Version, UpdatedAt: s.UpdatedAt}
}

func showWarning(f cssguard.Finding) StylesheetWarning { return StylesheetWarning(f) }
