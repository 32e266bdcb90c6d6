package cart

import "foyer/app/hosted/kit"

// site is the surface, for the handlers of this area.
type site struct{ *kit.Site }

// Register mounts the cart, payment, receipts and payment of amounts due.
func Register(k *kit.Site) {
	h := &site{k}
	h.cartPages()
	h.agreementPages()
	h.cardPages()
	h.receiptPages()
	h.feePages()
}
