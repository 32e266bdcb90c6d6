package business

import (
	"context"
	"regexp"
	"slices"
	"strings"

	"github.com/google/uuid"

	"foyer/app/fault"
	"foyer/app/pg"
	"foyer/app/tenancy"
)

// Branding is the appearance of a location's pages.
type Branding struct {
	Accent     string // "#rrggbb" in lower case; the pages adjust its lightness for contrast
	Background string `db:"background"` // "paper", "white" or "dark"
	Type       string // "figtree" or "system"
	Corners    string // "square", "soft", "round" or "pill"
}

// defaultLook is the branding of a new location.
var defaultLook = Branding{Accent: "#a4472b", Background: "paper", Type: "figtree", Corners: "soft"}

// Chosen reports whether a branding differs from the default.
func (l Branding) Chosen() bool { return l != defaultLook }

// Choices of a branding.
var (
	Backgrounds = []string{"paper", "white", "dark"}
	Types       = []string{"figtree", "system"}
	Corners     = []string{"square", "soft", "round", "pill"}
)

var accentShape = regexp.MustCompile(`^#[0-9a-f]{6}$`)

func (l *Branding) check(c *fault.Checks) {
	l.Accent = strings.ToLower(l.Accent)
	c.That(accentShape.MatchString(l.Accent), "accent", "Write a colour as # and six hexadecimal digits.")
	checkChoice(c, "background", l.Background, Backgrounds)
	checkChoice(c, "type", l.Type, Types)
	checkChoice(c, "corners", l.Corners, Corners)
}

func checkChoice(c *fault.Checks, field, value string, choices []string) {
	c.That(slices.Contains(choices, value), field, "Use one of: "+strings.Join(choices, ", ")+".")
}

// Theme is the branding of a location, with the location's version.
type Theme struct {
	LocationID uuid.UUID
	Branding   Branding
	Version    int64
}

// Validate checks the branding.
func (in *Theme) Validate() error {
	var c fault.Checks
	in.Branding.check(&c)
	return c.Err()
}

// Theme returns a location's branding. Errors: fault.Missing, policy.ErrMissingFeature (location.view there).
func (s *Service) Theme(ctx context.Context, sc tenancy.Scope, location uuid.UUID) (Theme, error) {
	l, err := s.Location(ctx, sc, location)
	return themeOf(l), err
}

func themeOf(l Location) Theme {
	return Theme{LocationID: l.ID, Branding: l.Branding, Version: l.Version}
}

// PutTheme replaces a location's branding. in.Version is the location's. Errors:
//
//   - fault.Missing
//   - policy.ErrMissingFeature (location.manage there)
//   - Validation
//   - fault.ErrStale
func (s *Service) PutTheme(ctx context.Context, sc tenancy.Scope, in Theme) (Theme, error) {
	return atPlace(ctx, s, sc, in.LocationID, in.Validate, func(tx *pg.Tx, l Location) (Theme, error) {
		if err := fault.Stale(in.Version, l.Version); err != nil {
			return Theme{}, err
		}
		l.Branding = in.Branding
		l, err := saveLocation(ctx, tx, l)
		return themeOf(l), err
	})
}
