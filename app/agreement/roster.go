package agreement

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/pg"
)

// booked is somebody's seat on a date, with what they agreed to that may count for it.
type booked struct {
	ID         uuid.UUID    `json:"id"`
	OfferingID uuid.UUID    `json:"offering_id"`
	LocationID uuid.UUID    `json:"location_id"`
	CartID     *uuid.UUID   `json:"cart_id"`
	Attendee   string       `json:"attendee"`
	Past       bool         `json:"past"`
	Have       []Acceptance `json:"have"`
}

// Missing tells which documents those who are booked on a date still owe, by booking, in the order of the documents; a booking that owes
// none is not in it. It takes one statement for the whole date. The caller may see the bookings there. A186, A190.
func (s *Service) Missing(ctx context.Context, business, occurrence uuid.UUID) (map[uuid.UUID][]string, error) {
	r, err := readRoster(ctx, s.db.View(business), "b.occurrence_id = $2", occurrence)
	if err != nil {
		return nil, err
	}
	return r.missing(), nil
}

// MissingOf is Missing of these bookings, wherever they are: of a page of a list, say. It takes one statement for all of them, and none for
// none.
func (s *Service) MissingOf(ctx context.Context, business uuid.UUID, bookings []uuid.UUID) (map[uuid.UUID][]string, error) {
	return MissingOf(ctx, s.db.View(business), bookings)
}

// MissingOf is Service.MissingOf for who reads anyway.
func MissingOf(ctx context.Context, r pg.Reader, bookings []uuid.UUID) (map[uuid.UUID][]string, error) {
	if len(bookings) == 0 {
		return nil, nil
	}
	found, err := readRoster(ctx, r, "b.id = any($2)", bookings)
	if err != nil {
		return nil, err
	}
	return found.missing(), nil
}

// roster is all that decides what is still owed for bookings.
type roster struct {
	Documents []Document
	Booked    []booked
}

func (r roster) missing() map[uuid.UUID][]string {
	out := map[uuid.UUID][]string{}
	for _, b := range r.Booked {
		want := Subject{ID: b.ID, OfferingID: b.OfferingID, CartID: b.CartID, BookingID: &b.ID, Attendee: b.Attendee, Past: b.Past}
		for _, k := range Open(Required(r.Documents, []Subject{want}, b.Have)) {
			if k.LocationID == b.LocationID {
				out[b.ID] = append(out[b.ID], k.Name)
			}
		}
	}
	return out
}
