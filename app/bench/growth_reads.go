package bench

import (
	"context"
	"errors"
	"foyer/app/booking"
	"time"

	"foyer/app/availability"
	"foyer/app/civil"
	"foyer/app/pg"
	"foyer/app/tenancy"
	"foyer/policy"
)

// growingSchedule asks for two weeks of a location that is drawn.
func growingSchedule(g *growing, c *client) operation {
	return func(context.Context, int) error {
		_, err := c.do(head("GET", "/storefront/locations/"+growthID(2, g.draw()).String()+"/schedule", "", ""))
		return err
	}
}

func growthScheduleTrips(ctx context.Context, g *growing) ([]trip, error) {
	return g.listen(ctx, func(db *pg.DB) error {
		t, err := newSchedule(db).Schedule(ctx, growthID(1, 0), growthID(2, 0), civil.Date{}, 0)
		if err == nil && len(t.Days) == 0 {
			err = errors.New("bench: there is no date")
		}
		return err
	})
}

// growingSearch asks for two weeks of an appointment of a business that is drawn, as its owner, who is signed in.
func growingSearch(g *growing, c *client) operation {
	return func(context.Context, int) error {
		b := g.draw()
		_, err := c.do(searchRequest(growthSearch(b), sessionToken(int64(b))))
		return err
	}
}

func growthSearchTrips(ctx context.Context, g *growing) ([]trip, error) {
	return g.listen(ctx, func(db *pg.DB) error {
		sc := tenancy.Scope{Tenant: growthID(1, 0), Grants: tenancy.Grants{All: tenancy.NewFeatureSet(policy.LocationView)}}
		page, err := availability.New(availability.Options{DB: db, HitsTx: booking.HitsTx}).Search(ctx, sc, growthSearch(0))
		if err == nil && len(page.Days) < searchDays {
			err = errors.New("bench: there are no times")
		}
		return err
	})
}

// growthSearch asks for two weeks, from the next hour on.
func growthSearch(business int) availability.SearchInput {
	from := time.Now().UTC().Truncate(time.Hour).Add(time.Hour) // real time: the seeds are about it
	return availability.SearchInput{
		LocationID: growthID(2, business), From: from, To: from.AddDate(0, 0, searchDays),
		Segments: []availability.Segment{{OfferingID: growthID(12, business*4+3)}},
	}
}

// readFloor is what the product sends for a read of business 0, and then for those that are drawn.
func readFloor(trips func(context.Context, *growing) ([]trip, error)) func(context.Context, *growing) (script, error) {
	return func(ctx context.Context, g *growing) (script, error) {
		heard, err := trips(ctx, g)
		if err != nil {
			return script{}, err
		}
		return drawnScript{drawBusiness, namesOfBusiness()}.write(ctx, g.super, heard, nil)
	}
}

// drawBusiness makes :n into the ids of a business; namesOfBusiness says what they are called for business 0.
const drawBusiness = `select bench.business(b) as business, bench.location(b) as location, bench.id(12, b * 4 + 3) as offering,
	array[bench.id(12, b * 4 + 3)] as offerings from (select bench.growth_business(:n) as b) d`

func namesOfBusiness() map[string]string {
	offering := growthID(12, 3).String()
	return map[string]string{
		growthID(1, 0).String(): "business", growthID(2, 0).String(): "location", offering: "offering", "{" + offering + "}": "offerings",
	}
}
