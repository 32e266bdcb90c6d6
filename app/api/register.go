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

// Tags are the groups of the document in the order of their display. web.Options.Tags takes them.
var Tags = []op.Tag{
	{Name: "auth", Description: "Sign-in with a mailed code, and sessions."},
	{Name: "me", Description: "The signed-in person's own profile and bookings."},
	{Name: "business", Description: "The business, its API keys and the permissions of its roles."},
	{Name: "team", Description: "The staff members of a business and their roles."},
	{Name: "locations", Description: "Locations with their opening hours, branding and spaces."},
	{Name: "catalog", Description: "Offerings and their schedules."},
	{Name: "bookings", Description: "Bookings, check-in and waitlists."},
	{Name: "customers", Description: "The customer records of a business."},
	{Name: "commerce", Description: "Payments and refunds, the payment account, taxes."},
	{Name: "storefront", Description: "The public side of a business: offerings, carts, holds and checkout."},
}

// Register declares every operation of the API, the webhook of the payment processor and the reference page.
func Register(s *web.Server, o assembly.Services) {
	on := wire.Surface{Services: o, Ops: s.Operations, Cursors: s.Cursors, Host: s.Host(), Base: s.Base()}
	me.Register(on)
	operator.Register(on)
	storefront.Register(on)
	webhooks(s, o.Billing)
	accountingCallback(s, o.Accounting)
	Reference(s)
}
