package identity

import (
	"time"

	"github.com/google/uuid"

	"foyer/app/fault"
)

// How long a session lasts. A44.
const (
	SessionIdle = 30 * 24 * time.Hour // without a call
	SessionLife = 90 * 24 * time.Hour // however much it is used
	slideEvery  = time.Hour           // how exact the sliding end is: a write an hour, not one a call
)

// MaxSessions is the most sessions that Sessions lists.
const MaxSessions = 200

// ErrSession refuses a token that is no live session. A44, A56.
var ErrSession = fault.New(fault.Unauthorized, "", "The session has ended. Sign in again.")

// Session is one sign-in.
type Session struct {
	ID        uuid.UUID
	Agent     string // what the client called itself
	CreatedAt time.Time
	SeenAt    time.Time // last use, to the hour
	ExpiresAt time.Time // the sliding end: SessionIdle after the last use, and never past SessionLife after the start
	Current   bool      // the session of this call
}
