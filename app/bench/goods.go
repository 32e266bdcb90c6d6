package bench

import (
	"context"
	"errors"
	"fmt"

	"foyer/app/pg"
	"foyer/app/product"
	"foyer/app/tenancy"
	"foyer/policy"
)

const (
	ledgerMoves = 1_000_000 // of one variant
	ledgerMost  = 5         // ms of CPU for a page of them
	buyers      = 200       // of one variant at once; racers connections
)

// goods measures a page of a long stock ledger, a sale at the desk against its least floor, and buyers of one variant
// at once against as many one after another.
func (b *bench) goods(ctx context.Context) ([]Row, error) {
	if err := b.seedGoods(ctx, ledgerMoves, 2*b.Rounds*racesOfRound); err != nil {
		return nil, err
	}
	trips, err := b.ledgerTrips(ctx)
	if err != nil {
		return nil, err
	}
	name := fmt.Sprintf("page of a stock ledger of %d moves over HTTP", ledgerMoves)
	rows, err := b.read(ctx, name, trips, Aim{}, Aim{Most: ledgerMost}, func(b *bench) ([]byte, error) {
		key, err := b.makeKey()
		path := fmt.Sprintf("/products/%s/variants/%s/stock?limit=50", benchID(120, 0), benchID(121, 0))
		return head("GET", path, key, ""), err
	})
	if err != nil {
		return nil, err
	}
	for _, measure := range []func(context.Context) ([]Row, error){b.selling, b.buying} {
		more, err := measure(ctx)
		if err != nil {
			return nil, err
		}
		rows = append(rows, more...)
	}
	return rows, nil
}

// seedGoods fills the database; shelves is the number of variants that buyers want.
func (b *bench) seedGoods(ctx context.Context, moves, shelves int) error {
	return fill(ctx, b.super, map[string]int{"moves": moves, "shelves": shelves}, b.Say, "seed_goods.sql")
}

// ledgerTrips returns the product's statements for the first page.
func (b *bench) ledgerTrips(ctx context.Context) ([]trip, error) {
	return b.listen(ctx, func(db *pg.DB) error {
		sc := tenancy.Scope{
			Tenant: b.place.Business, Grants: tenancy.Grants{All: tenancy.NewFeatureSet(policy.LocationView)},
		}
		page, err := services(db, nil).Products.Moves(ctx, sc, product.MovesInput{
			ProductID: benchID(120, 0), VariantID: benchID(121, 0),
		})
		if err == nil && (len(page.Items) == 0 || page.Next == nil) {
			err = errors.New("bench: the stock ledger has no second page")
		}
		return err
	})
}

// buying measures the holds of 200 carts with one variant each, of which there are as many: at once, and one after
// another. All of them get one.
func (b *bench) buying(ctx context.Context) ([]Row, error) {
	connections, closeAll, err := clients(b.server.address, buyers)
	if err != nil {
		return nil, err
	}
	defer closeAll()
	var atOnce, queue series
	for round := range b.Rounds {
		var came [2]racing
		for i := range racesOfRound {
			n := round*racesOfRound + i
			for k := range 2 {
				way := (n + k) % 2
				requests := buys(2*n + way)
				r := racing{}
				if way == 0 {
					r = burst(connections, requests)
				} else {
					r = oneByOne(connections[0], requests)
				}
				if r.won != buyers {
					return nil, fmt.Errorf("bench: %d of %d buyers got one of as many%s", r.won, buyers, r.wrong)
				}
				if i > 0 { // the first is not counted
					came[way] = together([]racing{came[way], r})
				}
			}
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		atOnce, queue = append(atOnce, came[0].p99()), append(queue, came[1].each(buyers))
		b.Say(fmt.Sprintf("buyers %d/%d: p99 %.1f ms at once, %.1f ms for all one by one", round+1, b.Rounds,
			atOnce[round], queue[round]))
	}
	return []Row{{
		Workload: fmt.Sprintf("%d buyers of one variant at once, p99 ms over all of them one by one", buyers),
		Foyer:    atOnce.median(), Floor: queue.median(), Figure: atOnce.over(queue), Aim: Aim{Most: 1.5},
	}}, nil
}

// buys are the holds of the carts that want variant n.
func buys(n int) [][]byte {
	out := make([][]byte, buyers)
	for i := range out {
		cart := int64(n*buyers + i)
		out[i] = head("POST", "/storefront/carts/"+cartToken(1_500_000_000+cart)+"/hold", sessionToken(100_000+cart), "")
	}
	return out
}
