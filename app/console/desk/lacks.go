package desk

import (
	"github.com/google/uuid"

	"foyer/app/booking"
)

// Lacks are the agreements that those who are booked have yet to give, by booking; of bookings that are over it says nothing. It takes one
// statement, however long the list is.
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

// Signing is where an agreement of somebody who is booked is marked as signed; empty for who may not.
func (c *Call) Signing(b booking.StudioBooking) string {
	if !c.MayAt("markAgreementSigned", b.LocationID) || !c.MayAt("getCustomer", b.LocationID) {
		return ""
	}
	return c.To("/customers/"+b.CustomerID.String(), "location", b.LocationID.String()) + "#agreements"
}
