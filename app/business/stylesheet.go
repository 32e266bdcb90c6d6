package business

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"

	"foyer/app/cssguard"
	"foyer/app/fault"
	"foyer/app/pg"
	"foyer/app/tenancy"
	"foyer/policy"
)

// Stylesheet is the CSS of a location's embeds on every site, in addition to the theme. It is served byte for byte as
// saved. Empty: none.
type Stylesheet struct {
	LocationID uuid.UUID
	CSS        string
	Version    int64              // 0: never saved
	UpdatedAt  *time.Time         // nil: never saved
	Warnings   []cssguard.Finding // about the current CSS
}

// Stylesheet returns a location's stylesheet. Errors: fault.Missing, policy.ErrMissingFeature (location.view there).
func (s *Service) Stylesheet(ctx context.Context, sc tenancy.Scope, location uuid.UUID) (Stylesheet, error) {
	v := s.o.DB.View(sc.Tenant)
	if _, err := seen(ctx, sc, v, policy.LocationView, location); err != nil {
		return Stylesheet{}, err
	}
	sheet, err := readStylesheet(ctx, v, location)
	if err != nil {
		return Stylesheet{}, err
	}
	sheet.Warnings, _ = cssguard.Check(sheet.CSS)
	return sheet, nil
}

// PublicStylesheet reads the CSS of a location of the business of r, in one trip. It is "" for a location without one
// and for an unknown location. Location.HasStylesheet reports whether there is one.
func PublicStylesheet(ctx context.Context, r pg.Reader, location uuid.UUID) (string, error) {
	sheet, err := readStylesheet(ctx, r, location)
	return sheet.CSS, err
}

// SaveStylesheetInput saves a location's stylesheet.
type SaveStylesheetInput struct {
	LocationID uuid.UUID
	CSS        string // empty removes the stylesheet; stored unchanged, without trimming
	Version    int64  // of the stylesheet that was read; 0 when none was ever saved
}

// Validate checks the CSS by the rules of package cssguard. The field of an error is css, with details.line, from 1
// on, and details.rule, one of the constants there. E92a to E92n.
func (in SaveStylesheetInput) Validate() error {
	_, refused := cssguard.Check(in.CSS)
	if refused == nil {
		return nil
	}
	return fault.Invalid("css", fmt.Sprintf("Line %d: %s", refused.Line, refused.Message)).
		With("line", refused.Line).With("rule", refused.Rule)
}

// SaveStylesheet replaces a location's stylesheet and returns it with its warnings. A refused one changes nothing
// (E92m). Errors:
//
//   - fault.Missing
//   - policy.ErrMissingFeature (location.manage there)
//   - Validation
//   - fault.ErrStale
func (s *Service) SaveStylesheet(ctx context.Context, sc tenancy.Scope, in SaveStylesheetInput) (Stylesheet, error) {
	return atPlace(ctx, s, sc, in.LocationID, in.Validate, func(tx *pg.Tx, _ Location) (Stylesheet, error) {
		// The location is locked: two simultaneous first saves would both find no stylesheet.
		sheet, err := readStylesheet(ctx, tx, in.LocationID)
		if err != nil {
			return Stylesheet{}, err
		}
		if err := fault.Stale(in.Version, sheet.Version); err != nil {
			return Stylesheet{}, err
		}
		sheet.CSS = in.CSS
		sheet.Warnings, _ = cssguard.Check(in.CSS)
		return saveStylesheet(ctx, tx, sheet)
	})
}
