package business

import (
	"context"
	"time"

	"github.com/google/uuid"

	"foyer/app/cssguard"
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
