package bench

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/google/uuid"

	"foyer/app/civil"
	"foyer/app/pg"
	"foyer/app/plan"
	"foyer/app/plan/rules"
)

const (
	chosenSeats   = 10 // of a cart
	chosenGrants  = 200
	choosesOnce   = 2000 // of a round
	ownPlans      = 20   // of a customer
	ownChanges    = 2000 // of their credits
	ownPlansReads = 200  // of a round
)

// plans measures what pays for a cart, a list of plans, and the renewals of a night.
func (b *bench) plans(ctx context.Context) ([]Row, error) {
	rows := []Row{b.choosing()}
	for _, measure := range []func(context.Context) ([]Row, error){b.listingPlans, b.renewals} {
		more, err := measure(ctx)
		if err != nil {
			return nil, err
		}
		rows = append(rows, more...)
	}
	return rows, nil
}

// choosing is the time in which ten seats are paid from 200 grants, each with limits and a list of offerings.
func (b *bench) choosing() Row {
	today := civil.DateOf(b.db.Clock().Now())
	offering := benchID(13, 0)
	seats := make([]rules.Seat, chosenSeats)
	for i := range seats {
		seats[i] = rules.Seat{Offering: offering, Location: b.place.Location, Kind: "class", On: today.AddDays(i)}
	}
	grants := make([]rules.Source, chosenGrants)
	for i := range grants {
		grants[i] = rules.Source{
			ID: benchID(170, int64(i)), Rank: rules.Pack, From: today, Until: today.AddDays(i), Credits: 10,
			Value: 15000, Of: 10,
			Limits: rules.Limits{PerDay: 1, PerWeek: 3, WeekStart: time.Monday},
			Scope:  rules.Scope{Offerings: []uuid.UUID{benchID(13, 1), benchID(13, 2), offering}},
		}
	}
	var took series
	for range b.Rounds {
		each := make([]time.Duration, choosesOnce) // their median leaves out what other work has interrupted
		for i := range each {
			began := time.Now() // real time: it is measured
			rules.Choose(seats, grants)
			each[i] = time.Since(began)
		}
		took = append(took, float64(percentile(each, 50).Nanoseconds())/1e3)
	}
	return Row{Workload: "choosing what pays for ten seats among 200 grants, µs", Foyer: took.median(), Floor: math.NaN(),
		Figure: took, Unit: "µs", Aim: Aim{Most: 100}}
}

// listingPlans is the list of a customer's own plans, 20 with 2,000 transactions: its trips for their business, beside
// the one that finds their businesses, and its time.
func (b *bench) listingPlans(ctx context.Context) ([]Row, error) {
	buyers, err := b.buyers(ctx)
	if err != nil {
		return nil, err
	}
	who, customer := buyers[1], benchID(6, 1)
	if err := b.ownPlans(ctx, customer); err != nil {
		return nil, err
	}
	list := func(db *pg.DB) error {
		owned, err := services(db, nil).Plans.Mine(ctx, who)
		if err == nil && len(owned) < ownPlans {
			err = fmt.Errorf("bench: %d plans", len(owned))
		}
		return err
	}
	trips, err := b.listen(ctx, list)
	if err != nil {
		return nil, err
	}
	var took series
	for range b.Rounds {
		began := time.Now() // real time: it is measured
		for range ownPlansReads {
			if err := list(b.db); err != nil {
				return nil, err
			}
		}
		took = append(took, float64(time.Since(began).Nanoseconds())/1e6/ownPlansReads)
	}
	name := fmt.Sprintf("listing %d own plans with %d transactions", ownPlans, ownChanges)
	return []Row{
		{Workload: name + ", trips for their business", Foyer: float64(len(trips) - 1), Floor: math.NaN(),
			Figure: series{float64(len(trips) - 1)}, Unit: "trips", Aim: Aim{Most: 1}},
		{Workload: name + ", ms each by the verb", Foyer: took.median(), Floor: math.NaN(), Figure: took, Unit: "ms"},
	}, nil
}

// ownPlans sells plans to a customer and changes their credits.
func (b *bench) ownPlans(ctx context.Context, customer uuid.UUID) error {
	credits := 10
	p, err := b.onSale(ctx, plan.CreateInput{
		Name: "Own pack", Kind: plan.Pack, PriceAmount: 10_000, Benefits: []plan.Benefit{{Credits: &credits}},
		Validity: plan.Validity{Count: 1, Unit: rules.Year},
	})
	if err != nil {
		return err
	}
	plans := services(b.db, nil).Plans
	for range ownPlans {
		if err := b.sellPlan(ctx, p, customer); err != nil {
			return err
		}
	}
	list, err := plans.OfCustomer(ctx, b.staff(), customer)
	if err != nil || len(list) < ownPlans {
		return errors.Join(err, fmt.Errorf("bench: %d plans were sold", len(list)))
	}
	return share(b.Clients, ownChanges, func(_ int, i int64) error {
		_, err := plans.Adjust(ctx, b.staff(), plan.AdjustInput{
			CustomerID: customer, MembershipID: list[i%ownPlans].ID, Credits: 1 - int(i/ownPlans)%2*2, Note: "a correction",
		})
		return err
	})
}
