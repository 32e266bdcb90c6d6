package availability

import (
	"context"
	"time"

	"github.com/google/uuid"

	"foyer/app/catalog"
)

// NextFree returns the first time at which each of these appointments and rentals can be booked, for its default length and
// the fewest people, if there is one in the next fourteen days: what the page of a location says beside their names. They
// are of one location. It is one round trip, and as many small computations as there are offerings.
func (s *Service) NextFree(ctx context.Context, business uuid.UUID, offerings []uuid.UUID) (map[uuid.UUID]time.Time, error) {
	if len(offerings) == 0 {
		return nil, nil
	}
	v := s.db.View(business)
	from := v.Now()
	to := from.AddDate(0, 0, slotDays)
	k, err := readFacts(ctx, v, factsOf{offerings: offerings, from: from, to: to.Add(visitMax)})
	if err != nil {
		return nil, err
	}
	out := make(map[uuid.UUID]time.Time, len(k.Offers))
	for i := range k.Offers {
		o := &k.Offers[i]
		if o.Kind == catalog.Class || !k.public(o) {
			continue
		}
		part, err := k.part(i, 0, 0, Storefront)
		if err != nil {
			continue // nobody can book it as it is
		}
		if starts := bookable(k.Find(Question{From: from, To: to, Parts: []Part{part}})); len(starts) > 0 {
			out[o.ID] = starts[0].StartsAt
		}
	}
	return out, nil
}
