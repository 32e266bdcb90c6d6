package wire

import (
	"time"

	"foyer/app/walkin"
)

// WalkinsNow is what the door of a location says right now.
type WalkinsNow struct {
	State  walkin.State  `json:"state" doc:"Busy is nearly full."`
	Level  walkin.Level  `json:"level,omitempty" doc:"By the share of the seats that is free: more than half, more than a fifth, any, none. Left out when closed."`
	Spots  int           `json:"spots" doc:"Open seats of all rooms, for a stay that begins now. 0 when closed."`
	Until  *time.Time    `json:"until" doc:"When that ends: closing, opening, or the end of a pause. Null: not known."`
	Hidden walkin.Hidden `json:"hidden,omitempty" doc:"Why nothing is to be shown at all; left out when it is to be."`
}

// ShowWalkins returns the state of the walk-ins of an offering.
func ShowWalkins(w walkin.Walkins) WalkinsNow {
	return WalkinsNow{State: w.State, Level: w.Level, Spots: w.Spots, Until: w.Until, Hidden: w.Hidden}
}
