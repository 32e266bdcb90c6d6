package order

import (
	"context"
	"time"

	"github.com/google/uuid"

	"foyer/app/pg"
	"foyer/billing/tender"
)

// InsertSQL writes an order with its lines, as they are priced now, as a part of a statement, if its table going has a
// row: later edits do not change it. Its names are those of Draft.Args. An order with tenders needs tender.InsertSQL
// beside it.
const InsertSQL = `made as (
		insert into orders (id, business_id, location_id, customer_id, cart_id, receipt_hash, state, currency, tax_mode,
			subtotal_amount, discount_amount, tax_amount, total_amount, created_at, fulfilled_at)
		select @order, @business, @location, @customer, @cart, @receipt, @state::varchar, @currency, @tax_mode,
			@subtotal, @discount, @tax, @total, @now::timestamptz,
			case when @state::varchar = 'fulfilled' then @now::timestamptz end
		from going
	), lined as (
		insert into order_lines (id, business_id, order_id, booking_id, fee_id, of_line_id, subject_id, cart_item_id,
			position, kind, quantity, label, listed_amount, discount_amount, tax_amount, non_refundable_amount,
			tax_rate_id, tax_name, tax_ppm, income_account, grant_id, "credits")
		select x.id, @business, @order, x.booking_id, x.fee_id, x.of_line_id, x.subject_id, x.cart_item_id,
			x.position, x.kind,
			x.quantity, x.label, x.listed, x.off, x.tax, x.kept, x.rate_id, x.rate_name, x.ppm, x.income,
			x.grant_id, x.credits
		from going, unnest(@lines::uuid[], @booked::uuid[], @fees::uuid[], @of_lines::uuid[], @subjects::uuid[],
			@cart_items::uuid[], @kinds::varchar[], @quantities::integer[], @labels::varchar[],
			@listed::bigint[], @offs::bigint[], @taxes::bigint[], @kept::bigint[], @rates::uuid[],
			@rate_names::varchar[], @ppms::integer[], @incomes::varchar[],
			@grants::uuid[], @credits::integer[])
			with ordinality as x (id, booking_id, fee_id, of_line_id, subject_id, cart_item_id, kind, quantity, label,
			listed, off, tax, kept, rate_id, rate_name, ppm, income, grant_id, "credits", position)
	), lowered as (
		insert into order_discounts (id, business_id, order_id, discount_id, position, name, code, amount)
		select x.id, @business, @order, x.discount_id, x.position, x.name, x.code, x.amount
		from going, unnest(@lowered::uuid[], @discounts::uuid[], @discount_names::varchar[], @codes::varchar[], @discount_amounts::bigint[])
			with ordinality as x (id, discount_id, name, code, amount, position)
	)`

// Draft is an order that is about to be written.
type Draft struct {
	ID                   uuid.UUID
	LocationID, Customer uuid.UUID
	Cart                 *uuid.UUID // nil: sold at the desk
	Receipt              []byte     // hash of its token
	State                State
	Totals               Totals
	DueAmount            int64      // of the total, to be paid at the studio
	PrepaidUntil         *time.Time // the end of the reservation of what is prepaid while a card pays the rest
	Lines                []DraftLine
}

// DraftLine is a line of a Draft, priced.
type DraftLine struct {
	Kind      Kind
	ID        uuid.UUID  // uuid.Nil: a new one
	BookingID uuid.UUID  // of a seat
	Fee       *uuid.UUID // of a fee
	// Of other kinds: what is sold, unless the seller knows it by the item of the cart.
	Subject, CartItem uuid.UUID
	Of                *uuid.UUID // the line of another order, due at the studio, that this one pays
	Quantity          int        // 0 is one
	Label             string
	Item
	TaxAmount int64
	// The part of it that is not refunded if its customer cancels in time.
	NonRefundableAmount int64
	// With a deposit: the amounts of the line paid now by card, and by each of Totals.Prepaid.
	CardAmount     int64
	PrepaidAmounts []int64
}

