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

// Stylesheet is the CSS that a location's embeds wear on every site, beside the theme. It is served byte for byte as it
// was saved; empty means that there is none.
type Stylesheet struct {
	LocationID uuid.UUID
	CSS        string
	Version    int64              // 0: never saved
	UpdatedAt  *time.Time         // nil: never saved
	Warnings   []cssguard.Finding // about the sheet as it is
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

// PublicStylesheet reads the CSS of a location of the business that r acts for, in one trip; "" when it has none, and for
// an unknown location. Location.HasStylesheet reports whether there is something to read.
func PublicStylesheet(ctx context.Context, r pg.Reader, location uuid.UUID) (string, error) {
	sheet, err := readStylesheet(ctx, r, location)
	return sheet.CSS, err
}

// SaveStylesheetInput is a location's stylesheet as it shall be.
type SaveStylesheetInput struct {
	LocationID uuid.UUID
	CSS        string // empty takes the stylesheet away; not trimmed, nothing in it changes
	Version    int64  // of the stylesheet that was read; 0 when none was ever saved
}

// Validate checks the sheet by the rules of package cssguard. A refusal is about css and carries details.line, from
// 1 on, and details.rule, one of the constants there. E92a to E92n.
func (in SaveStylesheetInput) Validate() error {
	_, refused := cssguard.Check(in.CSS)
	if refused == nil {
		return nil
	}
	return fault.Invalid("css", fmt.Sprintf("Line %d: %s", refused.Line, refused.Message)).
		With("line", refused.Line).With("rule", refused.Rule)
}

// SaveStylesheet replaces a location's stylesheet and returns it with what is worth a warning. A refused one changes
// nothing (E92m). Errors: fault.Missing, policy.ErrMissingFeature (location.manage there), Validation, fault.ErrStale.
func (s *Service) SaveStylesheet(ctx context.Context, sc tenancy.Scope, in SaveStylesheetInput) (Stylesheet, error) {
	return atPlace(ctx, s, sc, in.LocationID, in.Validate, func(tx *pg.Tx, _ Location) (Stylesheet, error) {
		// The location is locked: two first saves at the same time would both find no stylesheet.
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
