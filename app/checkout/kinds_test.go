package checkout_test

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/booking"
	"foyer/app/catalog"
	"foyer/app/checkout"
	"foyer/app/fault"
	"foyer/app/order"
	"foyer/app/pg"
	"foyer/app/sales"
	"foyer/billing/ledger"
)

// A kind that only this test knows: a note is a line of text with a price, of which there are so many. Its tables, and
// the kind in the checks of carts and orders, are what the migration of a domain would add.
const noteSchema = `
	create table practice_notes (id uuid primary key, text text not null, amount bigint not null, stock int not null,
		held int not null default 0, sold int not null default 0, check (held >= 0 and held <= stock));
	create table practice_kept (item_id uuid primary key, note_id uuid not null, quantity int not null);
	grant select, insert, update, delete on practice_notes, practice_kept to foyer_app, foyer_job;
	alter table cart_items drop constraint cart_items_kind;
	alter table order_lines drop constraint order_lines_kind;`

// notes sells notes.
type notes struct{}

func (notes) Quote(b *pg.Batch, r pg.Reader, items []*order.CartItem) func() {
	type row struct {
		ID     uuid.UUID
		Text   string
		Amount int64
		Left   int
	}
	var rows []row
	pg.QueueAll(b, &rows, `select id, text, amount, stock - held as "left" from practice_notes where id = any($1)`,
		subjects(items))
	return func() {
		for _, it := range items {
			i := slices.IndexFunc(rows, func(n row) bool { return n.ID == it.Subject })
			if i < 0 {
				it.Problem = fault.Missing()
				continue
			}
			it.Name, it.Income = rows[i].Text, ledger.Account("income.class")
			if it.ListedAmount = rows[i].Amount * int64(it.Quantity); rows[i].Left < it.Quantity {
				it.Problem = order.ErrSoldOut
			}
		}
	}
}

func subjects(items []*order.CartItem) (out []uuid.UUID) {
	for _, it := range items {
		out = append(out, it.Subject)
	}
	return out
}

func (notes) Reserve(b *pg.Batch, _ *pg.Tx, items []*order.CartItem) func() error {
	ids, quantities := make([]uuid.UUID, len(items)), make([]int, len(items))
	for i, it := range items {
		ids[i], quantities[i] = it.ID, it.Quantity
	}
	var enough bool
	var found bool
	pg.QueueExec(b, `select id from practice_notes where id = any($1) order by id for no key update`, subjects(items))
	pg.QueueOne(b, &enough, &found, `with asked as (
			select * from unnest($1::uuid[], $2::uuid[], $3::int[]) as a (item, note, quantity)
			where not exists (select from practice_kept k where k.item_id = a.item)
		), need as (
			select note, sum(quantity)::int as quantity from asked group by note
		), ok as (
			select not exists (select from need join practice_notes n on n.id = need.note
				where n.stock - n.held < need.quantity) as yes
		), held as (
			update practice_notes n set held = n.held + need.quantity from need, ok where n.id = need.note and ok.yes
		), kept as (
			insert into practice_kept select item, note, quantity from asked, ok where ok.yes
		)
		select yes from ok`, ids, subjects(items), quantities)
	return func() error {
		if !enough {
			return order.ErrSoldOut
		}
		return nil
	}
}

func (notes) Release(b *pg.Batch, _ *pg.Tx, items []uuid.UUID) {
	pg.QueueExec(b, `with freed as (delete from practice_kept where item_id = any($1) returning note_id, quantity)
		update practice_notes n set held = n.held - f.quantity
		from (select note_id, sum(quantity)::int as quantity from freed group by 1) f where n.id = f.note_id`, items)
}

func (notes) Fulfil(b *pg.Batch, _ *pg.Tx, sale order.Sale) {
	var items []uuid.UUID
	for _, l := range sale.Lines {
		items = append(items, l.CartItemID)
	}
	pg.QueueExec(b, `with gone as (delete from practice_kept where item_id = any($1) returning note_id, quantity)
		update practice_notes n set held = n.held - g.quantity, stock = n.stock - g.quantity, sold = n.sold + g.quantity
		from (select note_id, sum(quantity)::int as quantity from gone group by 1) g where n.id = g.note_id`, items)
}

