package walkin

import (
	"foyer/app/declare"
	"foyer/app/fault"
)

// Declare declares the package's tables, jobs and errors.
func (*Service) Declare() declare.Domain {
	return declare.Domain{
		Package: "app/walkin",
		Refuses: map[string][]*fault.Error{
			"checkInWalkin":        {ErrOff, ErrPaused, ErrClosed, ErrLastEntry},
			"getStorefrontWalkins": {ErrUnknownListing},
		},
	}
}
