package bench

import (
	"testing"

	"github.com/google/uuid"

	"foyer/app/checkout"
	"foyer/app/pg"
	"foyer/app/tenancy"
)

// TestGoods: the seed of goods has a ledger with more than one page, and carts that can be held.
func TestGoods(t *testing.T) {
	b := seeded(t)
	b.Say = func(line string) { t.Log(line) }
	if err := b.seedGoods(t.Context(), 300, 2); err != nil {
		t.Fatal(err)
	}
	trips, err := b.ledgerTrips(t.Context())
	if err != nil || len(trips) != 1 {
		t.Errorf("%d trips, %v", len(trips), err)
	}
	db, err := pg.Open(t.Context(), pg.Config{URL: b.url("foyer_app")})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(db.Close)
	verbs := services(db, nil).Checkout
	for _, cart := range []int64{0, 199, 200} {
		var business uuid.UUID
		var buyer tenancy.Principal
		buyer.Kind = tenancy.ActorPerson
		err := b.super.QueryRow(t.Context(), `select bench.rush(), id, name, email from persons
			where id = bench.id(125, $1)`, cart).Scan(&business, &buyer.ID, &buyer.Name, &buyer.Email)
		if err != nil {
			t.Fatal(err)
		}
		sc := tenancy.Visitor(buyer, business, tenancy.SurfaceAPI)
		if _, err := verbs.Hold(t.Context(), sc, cartToken(1_500_000_000+cart), checkout.HoldInput{}); err != nil {
			t.Errorf("cart %d: %v", cart, err)
		}
	}
	var held int
	err = b.super.QueryRow(t.Context(), "select sum(held) from stock_levels where business_id = bench.rush()").Scan(&held)
	if err != nil || held != 3 {
		t.Errorf("%d held, %v", held, err)
	}
}
