package desk

import (
	"github.com/google/uuid"

	"foyer/app/booking"
)

// Lacks returns the outstanding agreements of bookings, by booking, without past ones. It takes one statement for a
// list of any length.
func (c *Call) Lacks(list []booking.StudioBooking) (map[uuid.UUID][]string, error) {
	now := c.Desk.Clock.Now()
	var ids []uuid.UUID
	for _, b := range list {
		if b.EndsAt.After(now) {
			ids = append(ids, b.ID)
		}
	}
	return c.Desk.Agreement.MissingOf(c.Context(), c.Scope.Tenant, ids)
}

// Signing returns the address of the screen to mark a booking's agreement as signed; empty without the right to do
// so.
func (c *Call) Signing(b booking.StudioBooking) string {
	if !c.MayAt("markAgreementSigned", b.LocationID) || !c.MayAt("getCustomer", b.LocationID) {
		return ""
	}
	return c.To("/customers/"+b.CustomerID.String(), "location", b.LocationID.String()) + "#agreements"
}
