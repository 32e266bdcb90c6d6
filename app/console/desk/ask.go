package desk

import (
	"foyer/app/pg"
	"foyer/app/web/op"
)

// ask is who wants to know what a verb would do, and all that was asked: the record of the address and the fields. The page that
// asks and the form that does have the same address and the same fields.
func (c *Call) ask(operation string) pg.QuoteKey {
	asked := c.Asked()
	for _, name := range append([]string{"at"}, c.apart...) {
		asked.Del(name)
	}
	return op.QuoteKey(c.Scope, operation, c.Path(), asked.Encode())
}
