package product_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/business"
	"foyer/app/catalog"
	"foyer/app/fault"
	"foyer/app/paging"
	"foyer/app/pg"
	"foyer/app/product"
	"foyer/policy"
)

// Every move is in the ledger, the latest first, with the stock after it. A93.
func TestA93_StockLedger(t *testing.T) {
	s := open(t)
	_, variants := s.product(t, "Mat", 0)
	v, annex := variants[0], s.AddLocation(t, "Annex")
	ctx := t.Context()
	s.receive(t, v, 10)
	_, err := s.Adjust(ctx, s.Owner, product.AdjustInput{StockInput: s.at(v), Quantity: -2, Reason: "Torn in class"})
	must(t, 0, err)
	got, err := s.Transfer(ctx, s.Owner, product.TransferInput{StockInput: s.at(v), To: annex.ID, Quantity: 3})
	must(t, got, err)
	if len(got.Moves) != 2 || *got.Moves[0].TransferID != *got.Moves[1].TransferID ||
		got.Moves[1].LocationID != annex.ID ||
		got.Levels[0].OnHand != 5 || got.Levels[1].OnHand != 3 || got.Moves[1].Number != 1 {
		t.Errorf("transferred: %+v", got)
	}
	_, err = s.Count(ctx, s.Owner, product.CountInput{StockInput: s.at(v), Counted: 6, Note: "Shelf"})
	must(t, 0, err)
	want := []string{"count +1: 6", "transfer_in +3: 3", "transfer_out -3: 5", "adjust -2: 8", "receive +10: 10"}
	if got := s.ledger(t, v); !slices.Equal(sorted(got), sorted(want)) || got[0] != want[0] || got[4] != want[4] {
		t.Errorf("ledger: %q, want %q", got, want)
	}
	in := product.MovesInput{ProductID: v.ProductID, VariantID: v.ID, In: paging.In[paging.Moment]{Limit: 2}}
	var ids []uuid.UUID
	for {
		page, err := s.Moves(ctx, s.Owner, in)
		must(t, page, err)
		for _, m := range page.Items {
			ids = append(ids, m.ID)
		}
		if in.After = page.Next; in.After == nil {
			break
		}
	}
	if n := len(slices.Compact(slices.Clone(ids))); n != 5 || len(ids) != 5 {
		t.Errorf("%d moves on pages of two, want 5", n)
	}
	page, err := s.Moves(ctx, s.Owner, product.MovesInput{ProductID: v.ProductID, VariantID: v.ID, LocationID: annex.ID})
	if must(t, page, err); len(page.Items) != 1 || page.Items[0].ActorName != s.Owner.Actor.Name {
		t.Errorf("at the annex: %+v", page.Items)
	}
	page, err = s.Moves(ctx, s.Holding(annex.ID, policy.LocationView),
		product.MovesInput{ProductID: v.ProductID, VariantID: v.ID})
	if must(t, page, err); len(page.Items) != 1 {
		t.Errorf("the annex's team sees %+v", page.Items)
	}
	_, err = s.Moves(ctx, s.Owner, product.MovesInput{ProductID: pg.NewID(), VariantID: v.ID})
	apptest.Refused(t, err, fault.NotFound)
	s.w.CheckBooks(t)
}

func sorted(list []string) []string {
	return slices.Sorted(slices.Values(list))
}

// A count is the difference to what was there when it was counted: what was sold or received meanwhile stays so.
func TestCountMeanwhile(t *testing.T) {
	s := open(t)
	_, variants := s.product(t, "Mat", 10)
	v := variants[0]
	ada := s.Customer(t, "Ada")
	token := s.cart(t, 2, v)
	s.hold(t, ada, token)
	p := s.pay(t, ada, token, 2400)
	s.PayCard(t, p.ClientSecret, apptest.CardGood)
	s.confirm(t, ada, token)
	s.receive(t, v, 5)
	s.hasStock(t, "after both", v, "13 on hand, 0 held")
	before := 1 // there were 10, and 9 of them were counted
	_, err := s.Count(t.Context(), s.Owner, product.CountInput{StockInput: s.at(v), Counted: 9, LastNumber: &before})
	must(t, 0, err)
	s.hasStock(t, "counted as of before", v, "12 on hand, 0 held")
	_, err = s.Count(t.Context(), s.Owner, product.CountInput{StockInput: s.at(v), Counted: 12})
	must(t, 0, err)
	if got := s.ledger(t, v); got[0] != "count +0: 12" || got[1] != "count -1: 12" {
		t.Errorf("ledger: %q", got)
	}
	never, none := 6, 0
	_, err = s.Count(t.Context(), s.Owner, product.CountInput{StockInput: s.at(v), Counted: 1, LastNumber: &never})
	wrong(t, "a move to come", err, "lastNumber")
	annex := s.AddLocation(t, "Annex")
	_, err = s.Count(t.Context(), s.Owner,
		product.CountInput{StockInput: s.at(v, annex.ID), Counted: 4, LastNumber: &none})
	must(t, 0, err)
	s.check(t)
}

