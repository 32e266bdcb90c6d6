package page

import (
	"context"
	"errors"

	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"

	"foyer/app/pg"
	"foyer/app/view"
)

// Redeem does what a page has promised, under the quote in a field of its form, or refuses because it would be something else by
// now. A field without a quote is a quote that nobody has.
func Redeem[T any](ctx context.Context, c *fiber.Ctx, ask pg.QuoteKey, field string, verb func(context.Context) (T, error)) (T, error) {
	id, _ := uuid.Parse(c.FormValue(field))
	return pg.Redeem(ctx, ask, id, verb)
}

// QuoteChanged tells whether a promise could not be kept, so that whoever was given it has to look and agree again.
func QuoteChanged(w view.Words, err error) (*view.Trouble, bool) {
	switch {
	case errors.Is(err, pg.ErrQuoteChanged):
		return &view.Trouble{Title: w.T("Something has changed meanwhile"), Text: w.T("Nothing was done. Look at it again: this is what it would do now.")}, true
	case errors.Is(err, pg.ErrQuoteExpired), errors.Is(err, pg.ErrQuoteOther), errors.Is(err, pg.ErrQuoteUnknown):
		return &view.Trouble{Title: w.T("Look at it once more"), Text: w.T("This page was open for a long time, and nothing was done. This is what it would do now.")}, true
	}
	return nil, false
}
