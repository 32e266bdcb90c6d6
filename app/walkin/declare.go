package walkin

import (
	"foyer/app/declare"
	"foyer/app/fault"
)

// Declare tells the product about this package.
func (*Service) Declare() declare.Domain {
	return declare.Domain{
		Package: "app/walkin",
		Refuses: map[string][]*fault.Error{
			"checkInWalkin":        {ErrOff, ErrPaused, ErrClosed, ErrLastEntry},
			"getStorefrontWalkins": {ErrUnknownListing},
		},
	}
}
