package agreement

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/pg"
)

// booked is a seat on a date, with the acceptances that may count for it.
type booked struct {
	ID         uuid.UUID    `json:"id"`
	OfferingID uuid.UUID    `json:"offering_id"`
	LocationID uuid.UUID    `json:"location_id"`
	CartID     *uuid.UUID   `json:"cart_id"`
	Attendee   string       `json:"attendee"`
	Past       bool         `json:"past"`
	Have       []Acceptance `json:"have"`
}

// Missing returns the names of the outstanding documents of a date's bookings, by booking, in the order of the
// documents. A booking without any is not in the map. It takes one statement for the whole date. The caller must have
// access to the bookings. A186, A190.
func (s *Service) Missing(ctx context.Context, business, occurrence uuid.UUID) (map[uuid.UUID][]string, error) {
	r, err := readRoster(ctx, s.db.View(business), "b.occurrence_id = $2", occurrence)
	if err != nil {
		return nil, err
	}
	return r.missing(), nil
}

// MissingOf is Missing for a list of bookings of any dates, such as a page of a list. It takes one statement for all
// of them, and none for an empty list.
func (s *Service) MissingOf(ctx context.Context, business uuid.UUID, bookings []uuid.UUID) (map[uuid.UUID][]string, error) {
	return MissingOf(ctx, s.db.View(business), bookings)
}

// MissingOf is Service.MissingOf with a reader of the caller's.
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

// roster is the data that decides the outstanding documents of bookings.
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
