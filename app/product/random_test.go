package product_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/google/uuid"

	"foyer/app/apptest/walks"
	"foyer/app/checkout"
	"foyer/app/order"
	"foyer/app/product"
	"foyer/app/tenancy"
)

// model is what the stock has to be.
type model struct {
	shop
	r        *rand.Rand
	variants []product.Variant
	places   []uuid.UUID
	levels   map[spot]*level
	carts    []held
}

type spot struct{ variant, location uuid.UUID }

type level struct {
	onHand, held, moves int
	after               []int // on hand after each move
	below               bool
}

// held is a cart with a live hold.
type held struct {
	who   tenancy.Scope
	token string
	at    spot
	n     int
}

// moved is a move in the model; false if it has to be refused.
func (m *model) moved(at spot, n int) bool {
	l := m.levels[at]
	if !l.below && l.onHand+n < l.held {
		return false
	}
	l.onHand, l.moves = l.onHand+n, l.moves+1
	l.after = append(l.after, l.onHand)
	return true
}

// said compares the answer of a verb with the model.
func (m *model) said(t *testing.T, what string, err error, ok bool, refusal error) {
	t.Helper()
	if ok && err != nil || !ok && !errors.Is(err, refusal) {
		t.Fatalf("%s: %v, want success %v", what, err, ok)
	}
}

func (m *model) step(t *testing.T) {
	ctx := t.Context()
	v, place := m.variants[m.r.IntN(len(m.variants))], m.places[m.r.IntN(len(m.places))]
	at, in, n := spot{v.ID, place}, m.at(v, place), 1+m.r.IntN(4)
	l := m.levels[at]
	switch m.r.IntN(8) {
	case 0:
		_, err := m.Receive(ctx, m.Owner, product.ReceiveInput{StockInput: in, Quantity: n})
		m.said(t, "receive", err, m.moved(at, n), nil)
	case 1:
		_, err := m.Adjust(ctx, m.Owner, product.AdjustInput{StockInput: in, Quantity: -n, Reason: "Broken"})
		m.said(t, "adjust", err, m.moved(at, -n), product.ErrShort)
	case 2:
		to := m.places[(1+m.r.IntN(len(m.places)-1)+index(m.places, place))%len(m.places)]
		_, err := m.Transfer(ctx, m.Owner, product.TransferInput{StockInput: in, To: to, Quantity: n})
		ok := m.moved(at, -n)
		if ok {
			m.moved(spot{v.ID, to}, n)
		}
		m.said(t, "transfer", err, ok, product.ErrShort)
	case 3:
		seen := m.r.IntN(l.moves + 1)
		then := append([]int{0}, l.after...)[seen]
		counted := max(0, then+m.r.IntN(3)-1)
		_, err := m.Count(ctx, m.Owner, product.CountInput{StockInput: in, Counted: counted, LastNumber: &seen})
		m.said(t, "count", err, m.moved(at, counted-then), product.ErrShort)
	case 4, 5:
		who := m.Customer(t, "walker")
		c, err := m.Checkout.Create(ctx, who, checkout.CreateInput{LocationID: place})
		must(t, c, err)
		_, err = m.put(t, c.Token, v, n)
		ok := l.below || l.onHand-l.held >= n
		if err == nil {
			_, err = m.Checkout.Hold(ctx, who, c.Token, checkout.HoldInput{})
		}
		m.said(t, "hold", err, ok, order.ErrSoldOut)
		if ok {
			l.held += n
			m.carts = append(m.carts, held{who, c.Token, at, n})
		}
	default:
		m.end(t)
	}
}

// end confirms a held cart, or releases it.
func (m *model) end(t *testing.T) {
	if len(m.carts) == 0 {
		return
	}
	i := m.r.IntN(len(m.carts))
	c := m.carts[i]
	m.carts = append(m.carts[:i], m.carts[i+1:]...)
	l := m.levels[c.at]
	l.held -= c.n
	if m.r.IntN(3) == 0 {
		must(t, 0, m.Checkout.Release(t.Context(), c.who, c.token))
		return
	}
	m.confirm(t, c.who, c.token)
	if !m.moved(c.at, -c.n) {
		t.Fatal("the model sold more than it had")
	}
}

func index(list []uuid.UUID, id uuid.UUID) int {
	for i := range list {
		if list[i] == id {
			return i
		}
	}
	return -1
}

// compare holds the database against the model.
func (m *model) compare(t *testing.T) {
	t.Helper()
	for _, v := range m.variants {
		page, err := m.Variants(t.Context(), m.Owner, product.VariantsInput{ProductID: v.ProductID})
		must(t, page, err)
		for _, l := range page.Items[0].Levels {
			want := m.levels[spot{v.ID, l.LocationID}]
			if l.OnHand != want.onHand || l.Held != want.held || l.LastNumber != want.moves {
				t.Fatalf("%+v, want %+v", l, *want)
			}
		}
	}
	m.w.CheckBooks(t)
}

// C4. Random moves, sales and releases of variants at three locations have the stock of a simple model after every
// step, and the ledger adds up to it: 10,000 steps in the long form.
func TestRandomStock(t *testing.T) {
	m := &model{shop: open(t), r: rand.New(rand.NewPCG(walks.Seed(t), 0)), levels: map[spot]*level{}}
	m.places = []uuid.UUID{m.Location.ID, m.AddLocation(t, "Annex").ID, m.AddLocation(t, "Barn").ID}
	for i := range 3 {
		_, variants := m.product(t, fmt.Sprint("Thing ", i), 0)
		free, below := int64(0), i == 2
		v, err := m.edit(t, variants[0], func(in *product.UpdateVariantInput) {
			in.PriceAmount, in.BelowZero = &free, &below
		})
		m.variants = append(m.variants, must(t, v, err))
		for _, place := range m.places {
			m.levels[spot{v.ID, place}] = &level{below: below}
			_, err := m.Count(t.Context(), m.Owner, product.CountInput{StockInput: m.at(v, place)})
			must(t, 0, err)
			m.moved(spot{v.ID, place}, 0)
		}
	}
	for n := range walks.Steps(150, 10_000) {
		m.step(t)
		if n%100 == 99 {
			m.compare(t)
			m.w.Clock.Advance(20 * time.Second)
		}
		if n%1000 == 999 { // before a hold ends
			for len(m.carts) > 0 {
				m.end(t)
			}
		}
	}
	m.compare(t)
}