// What is not there cannot be taken, and what is held for a customer cannot either.
func TestStockShort(t *testing.T) {
	s := open(t)
	_, variants := s.product(t, "Mat", 5)
	v, annex := variants[0], s.AddLocation(t, "Annex")
	s.hold(t, s.Customer(t, "Ada"), s.cart(t, 2, v))
	s.hasStock(t, "held", v, "5 on hand, 2 held")
	ctx := t.Context()
	for what, take := range map[string]func() error{
		"adjusted": func() error {
			_, err := s.Adjust(ctx, s.Owner, product.AdjustInput{StockInput: s.at(v), Quantity: -4, Reason: "Broken"})
			return err
		},
		"transferred": func() error {
			_, err := s.Transfer(ctx, s.Owner, product.TransferInput{StockInput: s.at(v), To: annex.ID, Quantity: 4})
			return err
		},
		"counted": func() error {
			_, err := s.Count(ctx, s.Owner, product.CountInput{StockInput: s.at(v), Counted: 1})
			return err
		},
	} {
		refused(t, what, take(), product.ErrShort)
	}
	s.hasStock(t, "refused", v, "5 on hand, 2 held")
	_, err := s.Adjust(ctx, s.Owner, product.AdjustInput{StockInput: s.at(v), Quantity: -3, Reason: "Broken"})
	must(t, 0, err)
	below := true
	_, err = s.edit(t, v, func(in *product.UpdateVariantInput) { in.BelowZero = &below })
	must(t, 0, err)
	_, err = s.Adjust(ctx, s.Owner, product.AdjustInput{StockInput: s.at(v), Quantity: -3, Reason: "Broken"})
	must(t, 0, err)
	s.hasStock(t, "below zero", v, "-1 on hand, 2 held")
	below = false
	_, err = s.edit(t, v, func(in *product.UpdateVariantInput) { in.BelowZero = &below })
	refused(t, "not below zero any more", err, product.ErrShort)
	s.receive(t, v, 3)
	_, err = s.edit(t, v, func(in *product.UpdateVariantInput) { in.BelowZero = &below })
	must(t, 0, err)
	s.w.CheckBooks(t)
}

