package bench

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"time"

	"github.com/google/uuid"

	"foyer/app/availability"
	"foyer/app/civil"
	"foyer/app/crm"
	"foyer/app/pg"
	"foyer/app/tenancy"
	"foyer/policy"
)

// schedule reads two weeks of one location, as for an embed or a page: no credential, one trip to the database.
func (b *bench) schedule(ctx context.Context) ([]Row, error) {
	trips, dates, err := b.scheduleTrips(ctx)
	if err != nil {
		return nil, err
	}
	name := fmt.Sprintf("schedule of %d dates over HTTP", dates)
	rows, err := b.read(ctx, name, trips, Aim{Least: 0.5}, Aim{Most: 0.8}, func(b *bench) ([]byte, error) { return b.scheduleRequest(), nil })
	if err != nil {
		return nil, err
	}
	size, err := b.scheduleSize()
	if err != nil {
		return nil, err
	}
	row := Row{Workload: name + ", KB", Foyer: size.median(), Floor: math.NaN(), Figure: size, Unit: "KB", Aim: Aim{Most: 34}}
	if b.other != nil {
		other, err := b.other.scheduleSize()
		if err != nil {
			return nil, err
		}
		row = row.beside(size, other)
	}
	return append(rows, row), nil
}

// scheduleSize is how many KB of 10^3 bytes the body of a schedule has.
func (b *bench) scheduleSize() (series, error) {
	body, err := b.answer(b.scheduleRequest())
	return series{float64(len(body)) / 1e3}, err
}

func (b *bench) scheduleRequest() []byte {
	return head("GET", "/storefront/locations/"+b.place.Location.String()+"/schedule", "", "")
}

// scheduleTrips returns the product's statements for a schedule, and its number of dates.
func (b *bench) scheduleTrips(ctx context.Context) (trips []trip, dates int, err error) {
	trips, err = b.listen(ctx, func(db *pg.DB) error {
		t, err := services(db, nil).Schedule.Schedule(ctx, b.place.Business, b.place.Location, civil.Date{}, 0)
		for _, d := range t.Days {
			dates += len(d.Occurrences)
		}
		return err
	})
	return trips, dates, err
}

// customers reads the newest fifty customers with their total, with an API key. The floor has the page alone:
// resolving the key, the business and the permissions is the product's own work.
func (b *bench) customers(ctx context.Context) ([]Row, error) {
	trips, err := b.customersTrips(ctx)
	if err != nil {
		return nil, err
	}
	return b.read(ctx, "page of 50 customers over HTTP", trips, Aim{Least: 0.5}, Aim{Most: 0.6}, func(b *bench) ([]byte, error) {
		key, err := b.makeKey()
		return head("GET", "/businesses/"+b.place.Business.String()+"/customers?limit=50", key, ""), err
	})
}