// Sell is Reserve and Fulfil at once.
func (notes) Sell(b *pg.Batch, _ *pg.Tx, sale order.Sale) func() error {
	ids, quantities := make([]uuid.UUID, len(sale.Lines)), make([]int, len(sale.Lines))
	for i, l := range sale.Lines {
		ids[i], quantities[i] = l.Subject, l.Quantity
	}
	var enough, found bool
	pg.QueueExec(b, `select id from practice_notes where id = any($1) order by id for no key update`, ids)
	pg.QueueOne(b, &enough, &found, `with need as (
			select note, sum(quantity)::int as quantity from unnest($1::uuid[], $2::int[]) as a (note, quantity) group by note
		), ok as (
			select not exists (select from need join practice_notes n on n.id = need.note
				where n.stock - n.held < need.quantity) as yes
		), sold as (
			update practice_notes n set stock = n.stock - need.quantity, sold = n.sold + need.quantity
			from need, ok where n.id = need.note and ok.yes
		)
		select yes from ok`, ids, quantities)
	return func() error {
		if !enough {
			return order.ErrSoldOut
		}
		return nil
	}
}

// LockReturn refuses more than ten notes at once: a kind may have terms of its own.
func (notes) LockReturn(_ *pg.Batch, _ *pg.Tx, back order.Return) func() error {
	return func() error {
		for _, l := range back.Lines {
			if l.Quantity > 10 {
				return errManyNotes
			}
		}
		return nil
	}
}

var errManyNotes = fault.New(fault.Conflict, "many_notes", "Return at most ten notes at once.")

func (notes) Return(b *pg.Batch, _ *pg.Tx, back order.Return) {
	for _, l := range back.Lines {
		if l.Restock {
			pg.QueueExec(b, `update practice_notes set stock = stock + $2, sold = sold - $2 where id = $1`,
				l.Subject, l.Quantity)
		}
	}
}

const note order.Kind = "note"

// withNotes is a studio that also sells notes, and one of them.
func withNotes(t testing.TB, amount int64, stock int) (shop, uuid.UUID) {
	t.Helper()
	s := open(t)
	s.w.SQL(t, noteSchema)
	s.Orders.Sellers()[note] = notes{}
	id := pg.NewID()
	s.w.SQL(t, "insert into practice_notes values ($1, 'A kind note', $2, $3)", id, amount, stock)
	return s, id
}

// addNote puts notes into a cart.
func (s shop) addNote(t testing.TB, token string, id uuid.UUID, quantity int) checkout.Cart {
	t.Helper()
	it := order.CartItem{Kind: note, Subject: id, Quantity: quantity}
	c, err := s.Checkout.AddNonSeat(t.Context(), s.Visitor(), token, it)
	return must(t, c, err)
}

// counted is the stock of the notes, how many of them are held, and how many were sold.
func (s shop) counted(t testing.TB) string {
	t.Helper()
	return apptest.Value[string](t, s.w, `select string_agg(
		stock || ' left, ' || held || ' held, ' || sold || ' sold', '; ')
		from practice_notes`)
}

func (s shop) hasCount(t testing.TB, when, want string) {
	t.Helper()
	if got := s.counted(t); got != want {
		t.Errorf("%s: %s, want %s", when, got, want)
	}
}

// A class and two notes are held, paid and handed out together; a receipt and a mail name both.
func TestOtherKind(t *testing.T) {
	s, id := withNotes(t, 450, 5)
	o := s.class(t, 2200, 1)
	ada := s.Customer(t, "Ada")
	token := s.Fill(t, o)
	c := s.addNote(t, token, id, 2)
	if len(c.Lines) != 2 || c.Lines[1].Name != "A kind note" || c.Lines[1].TotalAmount != 900 ||
		c.Totals.TotalAmount != 3100 ||
		c.AtStudio != nil {
		t.Fatalf("cart: %+v", c)
	}
	s.hasCount(t, "in the cart", "5 left, 0 held, 0 sold")
	s.hold(t, ada, token)
	s.hasCount(t, "held", "5 left, 2 held, 0 sold")
	s.w.CheckBooks(t)
	if again := s.hold(t, ada, token); len(again.Seats) != 1 {
		t.Errorf("held again: %+v", again)
	}
	s.hasCount(t, "held again", "5 left, 2 held, 0 sold")
	p := s.pay(t, ada, token, 3100)
	s.PayCard(t, p.ClientSecret, apptest.CardGood)
	got := s.confirm(t, ada, token)
	s.hasCount(t, "sold", "3 left, 0 held, 2 sold")
	if n := len(got.Lines); n != 2 || got.Lines[1].Kind != note || got.Lines[1].Quantity != 2 ||
		got.Lines[1].Label != "A kind note" ||
		got.Lines[1].ListedAmount != 900 || got.Lines[1].CardAmount != 900 || got.Lines[1].BookingID != uuid.Nil {
		t.Errorf("receipt: %+v", got.Lines)
	}
	s.check(t)
}

