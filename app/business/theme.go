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

// Branding is how a location's pages look.
type Branding struct {
	Accent     string // "#rrggbb" in lower case; the pages move its lightness until it can be read
	Background string `db:"ground"` // "paper", "white" or "dark"
	Type       string // "figtree" or "system"
	Corners    string // "square", "soft", "round" or "pill"
}

// defaultLook is the house's own, which a location starts with.
var defaultLook = Branding{Accent: "#a4472b", Background: "paper", Type: "figtree", Corners: "soft"}

// Chosen tells whether a look is another than the one that a location starts with.
func (l Branding) Chosen() bool { return l != defaultLook }

// The choices of a look.
var (
	Backgrounds = []string{"paper", "white", "dark"}
	Types       = []string{"figtree", "system"}
	Corners     = []string{"square", "soft", "round", "pill"}
)

var accentShape = regexp.MustCompile(`^#[0-9a-f]{6}$`)

func (l *Branding) check(c *fault.Checks) {
	l.Accent = strings.ToLower(l.Accent)
	c.That(accentShape.MatchString(l.Accent), "accent", "Write a colour as # and six hexadecimal digits.")
	checkChoice(c, "ground", l.Background, Backgrounds)
	checkChoice(c, "type", l.Type, Types)
	checkChoice(c, "corners", l.Corners, Corners)
}

func checkChoice(c *fault.Checks, field, value string, choices []string) {
	c.That(slices.Contains(choices, value), field, "Use one of: "+strings.Join(choices, ", ")+".")
}

// Theme is the look of a location, with the location's version.
type Theme struct {
	LocationID uuid.UUID
	Branding   Branding
	Version    int64
}

// Validate checks the look.
func (in *Theme) Validate() error {
	var c fault.Checks
	in.Branding.check(&c)
	return c.Err()
}

// Theme returns a location's look. Errors: fault.Missing, policy.ErrMissingFeature (location.view there).
func (s *Service) Theme(ctx context.Context, sc tenancy.Scope, location uuid.UUID) (Theme, error) {
	l, err := s.Location(ctx, sc, location)
	return themeOf(l), err
}

func themeOf(l Location) Theme {
	return Theme{LocationID: l.ID, Branding: l.Branding, Version: l.Version}
}

// PutTheme replaces a location's look. in.Version is the location's. Errors: fault.Missing, policy.ErrMissingFeature
// (location.manage there), Validation, fault.ErrStale.
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
