package bench

import (
	"context"
	_ "embed"
	"fmt"
	"math"
	"os"

	"github.com/google/uuid"

	"foyer/app/owed"
	"foyer/app/pg"
	"foyer/app/plan"
	"foyer/app/tenancy"
	"foyer/billing/tender"
)

// The least floor of a booking by credit is the hold of least.sql and the confirmation of credit.sql. It keeps what the
// least floor of a free booking keeps, and that a credit pays once: the membership that ends first, under its lock,
// with the credit, its redemption and the part of the price that is not earned yet. It leaves out other kinds of plans,
// what they cover, their limits and guests, and the choice of the customer. Triggers write all its audit events.

//go:embed credit.sql
var creditSQL string

const (
	creditPrice   = 2200 // of the classes, in minor units
	creditsOfPack = plan.CreditsMax
)

// rowsOfCredit is how many rows a booking by credit writes.
var rowsOfCredit = map[string]int64{
	"holds": 1, "bookings": 1, "booking_transitions": 2, "orders": 1, "order_lines": 1, "redemptions": 1,
	"unearned_uses": 1,
	"audit_events":  3, "river.river_job": 1,
}

// credit compares a booking of a class that a pack pays for with its least floor, and its trips with those of a free
// booking.
func (b *bench) credit(ctx context.Context) ([]Row, error) {
	buyers, err := b.buyers(ctx)
	if err != nil {
		return nil, err
	}
	free, err := b.tripsByVerbs(ctx, buyers)
	if err != nil {
		return nil, err
	}
	if err := b.sellPacks(ctx); err != nil {
		return nil, err
	}
	if err := b.priceClasses(ctx, creditPrice); err != nil {
		return nil, err
	}
	trips, err := b.tripsByVerbs(ctx, buyers)
	if err != nil {
		return nil, err
	}
	verbs, least := services(b.db, nil).Checkout, b.creditScript()
	rounds, err := b.compare(ctx, "credit",
		contender{"verbs", func(ctx context.Context, t timing) (sample, error) {
			return b.wrote(ctx, rowsOfCredit, func() (sample, int64, error) {
				return load(ctx, t, b.Clients, b.cpu.and(os.Getpid()), func(ctx context.Context, _ int) error {
					n := b.cart.Add(1) - 1
					if n >= b.carts {
						return errDone
					}
					who := tenancy.Visitor(buyers[n%int64(len(buyers))], b.place.Business, tenancy.SurfaceAPI)
					if err := book(ctx, verbs, who, n); err != nil {
						return fmt.Errorf("cart %d: %w", n, err)
					}
					return nil
				})
			})
		}},
		contender{"least", func(ctx context.Context, t timing) (sample, error) {
			block := b.cartsOfClient()
			first := b.cart.Add(block*int64(b.Clients)) - block*int64(b.Clients)
			return b.wrote(ctx, rowsOfCredit, func() (sample, int64, error) {
				return b.floor.run(ctx, t, least, fmt.Sprintf("first=%d", first), fmt.Sprintf("range=%d", block))
			})
		}},
	)
	if err != nil {
		return nil, err
	}
	rows := against("booking a class by credit by the verbs, least floor", rounds[0], rounds[1], Aim{Least: 0.6}, Aim{})
	rows = append(rows, Row{
		Workload: "booking a class by credit by the verbs, trips to Postgres over those of a free one",
		Foyer:    trips, Floor: free, Figure: series{trips / free}, Aim: Aim{Most: 1},
	})
	return rows, b.priceClasses(ctx, 0)
}

// tripsByVerbs returns the trips of a booking: the fewest of some, which leaves out occasional ones.
func (b *bench) tripsByVerbs(ctx context.Context, buyers []tenancy.Principal) (float64, error) {
	fewest := math.Inf(1)
	for range 5 {
		n := b.cart.Add(1) - 1
		trips, err := b.listen(ctx, func(db *pg.DB) error {
			who := tenancy.Visitor(buyers[n%int64(len(buyers))], b.place.Business, tenancy.SurfaceAPI)
			return book(ctx, services(db, nil).Checkout, who, n)
		})
		if err != nil {
			return 0, err
		}
		fewest = min(fewest, float64(len(trips)))
	}
	return fewest, nil
}

// creditScript is the least floor as a script of pgbench.
func (b *bench) creditScript() script {
	steps := leastSteps()
	steps["confirm"] = stepsOf(creditSQL)["confirm"]
	return leastScriptOf(steps, b.leastDefines(), map[string]bool{"bookings": true, "orders": true})
}

// sellPacks sells a pack of credits to each of the customers, for cash.
func (b *bench) sellPacks(ctx context.Context) error {
	credits := creditsOfPack
	p, err := b.onSale(ctx, plan.CreateInput{
		Name: "Pack", Kind: plan.Pack, PriceAmount: 20_000_000, Benefits: []plan.Benefit{{Credits: &credits}},
		Validity: plan.Validity{Count: 10, Unit: "year"},
	})
	if err != nil {
		return err
	}
	for n := range b.place.Bookers {
		if err := b.sellPlan(ctx, p, benchID(6, int64(n))); err != nil {
			return err
		}
	}
	_, err = b.super.Exec(ctx, "analyze plans, memberships, grants, redemptions, unearned_uses, orders, order_lines")
	return err
}

// staff is somebody who may do everything in the measured business.
func (b *bench) staff() tenancy.Scope { return tenancy.System(b.place.Business, tenancy.SurfaceJob) }

// onSale makes a plan and puts it on sale.
func (b *bench) onSale(ctx context.Context, in plan.CreateInput) (plan.Plan, error) {
	plans := services(b.db, nil).Plans
	p, err := plans.Create(ctx, b.staff(), in)
	if err == nil {
		p, err = plans.Publish(ctx, b.staff(), p.ID)
	}
	return p, err
}

// sellPlan sells a plan to a customer, for cash.
func (b *bench) sellPlan(ctx context.Context, p plan.Plan, customer uuid.UUID) error {
	_, err := services(b.db, nil).Owed.RecordPayment(ctx, b.staff(), owed.PaymentInput{
		LocationID: b.place.Location, CustomerID: customer, Plans: []uuid.UUID{p.ID}, Tenders: owed.Pays(tender.Cash),
	})
	return err
}

// priceClasses sets the price of the classes that cost nothing, and of the carts that are not used yet.
func (b *bench) priceClasses(ctx context.Context, price int64) error {
	_, err := b.super.Exec(ctx, "update offerings set price_amount = $1 where location_id = bench.free_location()", price)
	if err == nil {
		_, err = b.super.Exec(ctx, `update cart_items set listed_amount = $1
			where cart_id in (select bench.cart(n) from generate_series($2::bigint, $3::bigint) n)`,
			price, b.cart.Load(), b.carts-1)
	}
	return err
}
