package bench

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"foyer/app/civil"
	"foyer/app/crm"
	"foyer/app/pg"
	"foyer/app/schedule"
	"foyer/app/tenancy"
	"foyer/policy"
)

// schedule is two weeks of one location, as an embed or a page asks for it: no credential, one trip to the database.
func (b *bench) schedule(ctx context.Context) ([]Row, error) {
	trips, dates, err := b.scheduleTrips(ctx)
	if err != nil {
		return nil, err
	}
	return b.read(ctx, fmt.Sprintf("schedule of %d dates over HTTP", dates), b.scheduleRequest(), trips, Aim{Least: 0.5})
}

func (b *bench) scheduleRequest() []byte {
	return head("GET", "/storefront/locations/"+b.place.Location.String()+"/schedule", "", "")
}

// scheduleTrips is what the product sends for a schedule, and how many dates that has.
func (b *bench) scheduleTrips(ctx context.Context) (trips []trip, dates int, err error) {
	trips, err = b.listen(ctx, func(db *pg.DB) error {
		t, err := schedule.New(schedule.Options{DB: db}).Schedule(ctx, b.place.Business, b.place.Location, civil.Date{}, 0)
		for _, d := range t.Days {
			dates += len(d.Sessions)
		}
		return err
	})
	return trips, dates, err
}

// customers is the newest fifty of the customers with their total, asked for with an API key. The floor has the page
// alone: finding the key, the business and what the key may do are the product's own three trips.
func (b *bench) customers(ctx context.Context) ([]Row, error) {
	trips, err := b.customersTrips(ctx)
	if err != nil {
		return nil, err
	}
	key, err := b.makeKey()
	if err != nil {
		return nil, err
	}
	return b.read(ctx, "page of 50 customers over HTTP", b.customersRequest(key), trips, Aim{Least: 0.35})
}

func (b *bench) customersRequest(key string) []byte {
	return head("GET", "/businesses/"+b.place.Business.String()+"/customers?limit=50", key, "")
}

func (b *bench) customersTrips(ctx context.Context) ([]trip, error) {
	return b.listen(ctx, func(db *pg.DB) error {
		sc := tenancy.Scope{Tenant: b.place.Business, Grants: tenancy.Grants{All: tenancy.NewFeatureSet(policy.CRMView)}}
		page, err := crm.New(crm.Options{DB: db}).List(ctx, sc, crm.ListInput{Limit: 50})
		if err == nil && len(page.Customers) != 50 {
			err = errors.New("bench: there are not fifty customers")
		}
		return err
	})
}

// makeKey makes an API key as the owner.
func (b *bench) makeKey() (string, error) {
	c, err := dial(b.server.address)
	if err != nil {
		return "", err
	}
	defer c.conn.Close()
	body, err := c.do(head("POST", "/businesses/"+b.place.Business.String()+"/api-keys", b.place.Owner, "{}"))
	if err != nil {
		return "", err
	}
	var made struct{ Data struct{ Key string } }
	err = json.Unmarshal(body, &made)
	return made.Data.Key, err
}

// read compares one request over HTTP with what it makes the product send.
func (b *bench) read(ctx context.Context, name string, request []byte, trips []trip, aim Aim) ([]Row, error) {
	floor, err := writeScript(ctx, b.super, trips, nil)
	if err != nil {
		return nil, err
	}
	connections, closeAll, err := b.dialAll()
	if err != nil {
		return nil, err
	}
	defer closeAll()
	rounds, err := b.compare(ctx, name,
		b.loading("foyer", b.serverCPU(), func(_ context.Context, client int) error {
			_, err := connections[client].do(request)
			return err
		}),
		b.flooring(floor))
	if err != nil {
		return nil, err
	}
	return against(name, rounds[0], rounds[1], aim, Aim{}), nil
}
