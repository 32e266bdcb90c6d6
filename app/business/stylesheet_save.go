package business

import (
	"context"
	"fmt"

	"github.com/google/uuid"

	"foyer/app/cssguard"
	"foyer/app/fault"
	"foyer/app/pg"
	"foyer/app/tenancy"
)

// SaveStylesheetInput is a location's stylesheet as it shall be.
type SaveStylesheetInput struct {
	LocationID uuid.UUID
	CSS        string // empty takes the stylesheet away; not trimmed, nothing in it changes
	Version    int64  // of the stylesheet that was read; 0 when none was ever saved
}

// Validate checks the sheet by the rules of package cssguard. A refusal is about body.css and carries details.line, from
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
