package storefront

import "foyer/app/api/wire"

// surface holds the services of the handlers.
type surface struct{ wire.Surface }

// Register declares the operations for a business's visitors.
func Register(on wire.Surface) {
	a := &surface{on}
	for _, declare := range []func(){
		a.location, a.schedule, a.walkins, a.offerings, a.products, a.giftCards, a.plans,
		a.carts, a.cartItems, a.cartCode, a.cartCredit, a.agreements, a.holds, a.payments, a.receipts, a.waitlist,
	} {
		declare()
	}
}
