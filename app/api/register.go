package api

import (
	"foyer/app/api/me"
	"foyer/app/api/operator"
	"foyer/app/api/storefront"
	"foyer/app/api/wire"
	"foyer/app/assembly"
	"foyer/app/web"
	"foyer/app/web/op"
)

// Tags are the groups of the document, in the order they are shown; web.Options.Tags wants them.
var Tags = []op.Tag{
	{Name: "auth", Description: "Signing in with a mailed code, and one's sessions."},
	{Name: "me", Description: "A signed-in person's own profile and bookings."},
	{Name: "business", Description: "The business itself, its API keys and who may do what."},
	{Name: "team", Description: "The people of a business and their roles."},
	{Name: "locations", Description: "Locations with their opening hours, looks and spaces."},
	{Name: "catalog", Description: "What can be booked, and when."},
	{Name: "bookings", Description: "Who comes."},
	{Name: "customers", Description: "What a business knows about the people who book."},
	{Name: "commerce", Description: "Payments and refunds, the payment account, taxes."},
	{Name: "storefront", Description: "The public side of a business: what is on offer, carts, holds and checkout."},
}

// Register declares every operation of the API, and beside them the processor's webhook and the reference for people.
func Register(s *web.Server, o assembly.Services) {
	on := wire.Surface{Services: o, Ops: s.Operations, Cursors: s.Cursors, Host: s.Host(), Base: s.Base()}
	me.Register(on)
	operator.Register(on)
	storefront.Register(on)
	webhooks(s, o.Billing)
	Reference(s)
}
