package identity

import (
	"foyer/app/declare"
	"foyer/app/fault"
	"foyer/app/words"
)

// Declare declares this package's part of the product.
func (*Service) Declare() declare.Domain {
	return declare.Domain{
		Package: "app/identity",
		Tables: []declare.Table{
			{Name: "challenges", Life: declare.Swept(7*declare.Day, "true")},
			{Name: "invites", Life: declare.Swept(44*declare.Day, "x.consumed_at is null")},
			{
				Name: "persons", Life: declare.Trade,
				Readers: []string{"app/plan", "app/business", "app/notice", "app/oauth", "app/order", "app/waitlist"},
			},
			{Name: "sessions", Life: declare.Swept(37*declare.Day, "true")},
		},
		Refuses: map[string][]*fault.Error{
			"createBusiness": {ErrInvite},
		},
		Messages: []words.Text{
			"A new business needs an invite link. Sign in with the address the link was sent to; a link works once and for 14 days.",
			"Sign in first.",
			"The session has ended. Sign in again.",
			"This code is not valid. Request a new one.",
			"Too many codes were requested. Try again later.",
			"API keys are not accepted here. Sign in.",
		},
	}
}
