package bench

import (
	"context"
	"errors"
	"fmt"
	"foyer/app/booking"
	"os"
	"time"

	"github.com/google/uuid"

	"foyer/app/availability"
	"foyer/app/pg"
	"foyer/app/tenancy"
	"foyer/policy"
)

// searchDays is how far a search looks.
const searchDays = 14

// search is two weeks of an appointment that five people give, on a grid of 15 minutes, in a business with 20,000
// appointments and as many bookings of classes. The floor has the reads alone, in the one trip in which the product sends
// them; over HTTP the product finds the key and what it may do besides.
func (b *bench) search(ctx context.Context) ([]Row, error) {
	in, err := b.searchInput(ctx)
	if err != nil {
		return nil, err
	}
	trips, starts, err := b.searchTrips(ctx, in)
	if err != nil {
		return nil, err
	}
	key, err := b.makeKey()
	if err != nil {
		return nil, err
	}
	service, sc := availability.New(availability.Options{DB: b.db, HitsTx: booking.HitsTx}), b.searcher()
	name := fmt.Sprintf("search of %d starts of 5 people in 14 days", starts)
	rounds, err := b.reading(ctx, name, searchRequest(in, key), trips,
		b.loading("verb", b.cpu.and(os.Getpid()), func(ctx context.Context, _ int) error {
			_, err := service.Search(ctx, sc, in)
			return err
		}))
	if err != nil {
		return nil, err
	}
	rows := against(name+", over HTTP", rounds[0], rounds[1], Aim{Least: 0.45}, Aim{})
	return append(rows, against(name+", by the verb", rounds[2], rounds[1], Aim{Least: 0.45}, Aim{})...), nil
}

// searchRequest asks as somebody with an API key.
func searchRequest(in availability.SearchInput, key string) []byte {
	return head("POST", "/locations/"+in.LocationID.String()+"/availability/search", key, fmt.Sprintf(`{"from":%q,"to":%q,"offeringId":%q}`,
		in.From.Format(time.RFC3339), in.To.Format(time.RFC3339), in.Segments[0].OfferingID))
}

// searcher may see what a search needs to see.
func (b *bench) searcher() tenancy.Scope {
	return tenancy.Scope{Tenant: b.place.Business, Grants: tenancy.Grants{All: tenancy.NewFeatureSet(policy.LocationView)}}
}

// searchInput asks for the two weeks from tomorrow on.
func (b *bench) searchInput(ctx context.Context) (in availability.SearchInput, err error) {
	var offering uuid.UUID
	err = b.super.QueryRow(ctx, `select bench.salon(), bench.salon_offering(0),
		((now() at time zone 'America/New_York')::date + 1)::timestamp at time zone 'America/New_York'`).
		Scan(&in.LocationID, &offering, &in.From)
	in.From = in.From.UTC()
	in.To = in.From.AddDate(0, 0, searchDays)
	in.Segments = []availability.Segment{{OfferingID: offering}}
	return in, err
}

// searchTrips is what the product sends for a search, and how many starts that finds.
func (b *bench) searchTrips(ctx context.Context, in availability.SearchInput) (trips []trip, starts int, err error) {
	trips, err = b.listen(ctx, func(db *pg.DB) error {
		page, err := availability.New(availability.Options{DB: db, HitsTx: booking.HitsTx}).Search(ctx, b.searcher(), in)
		free := 0
		for _, d := range page.Days {
			starts += len(d.Starts)
			for _, s := range d.Starts {
				if s.Bookable() {
					free++
				}
			}
		}
		if err == nil && (len(page.Days) != searchDays || free == 0 || free == starts) {
			err = errors.New("bench: the search finds nothing, or nothing that is taken")
		}
		return err
	})
	return trips, starts, err
}