// Only seats can be paid at the studio: a note is paid now, with a class or alone, also where the policy of the
// location allows payment at the studio.
func TestOtherKindNotAtStudio(t *testing.T) {
	s, id := withNotes(t, 450, 5)
	s.SetPolicy(t, s.AddPolicy(t, func(r *catalog.Rules) { r.PayAtStudio = true }))
	o := s.class(t, 2200, 2)
	ada := s.Customer(t, "Ada")
	seats := s.Fill(t, o)
	if c := s.cart(t, seats); c.AtStudio == nil {
		t.Fatalf("a class cannot be paid at the studio: %+v", c)
	}
	for name, token := range map[string]string{"with a class": seats, "alone": s.Fill(t)} {
		s.addNote(t, token, id, 1)
		s.hold(t, ada, token)
		c := s.cart(t, token)
		if c.AtStudio != nil {
			t.Errorf("%s: can be paid at the studio: %+v", name, c.AtStudio)
		}
		_, err := s.Checkout.BookAtStudio(t.Context(), ada, token, c.Totals.TotalAmount)
		refused(t, name, err, checkout.ErrNotAtStudio)
	}
	s.hasCount(t, "refused", "5 left, 2 held, 0 sold")
}

// A kind is sold at the desk without a hold, and returned on its own terms.
func TestOtherKindAtDesk(t *testing.T) {
	s, id := withNotes(t, 100, 15)
	sell := func(n int) error {
		return pg.Do(t.Context(), s.w.DB, s.Business.ID, func(tx *pg.Tx) error {
			return s.Orders.SellTx(t.Context(), tx, order.Sale{
				Location: s.Location.ID, Lines: []order.SoldItem{{LineID: pg.NewID(), Kind: note, Subject: id, Quantity: n}},
			})
		})
	}
	refused(t, "sixteen of fifteen", sell(16), order.ErrSoldOut)
	must(t, 0, sell(3))
	s.hasCount(t, "sold at the desk", "12 left, 0 held, 3 sold")
	ada := s.Customer(t, "Ada")
	token := s.Fill(t)
	s.addNote(t, token, id, 12)
	s.hold(t, ada, token)
	p := s.pay(t, ada, token, 1200)
	s.PayCard(t, p.ClientSecret, apptest.CardGood)
	got := s.confirm(t, ada, token)
	s.jobs(t)
	line := apptest.Value[uuid.UUID](t, s.w, "select id from order_lines where order_id = $1", got.OrderID)
	give := func(n int) error {
		_, err := s.Services.Sales.Return(t.Context(), s.Owner, sales.ReturnInput{
			OrderID: got.OrderID, Refund: true, Lines: []sales.ReturnLine{{LineID: line, Quantity: n, Restock: true}},
		})
		return err
	}
	refused(t, "eleven at once", give(11), errManyNotes)
	must(t, 0, give(10))
	s.hasCount(t, "returned", "10 left, 0 held, 5 sold")
	s.check(t)
	if n := s.Refunded(t); n != 1000 {
		t.Errorf("%d refunded", n)
	}
}

// A cart of other kinds alone has a hold without seats, and goes the same way: paid, or for nothing.
func TestOtherKindAlone(t *testing.T) {
	for _, amount := range []int64{700, 0} {
		s, id := withNotes(t, amount, 3)
		ada := s.Customer(t, "Ada")
		token := s.Fill(t)
		s.addNote(t, token, id, 3)
		if h := s.hold(t, ada, token); len(h.Seats) != 0 || h.ID == uuid.Nil {
			t.Fatalf("hold: %+v", h)
		}
		s.w.CheckBooks(t)
		if amount > 0 {
			p := s.pay(t, ada, token, 3*amount)
			s.PayCard(t, p.ClientSecret, apptest.CardGood)
		}
		got := s.confirm(t, ada, token)
		if again := s.confirm(t, ada, token); again.OrderID != got.OrderID || got.State != order.Fulfilled {
			t.Errorf("confirmed again: %+v", again)
		}
		s.hasCount(t, "sold", "0 left, 0 held, 3 sold")
		s.check(t)
		if mails := s.mails(ada); !slices.Equal(mails, []string{"booked"}) {
			t.Errorf("mailed %v", mails)
		}
	}
}

