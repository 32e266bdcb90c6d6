package sales

import (
	"foyer/app/declare"
	"foyer/app/fault"
)

// Declare tells the product about this package.
func (*Service) Declare() declare.Domain {
	return declare.Domain{
		Package: "app/sales",
		Refuses: map[string][]*fault.Error{
			"refundPayment": {ErrCap, ErrNothingRefundable},
			"voidPayment":   {ErrByCard, ErrSharedFee},
		},
	}
}