// Each wrong move has its reason.
func TestStockRefused(t *testing.T) {
	s := open(t)
	p, variants := s.product(t, "Mat", 5)
	v, ctx := variants[0], t.Context()
	annex := s.AddLocation(t, "Annex")
	abroad := s.AddLocation(t, "Berlin", func(l *business.LocationInput) { l.Currency = "EUR" })
	receive := func(in product.StockInput, n int) error {
		_, err := s.Receive(ctx, s.Owner, product.ReceiveInput{StockInput: in, Quantity: n})
		return err
	}
	transfer := func(to uuid.UUID, n int) error {
		_, err := s.Transfer(ctx, s.Owner, product.TransferInput{StockInput: s.at(v), To: to, Quantity: n})
		return err
	}
	for _, n := range []int{0, -1, 100_000} {
		wrong(t, fmt.Sprint("received ", n), receive(s.at(v), n), "quantity")
		wrong(t, fmt.Sprint("transferred ", n), transfer(annex.ID, n), "quantity")
	}
	for _, n := range []int{-1, 1_000_000} {
		_, err := s.Count(ctx, s.Owner, product.CountInput{StockInput: s.at(v), Counted: n})
		wrong(t, fmt.Sprint("counted ", n), err, "quantity")
	}
	adjustments := []product.AdjustInput{{Quantity: 0, Reason: "?"}, {Quantity: 1}, {Quantity: -100_000, Reason: "?"}}
	for _, in := range adjustments {
		in.StockInput = s.at(v)
		field := "quantity"
		if in.Reason == "" {
			field = "reason"
		}
		_, err := s.Adjust(ctx, s.Owner, in)
		wrong(t, fmt.Sprintf("adjusted %+v", in), err, field)
	}
	wrong(t, "transferred to the same place", transfer(s.Location.ID, 1), "toLocationId")
	refused(t, "transferred to another currency", transfer(abroad.ID, 1), product.ErrOtherCurrency)
	refused(t, "received at another currency", receive(s.at(v, abroad.ID), 1), product.ErrOtherCurrency)
	apptest.Refused(t, transfer(s.w.Studio(t).Location.ID, 1), fault.NotFound)
	apptest.Refused(t, receive(s.at(v, pg.NewID()), 1), fault.NotFound)
	other := s.at(v)
	other.ProductID = pg.NewID()
	apptest.Refused(t, receive(other, 1), fault.NotFound)
	for range 10 {
		must(t, 0, receive(s.at(v), product.QuantityMax))
	}
	refused(t, "more than a place has room for", receive(s.at(v), product.QuantityMax), product.ErrFull)
	s.w.SQL(t, "update locations set archived_at = now() where id = $1", annex.ID)
	refused(t, "to an archived place", transfer(annex.ID, 1), catalog.ErrLocationArchived)
	water, err := s.Create(ctx, s.Owner, product.CreateInput{Name: "Water"})
	must(t, water, err)
	untracked := s.variant(t, product.CreateVariantInput{ProductID: water.ID})
	refused(t, "not tracked", receive(s.at(untracked), 1), product.ErrUntracked)
	_, err = s.Archive(ctx, s.Owner, p.ID)
	must(t, 0, err)
	refused(t, "of an archived product", receive(s.at(v), 1), product.ErrVariantArchived)
	_, err = s.Count(ctx, s.Owner, product.CountInput{StockInput: s.at(v), Counted: 0})
	must(t, 0, err)
	s.w.CheckBooks(t)
}

// The limited form of stock.manage receives; the full one, at the location, does all of it.
func TestStockRights(t *testing.T) {
	s := open(t)
	_, variants := s.product(t, "Mat", 9)
	v, annex, ctx := variants[0], s.AddLocation(t, "Annex"), t.Context()
	desk := s.Join(t, "desk@example.com", apptest.At(policy.FrontDesk, s.Location.ID))
	manager := s.Join(t, "manager@example.com", apptest.At(policy.Manager, s.Location.ID))
	_, err := s.Receive(ctx, desk, product.ReceiveInput{StockInput: s.at(v), Quantity: 1})
	must(t, 0, err)
	adjust := product.AdjustInput{StockInput: s.at(v), Quantity: -1, Reason: "Broken"}
	_, err = s.Adjust(ctx, desk, adjust)
	refused(t, "the front desk adjusts", err, policy.ErrMissingFeature)
	_, err = s.Count(ctx, desk, product.CountInput{StockInput: s.at(v), Counted: 1})
	refused(t, "the front desk counts", err, policy.ErrMissingFeature)
	_, err = s.Transfer(ctx, desk, product.TransferInput{StockInput: s.at(v), To: annex.ID, Quantity: 1})
	refused(t, "the front desk transfers", err, policy.ErrMissingFeature)
	_, err = s.Receive(ctx, desk, product.ReceiveInput{StockInput: s.at(v, annex.ID), Quantity: 1})
	refused(t, "the front desk receives elsewhere", err, policy.ErrMissingFeature)
	_, err = s.Adjust(ctx, manager, adjust)
	must(t, 0, err)
	_, err = s.Transfer(ctx, manager, product.TransferInput{StockInput: s.at(v), To: annex.ID, Quantity: 1})
	refused(t, "a manager of one location transfers to another", err, policy.ErrMissingFeature)
	_, err = s.Receive(ctx, s.Holding(s.Location.ID, policy.CatalogManage),
		product.ReceiveInput{StockInput: s.at(v), Quantity: 1})
	refused(t, "without the feature", err, policy.ErrMissingFeature)
	s.hasStock(t, "afterwards", v, "9 on hand, 0 held")
}