// Two want the last one: the second is refused with all of its cart, until the first's hold is over.
func TestOtherKindSoldOut(t *testing.T) {
	s, id := withNotes(t, 700, 1)
	o := s.class(t, 2200, 5)
	first, second := s.Fill(t), s.Fill(t, o)
	s.addNote(t, first, id, 1)
	s.addNote(t, second, id, 1)
	ada, ben := s.Customer(t, "Ada"), s.Customer(t, "Ben")
	s.hold(t, ada, first)
	_, err := s.Checkout.Hold(t.Context(), ben, second, checkout.HoldInput{})
	refused(t, "the second", err, order.ErrSoldOut)
	if s.hasCount(t, "one of one", "1 left, 1 held, 0 sold"); s.taken(t, o) != 0 {
		t.Errorf("a seat is taken")
	}
	one := order.CartItem{Kind: note, Subject: id, Quantity: 1}
	_, err = s.Checkout.AddNonSeat(t.Context(), s.Visitor(), s.Fill(t), one)
	refused(t, "a third cart", err, order.ErrSoldOut)
	s.w.Clock.Advance(11 * time.Minute)
	s.hold(t, ben, second)
	if s.hasCount(t, "the first's hold is over", "1 left, 1 held, 0 sold"); s.taken(t, o) != 1 {
		t.Errorf("no seat is taken")
	}
	_, err = s.Checkout.Confirm(t.Context(), ada, first)
	refused(t, "the first", err, booking.ErrHoldExpired)
	s.check(t)
}

// What a hold reserves is released with its item, with the hold and by the sweep, and an abandoned cart leaves nothing.
func TestOtherKindReleased(t *testing.T) {
	s, id := withNotes(t, 700, 9)
	ada := s.Customer(t, "Ada")
	token := s.Fill(t, s.class(t, 2200, 5))
	c := s.addNote(t, token, id, 2)
	s.addNote(t, token, id, 1)
	s.hold(t, ada, token)
	s.hasCount(t, "held", "9 left, 3 held, 0 sold")
	_, err := s.Checkout.RemoveItem(t.Context(), ada, token, c.Lines[1].ItemID)
	must(t, 0, err)
	s.hasCount(t, "an item is gone", "9 left, 1 held, 0 sold")
	must(t, 0, s.Checkout.Release(t.Context(), ada, token))
	s.hasCount(t, "released", "9 left, 0 held, 0 sold")
	alone := s.Fill(t)
	c = s.addNote(t, alone, id, 4)
	s.hold(t, ada, alone)
	_, err = s.Checkout.RemoveItem(t.Context(), ada, alone, c.Lines[0].ItemID)
	must(t, 0, err)
	s.hasCount(t, "the last item is gone", "9 left, 0 held, 0 sold")
	_, err = s.Checkout.AddNonSeat(t.Context(), ada, alone, order.CartItem{Kind: note, Subject: id, Quantity: 4})
	must(t, 0, err)
	s.hold(t, ada, alone)
	s.hasCount(t, "held again", "9 left, 4 held, 0 sold")
	s.w.CheckBooks(t)
	s.w.Clock.Advance(11 * time.Minute)
	must(t, 0, errors.Join(s.Booking.ExpireDue(t.Context()), s.Checkout.ReleaseEnded(t.Context())))
	s.hasCount(t, "expired", "9 left, 0 held, 0 sold")
	s.w.CheckBooks(t)
	s.w.Clock.Advance(31 * 24 * time.Hour)
	s.forget(t)
	if got := s.traces(t); got != noTrace {
		t.Errorf("left: %s", got)
	}
}

// A payment that comes after its hold has expired hands the notes out if they are still there, and else is refunded:
// with seats and notes, all of it or nothing.
func TestOtherKindPaidLate(t *testing.T) {
	for name, gone := range map[string]string{"all there": "", "notes gone": "notes", "seats gone": "seats"} {
		t.Run(name, func(t *testing.T) {
			s, id := withNotes(t, 700, 2)
			o := s.class(t, 2200, 1)
			ada, ben := s.Customer(t, "Ada"), s.Customer(t, "Ben")
			token := s.Fill(t, o)
			s.addNote(t, token, id, 2)
			s.hold(t, ada, token)
			p := s.pay(t, ada, token, 3600)
			s.w.Clock.Advance(11 * time.Minute)
			must(t, 0, errors.Join(s.Booking.ExpireDue(t.Context()), s.Checkout.ReleaseEnded(t.Context())))
			s.hasCount(t, "expired", "2 left, 0 held, 0 sold")
			other := s.Fill(t)
			switch gone {
			case "notes":
				s.addNote(t, other, id, 1)
				s.hold(t, ben, other)
			case "seats":
				other = s.Fill(t, o)
				s.hold(t, ben, other)
			}
			s.PayCard(t, p.ClientSecret, apptest.CardGood)
			s.jobs(t)
			state, outcome := s.order(t)
			want := map[string]string{
				"": "fulfilled fulfilled, 0 left, 0 held, 2 sold", "notes": "refunded refunded, 2 left, 1 held, 0 sold",
				"seats": "refunded refunded, 2 left, 0 held, 0 sold",
			}[gone]
			if got := state + " " + outcome + ", " + s.counted(t); got != want {
				t.Errorf("%s, want %s", got, want)
			}
			if taken := s.taken(t, o); (taken == 1) != (gone != "notes") {
				t.Errorf("%d seats are taken", taken)
			}
			s.check(t)
		})
	}
}

