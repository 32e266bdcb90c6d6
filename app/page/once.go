package page

import (
	"context"
	"errors"

	"github.com/gofiber/fiber/v2"

	"foyer/app/pg"
	"foyer/app/web"
)

// Once runs a verb under the form's one-time key: sent twice, the form has one effect and gets one answer. A key with
// other values comes from a changed form after a step back in the browser: that is a new request, and no error.
func Once[T any](c *fiber.Ctx, forms *web.Forms, run func(ctx context.Context) (T, error)) (T, error) {
	ctx, err := forms.Once(c)
	if err != nil {
		var none T
		return none, err
	}
	out, err := run(ctx)
	if errors.Is(err, pg.ErrKeyReused) {
		return run(c.UserContext())
	}
	return out, err
}
