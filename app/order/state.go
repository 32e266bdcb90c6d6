package order

// State is the state of an order.
type State string

// The states of an order.
const (
	Open      State = "open"      // being paid: the items are frozen
	Fulfilled State = "fulfilled" // paid and booked
	Refunded  State = "refunded"  // paid too late: the payment is refunded
	Void      State = "void"      // given up
)

// All returns all states.
func (State) All() []State {
	return []State{Open, Fulfilled, Refunded, Void}
}
