package bench

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"foyer/app/civil"
	"foyer/app/crm"
	"foyer/app/pg"
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
		t, err := newSchedule(db).Schedule(ctx, b.place.Business, b.place.Location, civil.Date{}, 0)
		for _, d := range t.Days {
			dates += len(d.Occurrences)
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
	request := head("GET", "/businesses/"+b.place.Business.String()+"/customers?limit=50", key, "")
	return b.read(ctx, "page of 50 customers over HTTP", request, trips, Aim{Least: 0.35})
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
	body, err := b.answer(head("POST", "/businesses/"+b.place.Business.String()+"/api-keys", b.place.Owner, "{}"))
	if err != nil {
		return "", err
	}
	var made struct{ Data struct{ Key string } }
	err = json.Unmarshal(body, &made)
	return made.Data.Key, err
}

// read compares one request over HTTP with what it makes the product send.
func (b *bench) read(ctx context.Context, name string, request []byte, trips []trip, aim Aim) ([]Row, error) {
	rounds, err := b.reading(ctx, name, request, trips)
	if err != nil {
		return nil, err
	}
	return against(name, rounds[0], rounds[1], aim, Aim{}), nil
}

// reading runs a request over HTTP, what it makes the product send, and whatever else is given.
func (b *bench) reading(ctx context.Context, name string, request []byte, trips []trip, more ...contender) ([][]sample, error) {
	floor, err := writeScript(ctx, b.super, trips, nil)
	if err != nil {
		return nil, err
	}
	http, closeAll, err := b.asking("http", b.server.address, request, b.serverCPU())
	if err != nil {
		return nil, err
	}
	defer closeAll()
	return b.compare(ctx, name, append([]contender{http, b.flooring(floor)}, more...)...)
}

// asking is a contender whose clients ask for the same over and over.
func (b *bench) asking(name, address string, request []byte, cpu cpuOf) (c contender, closeAll func(), err error) {
	connections, closeAll, err := clients(address, b.Clients)
	return b.loading(name, cpu, func(_ context.Context, client int) error {
		_, err := connections[client].do(request)
		return err
	}), closeAll, err
}