// customersTrips records the second page of a process: the first one counts all customers.
func (b *bench) customersTrips(ctx context.Context) ([]trip, error) {
	trips, err := b.listen(ctx, func(db *pg.DB) error {
		service := services(db, nil).CRM
		sc := tenancy.Scope{Tenant: b.place.Business, Grants: tenancy.Grants{All: tenancy.NewFeatureSet(policy.CRMView)}}
		for range 2 {
			page, err := service.List(ctx, sc, crm.ListInput{Limit: 50})
			if err != nil {
				return err
			}
			if len(page.Customers) != 50 {
				return errors.New("bench: there are not fifty customers")
			}
		}
		return nil
	})
	return trips[len(trips)/2:], err
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

// read compares one request over HTTP with its statements. cost is the aim of its CPU in ms.
func (b *bench) read(ctx context.Context, name string, trips []trip, speed, cost Aim, request func(*bench) ([]byte, error)) ([]Row, error) {
	rounds, other, err := b.reading(ctx, name, trips, request)
	if err != nil {
		return nil, err
	}
	rows := append(against(name, rounds[0], rounds[1], speed, Aim{}), costing(name, rounds[0], cost)...)
	return besides(rows, rounds[0], other), nil
}

// reading runs a request over HTTP, its statements, and other given contenders; and the request with the other
// binary, if there is one. Each makes its own request, with its own credentials.
func (b *bench) reading(ctx context.Context, name string, trips []trip, request func(*bench) ([]byte, error), more ...contender) (rounds [][]sample, other []sample, err error) {
	floor, err := writeScript(ctx, b.super, trips, nil)
	if err != nil {
		return nil, nil, err
	}
	http, closeAll, err := b.requesting("http", request)
	if err != nil {
		return nil, nil, err
	}
	defer closeAll()
	cs := append([]contender{http, b.flooring(floor)}, more...)
	if b.other == nil {
		rounds, err = b.compare(ctx, name, cs...)
		return rounds, nil, err
	}
	theirs, closeTheirs, err := b.other.requesting("other", request)
	if err != nil {
		return nil, nil, err
	}
	defer closeTheirs()
	if rounds, err = b.compare(ctx, name, append(cs, theirs)...); err != nil {
		return nil, nil, err
	}
	return rounds[:len(cs)], rounds[len(cs)], nil
}

// requesting is a contender with requests to this bench's server.
func (b *bench) requesting(name string, request func(*bench) ([]byte, error)) (c contender, closeAll func(), err error) {
	asked, err := request(b)
	if err != nil {
		return contender{}, nil, err
	}
	return b.asking(name, b.server.address, asked, b.serverCPU())
}

// asking is a contender with clients that repeat the same request.
func (b *bench) asking(name, address string, request []byte, cpu cpuOf) (c contender, closeAll func(), err error) {
	connections, closeAll, err := clients(address, b.Clients)
	return b.loading(name, cpu, func(_ context.Context, client int) error {
		_, err := connections[client].do(request)
		return err
	}), closeAll, err
}

// searchDays is how far a search looks.
const searchDays = 14

// search finds starts in two weeks of an appointment with five instructors, on a grid of 15 minutes, in a business
// with 20,000 appointments and as many bookings of classes. The floor has the reads alone, in the one trip in which
// the product sends them; over HTTP the product also resolves the key and its permissions.
func (b *bench) search(ctx context.Context) ([]Row, error) {
	in, err := b.searchInput(ctx)
	if err != nil {
		return nil, err
	}
	trips, starts, err := b.searchTrips(ctx, in)
	if err != nil {
		return nil, err
	}
	request := func(b *bench) ([]byte, error) {
		key, err := b.makeKey()
		return searchRequest(in, key), err
	}
	service, sc := services(b.db, nil).Availability, b.searcher()
	name := fmt.Sprintf("search of %d starts of 5 people in 14 days", starts)
	rounds, other, err := b.reading(ctx, name, trips, request,
		b.loading("verb", b.cpu.and(os.Getpid()), func(ctx context.Context, _ int) error {
			_, err := service.Search(ctx, sc, in)
			return err
		}))
	if err != nil {
		return nil, err
	}
	rows := besides(against(name+", over HTTP", rounds[0], rounds[1], Aim{Least: 0.5}, Aim{}), rounds[0], other)
	return append(rows, against(name+", by the verb", rounds[2], rounds[1], Aim{Least: 0.5}, Aim{})...), nil
}

// searchRequest is the request with an API key.
func searchRequest(in availability.SearchInput, key string) []byte {
	return head("POST", "/locations/"+in.LocationID.String()+"/availability/search", key, fmt.Sprintf(`{"from":%q,"to":%q,"offeringId":%q}`,
		in.From.Format(time.RFC3339), in.To.Format(time.RFC3339), in.Segments[0].OfferingID))
}

// searcher is a scope with the permissions of a search.
func (b *bench) searcher() tenancy.Scope {
	return tenancy.Scope{Tenant: b.place.Business, Grants: tenancy.Grants{All: tenancy.NewFeatureSet(policy.LocationView)}}
}

// searchInput is the input for the two weeks from tomorrow on.
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

// searchTrips returns the product's statements for a search, and the number of starts found.
func (b *bench) searchTrips(ctx context.Context, in availability.SearchInput) (trips []trip, starts int, err error) {
	trips, err = b.listen(ctx, func(db *pg.DB) error {
		page, err := services(db, nil).Availability.Search(ctx, b.searcher(), in)
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
			err = errors.New("bench: the search finds no starts, or no booked time")
		}
		return err
	})
	return trips, starts, err
}
