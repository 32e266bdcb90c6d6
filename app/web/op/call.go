package op

import (
	"context"

	"github.com/gofiber/fiber/v2"

	"foyer/app/pg"
	"foyer/app/tenancy"
)

// Call is the context of one request. It holds copies only, so a goroutine that outlives the request may keep it.
type Call struct {
	context.Context // ends with the time that requests have, and when the server is told to stop at once

	ID      string        // request id
	Visitor string        // rate limit key, once asked for
	Route   string        // path template of the operation that answers
	scope   tenancy.Scope // who acts where, once admitted
	ask     pg.QuoteKey   // of an operation that is Quoted
	file    *File         // that came with it
}

type callKey struct{}

// Value finds the call itself, and else what the surrounding context holds.
func (x *Call) Value(key any) any {
	if key == (callKey{}) {
		return x
	}
	return x.Context.Value(key)
}

func callFrom(ctx context.Context) *Call {
	x, _ := ctx.Value(callKey{}).(*Call)
	return x
}

// CallOf is the call of a request in flight. Every handler runs inside one, which the server makes.
func CallOf(c *fiber.Ctx) *Call { return callFrom(c.UserContext()) }

// RequestID is the id of the request that ctx belongs to, or "". It is what X-Request-Id shows and the log names.
func RequestID(ctx context.Context) string {
	if x := callFrom(ctx); x != nil {
		return x.ID
	}
	return ""
}
