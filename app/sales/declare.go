package sales

import (
	"foyer/app/declare"
	"foyer/app/fault"
	"foyer/app/order"
)

// Declare declares this package to the product.
func (*Service) Declare() declare.Domain {
	return declare.Domain{
		Package: "app/sales",
		Refuses: map[string][]*fault.Error{
			"refundPayment": {ErrCap, ErrNothingRefundable},
			"voidPayment":   {ErrByCard, ErrSharedFee, ErrGoodsSold},
			"returnGoods":   {ErrCap, ErrNothingRefundable, order.ErrAlreadyReturned},
		},
	}
}
