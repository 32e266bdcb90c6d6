package desk

import (
	"foyer/app/pg"
	"foyer/app/web/op"
)

// ask returns the key of a quote: its caller, and the input from the address and the fields. The quoting page and the
// form that redeems it have the same address and the same fields.
func (c *Call) ask(operation string) pg.QuoteKey {
	asked := c.Inputs()
	for _, name := range append([]string{"at"}, c.apart...) {
		asked.Del(name)
	}
	return op.QuoteKey(c.Scope, operation, c.Path(), asked.Encode())
}
