package crm

import (
	"time"

	"github.com/google/uuid"
)

// Customer is what one business knows about a person.
type Customer struct {
	ID        uuid.UUID
	PersonID  *uuid.UUID // the login behind the record; nil while there is none
	Name      string     // may be empty
	Email     string     // trimmed, lower case; may be empty
	Phone     string
	Version   int64
	CreatedAt time.Time
	UpdatedAt time.Time
}
