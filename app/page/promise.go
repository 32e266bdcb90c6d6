package page

import (
	"context"
	"errors"

	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"

	"foyer/app/pg"
	"foyer/app/view"
)

// Redeem runs a verb under the quote in a field of the form, and refuses if its effects have changed. A field without
// a quote counts as an unknown quote.
func Redeem[T any](ctx context.Context, c *fiber.Ctx, ask pg.QuoteKey, field string, verb func(context.Context) (T, error)) (T, error) {
	id, _ := uuid.Parse(c.FormValue(field))
	return pg.Redeem(ctx, ask, id, verb)
}

// QuoteChanged reports whether a quote could not be honored, so that the person has to review and confirm again.
func QuoteChanged(w view.Words, err error) (*view.Trouble, bool) {
	switch {
	case errors.Is(err, pg.ErrQuoteChanged):
		return &view.Trouble{Title: w.T("The details have changed"), Text: w.T("Nothing was done. Review the current details, then confirm again.")}, true
	case errors.Is(err, pg.ErrQuoteExpired), errors.Is(err, pg.ErrQuoteOther), errors.Is(err, pg.ErrQuoteUnknown):
		return &view.Trouble{Title: w.T("Review and confirm again"), Text: w.T("Nothing was done, because this page was open for a long time. These are the current details.")}, true
	}
	return nil, false
}