// The price of a note that is held stays; one that rose before is a new price of the cart.
func TestOtherKindPrice(t *testing.T) {
	s, id := withNotes(t, 700, 2)
	ada := s.Customer(t, "Ada")
	token := s.Fill(t)
	s.addNote(t, token, id, 2)
	s.w.SQL(t, "update practice_notes set amount = 800")
	_, err := s.Checkout.Hold(t.Context(), ada, token, checkout.HoldInput{})
	refused(t, "a higher price", err, checkout.ErrPriceChanged)
	if detail(err, "quotedAmount") != int64(1400) || detail(err, "amount") != int64(1600) {
		t.Errorf("details: %v", err)
	}
	now := int64(1600)
	_, err = s.Checkout.Hold(t.Context(), ada, token, checkout.HoldInput{QuotedAmount: &now})
	must(t, 0, err)
	s.w.SQL(t, "update practice_notes set amount = 900")
	if c := s.cart(t, token); c.Totals.TotalAmount != 1600 || c.Lines[0].Problem != "" {
		t.Errorf("cart: %+v", c)
	}
	p := s.pay(t, ada, token, 1600)
	s.PayCard(t, p.ClientSecret, apptest.CardGood)
	if got := s.confirm(t, ada, token); got.Totals.TotalAmount != 1600 {
		t.Errorf("receipt: %+v", got.Totals)
	}
	s.check(t)
}

// A quantity is 1 to 999, an item without a seat has no attendee, and a kind has one seller.
func TestOtherKindRefused(t *testing.T) {
	s, id := withNotes(t, 700, 2000)
	token := s.Fill(t)
	for _, n := range []int{0, -1, 1000} {
		_, err := s.Checkout.AddNonSeat(t.Context(), s.Visitor(), token, order.CartItem{Kind: note, Subject: id, Quantity: n})
		if f := fault.From(err); f == nil || f.Kind != fault.Validation {
			t.Errorf("%d of them: %v", n, err)
		}
	}
	none := order.CartItem{Kind: note, Subject: pg.NewID(), Quantity: 1}
	_, err := s.Checkout.AddNonSeat(t.Context(), s.Visitor(), token, none)
	if !fault.IsKind(err, fault.NotFound) {
		t.Errorf("an unknown note: %v", err)
	}
	c := s.addNote(t, token, id, 999)
	named := checkout.UpdateItemInput{Attendee: "Ben"}
	_, err = s.Checkout.UpdateItem(t.Context(), s.Visitor(), token, c.Lines[0].ItemID, named)
	if f := fault.From(err); f == nil || f.Kind != fault.Validation {
		t.Errorf("an attendee: %v", err)
	}
	func() {
		defer func() {
			if recover() == nil {
				t.Error("a seller of seats is accepted")
			}
		}()
		new(order.Service).Connect(order.Ports{Sellers: order.Sellers{order.Class: notes{}}})
	}()
}

// The kinds of the program are those of the database.
func TestKindsOfTheDatabase(t *testing.T) {
	w := apptest.Open(t)
	for _, table := range []string{"cart_items", "order_lines"} {
		def := apptest.Value[string](t, w, `select pg_get_constraintdef(oid) from pg_constraint
			where conname = $1 || '_kind'`, table)
		for _, k := range order.Kind("").All() {
			known := strings.Contains(def, "'"+string(k)+"'")
			if sold := table == "order_lines" || k != order.Fee; known != sold {
				t.Errorf("%s: kind %s: %s", table, k, def)
			}
		}
		if n := strings.Count(def, "'") / 2; n != len(order.Kind("").All())-strings.Count(table, "cart") {
			t.Errorf("%s has other kinds: %s", table, def)
		}
	}
}
