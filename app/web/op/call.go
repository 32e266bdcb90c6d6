package op

import (
	"context"

	"github.com/gofiber/fiber/v2"

	"foyer/app/pg"
	"foyer/app/tenancy"
)

// Call is the context of one request. It holds only copies, so a goroutine that outlives the request may keep it.
type Call struct {
	context.Context // ends at the request timeout, and when the server stops immediately

	ID      string        // request id
	Visitor string        // rate limit key, computed on first use
	Route   string        // path template of the operation
	scope   tenancy.Scope // the caller and the target, once admitted
	caller  Insider       // the credential, as an insider's; also of a request from outside
	ask     pg.QuoteKey   // of an operation that is Quoted
	file    *File         // that came with it
}

type callKey struct{}

// Value returns the call itself for its own key, and otherwise the value of the parent context.
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

// CallOf returns the call of a request in flight. The server creates it before any handler runs.
func CallOf(c *fiber.Ctx) *Call { return callFrom(c.UserContext()) }

// RequestID returns the id of the request of ctx, or "". It is sent as X-Request-Id and logged.
func RequestID(ctx context.Context) string {
	if x := callFrom(ctx); x != nil {
		return x.ID
	}
	return ""
}