// Args returns the named arguments of InsertSQL, and of tender.InsertSQL if it is Tendered.
func (s Draft) Args(tx *pg.Tx) pg.Named {
	n := len(s.Lines)
	kinds, labels, names, quantities := make([]string, n), make([]string, n), make([]string, n), make([]int, n)
	listed, offs, taxes, ppms := make([]int64, n), make([]int64, n), make([]int64, n), make([]int64, n)
	kept, ids := make([]int64, n), pg.NewIDs(n)
	rates, dueFees, of := make([]*uuid.UUID, n), make([]*uuid.UUID, n), make([]*uuid.UUID, n)
	booked, incomes := make([]*uuid.UUID, n), make([]string, n)
	subjects, items := make([]*uuid.UUID, n), make([]*uuid.UUID, n)
	grants, credits := make([]*uuid.UUID, n), make([]int, n)
	for i, l := range s.Lines {
		if l.ID != uuid.Nil {
			ids[i] = l.ID
		}
		subjects[i], items[i] = pg.OrNull(l.Subject), pg.OrNull(l.CartItem)
		kinds[i], quantities[i], labels[i], incomes[i] = string(l.Kind), max(1, l.Quantity), l.Label, string(l.Income)
		booked[i], dueFees[i], of[i] = pg.OrNull(l.BookingID), l.Fee, l.Of
		listed[i], offs[i], taxes[i] = l.ListedAmount, l.DiscountedAmount, l.TaxAmount
		kept[i] = l.NonRefundableAmount
		if c := l.Cover; c != nil {
			grants[i], credits[i] = &c.GrantID, c.Credits
		}
		if t := l.Tax; t != nil {
			rates[i], names[i], ppms[i] = &t.RateID, t.Name, t.PPM
		}
	}
	t := s.Totals
	d := len(t.Discounts)
	discounts, discountNames, codes, discountAmounts := make([]uuid.UUID, d), make([]string, d), make([]string, d), make([]int64, d)
	for i, x := range t.Discounts {
		discounts[i], discountNames[i], codes[i], discountAmounts[i] = x.ID, x.Name, x.Code, x.Amount
	}
	args := pg.Named{
		"business": tx.Business(), "now": tx.Now(), "order": s.ID, "location": s.LocationID, "customer": s.Customer, "cart": s.Cart,
		"receipt": s.Receipt, "state": s.State, "currency": t.Currency, "tax_mode": t.TaxMode, "subtotal": t.SubtotalAmount, "discount": t.DiscountAmount,
		"tax": t.TaxAmount, "total": t.TotalAmount - t.ServiceFeeAmount,
		"lines": ids, "booked": booked, "fees": dueFees, "of_lines": of, "kinds": kinds, "labels": labels,
		"listed": listed, "offs": offs,
		"lowered": pg.NewIDs(d), "discounts": discounts, "discount_names": discountNames, "codes": codes, "discount_amounts": discountAmounts,
		"taxes": taxes, "kept": kept, "rates": rates, "rate_names": names, "ppms": ppms,
		"quantities": quantities, "incomes": incomes, "subjects": subjects, "cart_items": items,
		"grants": grants, "credits": credits,
	}
	if s.Tendered() {
		args = tender.Args(args, s.tenders(ids))
	}
	return args
}

// tenders returns what is paid with the order, prepaid and by card: its parts of the lines, of these ids.
func (s Draft) tenders(ids []uuid.UUID) (out []tender.Draft) {
	t := s.Totals
	card := t.TotalAmount - s.DueAmount - t.PrepaidAmount()
	rows := make([]soldPart, len(s.Lines))
	for i, l := range s.Lines {
		rows[i] = soldPart{
			LineID: ids[i], ListedAmount: l.ListedAmount, DiscountAmount: l.DiscountedAmount, TaxAmount: l.TaxAmount,
			TaxMode: t.TaxMode, OrderTaxAmount: t.TaxAmount, ServiceFeeAmount: t.ServiceFeeAmount, IncomeAccount: l.Income,
			CardAmount: l.CardAmount, PrepaidAmounts: l.PrepaidAmounts, DueAmount: s.DueAmount,
		}
		if l.Tax != nil {
			rows[i].TaxRateID, rows[i].TaxPpm = &l.Tax.RateID, l.Tax.PPM
		}
	}
	byCard, by := split(rows, t.Prepaid)
	for i, p := range t.Prepaid {
		out = append(out, tender.Draft{Kind: p.Kind, SourceID: p.SourceID, SourceLabel: p.Label, ExpiresAt: s.PrepaidUntil,
			Parts: by[i]})
	}
	if card > 0 {
		out = append(out, tender.Draft{Kind: tender.Card, ServiceFeeAmount: t.ServiceFeeAmount, Parts: byCard})
	}
	return out
}

// Items returns the lines that are sold by sellers.
func (s Draft) Items() (out []SoldItem) {
	for _, l := range s.Lines {
		if l.CartItem != uuid.Nil {
			out = append(out, SoldItem{
				LineID: l.ID, CartItemID: l.CartItem, Kind: l.Kind, Subject: l.Subject, Quantity: l.Quantity,
			})
		}
	}
	return out
}

// Tendered reports whether something is paid with the order: tender.InsertSQL writes that.
func (s Draft) Tendered() bool { return s.Totals.TotalAmount > s.DueAmount }

// Insert writes an order by itself.
func Insert(ctx context.Context, tx *pg.Tx, s Draft) error {
	sql := InsertSQL
	if s.Tendered() {
		sql += `, ` + tender.InsertSQL
	}
	_, err := tx.Exec(ctx, `with going as (select), `+sql+` select`, s.Args(tx))
	return err
}
