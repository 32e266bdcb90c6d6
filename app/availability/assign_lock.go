//go:build !nolock

package availability

// keepForMe ends the first statements of a placement: no other placement with the same people and spaces runs until
// the transaction ends. It does not wait for transactions that only refer to them.
const keepForMe = ` for no key update`
