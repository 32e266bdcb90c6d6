package wire

import (
	"time"

	"foyer/app/walkin"
)

// WalkinsNow is the current walk-in state of a location.
type WalkinsNow struct {
	State  walkin.State  `json:"state" doc:"State of the walk-ins. busy is nearly full."`
	Level  walkin.Level  `json:"level,omitempty" doc:"Share of free seats: more than half, more than a fifth, any, none. Absent when closed."`
	Spots  int           `json:"spots" doc:"Free spots of all rooms, for a stay that begins now. 0 when closed."`
	Until  *time.Time    `json:"until" doc:"When this state ends: at closing, at opening, or at the end of a pause. Null if unknown."`
	Hidden walkin.Hidden `json:"hidden,omitempty" doc:"Why the walk-ins are hidden. Absent if they are shown."`
}

// ShowWalkins returns the state of the walk-ins of an offering.
func ShowWalkins(w walkin.Walkins) WalkinsNow {
	return WalkinsNow{State: w.State, Level: w.Level, Spots: w.Spots, Until: w.Until, Hidden: w.Hidden}
}
