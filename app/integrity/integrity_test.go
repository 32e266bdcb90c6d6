package integrity_test

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/assembly"
	"foyer/app/audit"
	"foyer/app/fault"
	"foyer/app/integrity"
	"foyer/app/tenancy"
	"foyer/policy"
)

//go:embed testdata/healthy.sql
var healthy string

func id(n int) uuid.UUID { return uuid.MustParse("00000000-0000-7000-8000-" + pad(n)) }

func pad(n int) string {
	text := []byte("000000000000")
	for i := len(text) - 1; n > 0; i-- {
		text[i], n = byte('0'+n%10), n/10
	}
	return string(text)
}

var studio = id(10)

type world struct {
	*apptest.World
	t   *testing.T
	log bytes.Buffer
	s   *integrity.Service
}

func open(t *testing.T) *world {
	w := &world{World: apptest.Open(t), t: t}
	w.SQL(t, healthy)
	w.s = integrity.New(w.DB, slog.New(slog.NewJSONHandler(&w.log, nil)), assembly.Checks()...)
	return w
}

func (w *world) look() []integrity.Difference {
	w.t.Helper()
	r, err := integrity.CheckBusiness(w.t.Context(), w.DB.View(studio), assembly.Checks()...)
	if err != nil {
		w.t.Fatal(err)
	}
	return r.Differences
}

// beside are the checks that find a difference of another one, too.
var beside = map[string]string{
	"more paid of a line than it comes to": "tenders", "more taken than was due": "line_paid",
}

// Each check finds its own difference, once, and no other check does, but for those beside. Expected is the sum of the
// other rows.
func TestEachCheck(t *testing.T) {
	// claim writes a claim of room 12 or 13, or of member 14, for an occurrence.
	claim := func(n, occurrence, member, space string, from, to float64, seats int) string {
		b, _ := json.Marshal([]any{from, to, seats})
		v := strings.Split(strings.Trim(string(b), "[]"), ",")
		return `insert into claims (id, business_id, occurrence_id, member_id, space_id, starts_at, ends_at, exclusive, seats)
			values ('00000000-0000-7000-8000-` + n + `', '` + studio.String() + `', '00000000-0000-7000-8000-0000000000` + occurrence + `', ` + member + `, ` + space + `,
			'2026-06-15Z'::timestamptz + interval '1 hour' * ` + v[0] + `, '2026-06-15Z'::timestamptz + interval '1 hour' * ` + v[1] + `, ` + v[2] + ` = 0, ` + v[2] + `);`
	}
	room := func(n int) string { return "'" + id(n).String() + "'" }
	const books = "alter table ledger_postings disable trigger user; alter table ledger_entries disable trigger user; "
	// handBack refunds payment 170, also in the books.
	handBack := func(n, amount int) string {
		return fmt.Sprintf(`insert into refunds (id, business_id, tender_id, amount, fee_amount, state, reason, parts,
			actor_kind,
					created_at, updated_at)
				select '%[1]s', t.business_id, t.id, %[2]d, 0, 'succeeded', 'requested',
					jsonb_build_array(jsonb_build_object('line', a.line_id, 'account', a.account, 'amount', %[2]d)), 'system',
					t.created_at, t.created_at
				from order_tenders t join tender_parts a on a.tender_id = t.id where t.id = %[3]s;
			with e as (
				insert into ledger_entries (id, business_id, location_id, source_kind, source_id, event, currency, occurred_at, local_date, size, created_at)
				select '%[1]s', business_id, location_id, 'manual_payment', '%[1]s', 'refund', currency, occurred_at, local_date, size, created_at
				from ledger_entries where id = %[4]s
			)
			insert into ledger_postings (business_id, entry_id, seq, account_id, currency, local_date, amount)
				select business_id, '%[1]s', seq, account_id, currency, local_date, case seq when 0 then -%[2]d else %[2]d end from ledger_postings where entry_id = %[4]s;`,
			id(n), amount, room(170), room(163))
	}
	category := "insert into revenue_categories (id, business_id, name, created_at, updated_at) values (" +
		room(190) + ", " + "'" + studio.String() + "', 'Workshops', '2026-06-15Z', '2026-06-15Z'); "
	const shared = "alter table claims drop constraint claims_space_once;"
	for _, c := range []struct {
		name, sql, check, record string
		id                       uuid.UUID
		expected, found          string
	}{
		{"too few taken", "update occurrences set taken = 5 where id = " + room(40), "seats", "occurrences", id(40), "6 taken, 3 of them online", "5 taken, 3 of them online"},
		{"too few online", "update occurrences set taken_online = 2 where id = " + room(40), "seats", "occurrences", id(40), "6 taken, 3 of them online", "6 taken, 2 of them online"},
		{"a party that counts as one", "update bookings set party = 1 where id = " + room(102), "seats", "occurrences", id(40), "5 taken, 3 of them online", "6 taken, 3 of them online"},
		{"oversold", "alter table occurrences drop constraint occurrences_offered; update occurrences set capacity = 7, online_capacity = 7 where id = " + room(40),
			"capacity", "occurrences", id(40), "at most 7", "6 taken and 2 on offer"},
		{"one customer twice", "update bookings set customer_id = " + room(62) + " where id = " + room(104), "one_seat_each", "occurrences", id(40), "1 booking of customer " + id(62).String(), "2"},
		{"a booking at another time", "update bookings set ends_at = ends_at + interval '1 minute' where id = " + room(107), "times", "bookings", id(107), "", ""},
		{"a seat of a cancelled date", "update occurrences set taken = 1 where id = " + room(41) + `;
			update occurrences set taken = 5 where id = ` + room(40) + "; update bookings set occurrence_id = " + room(41) + ", starts_at = starts_at where id = " + room(103),
			"bookings_of_cancelled", "bookings", id(103), "no seat of a cancelled date", "no_show"},
		{"booked ahead in a closed house", "update businesses set status = 'closed', closed_at = '2026-06-15T10:15:00Z'",
			"bookings_of_closed", "bookings", id(109), "none ahead of a closed business", "confirmed"},
		{"booked ahead at an archived location", "update locations set archived_at = '2026-06-15T10:15:00Z'",
			"bookings_of_archived", "bookings", id(109), "none ahead of an archived location", "confirmed"},
		{"a hold of nothing", "update holds set state = 'live' where id = " + room(82), "holds", "holds", id(82),
			"seats or items that are kept", "none"},
		{"seats kept by nobody", "update bookings set hold_id = null where id = " + room(100) + "; update holds set state = 'released' where id = " + room(80), "holds", "bookings", id(100), "a live hold", "none"},
		{"a course that is booked in part", "update offerings set enrolment = 'series' where id = " + room(20) + "; update bookings set price_amount = 0, group_id = " + room(999) +
			" where id in (" + room(104) + ", " + room(107) + ")", "courses", "bookings", id(104), "held, asked for or booked as a whole", "completed, requested by 2"},
		{"a state without a move", "update bookings set state = 'cancelled' where id = " + room(106), "moves", "bookings", id(106), "cancelled", " to held, held to late_cancelled"},
		{"a booking without moves", "delete from booking_transitions where booking_id = " + room(106), "moves", "bookings", id(106), "late_cancelled", "no move"},

		{"a class without its instructor", "delete from claims where id = " + room(50), "claims", "occurrences", id(40), "a claim of member " + id(14).String(), "none"},
		{"a claim that ends early", "update claims set ends_at = ends_at - interval '1 minute' where id = " + room(51), "claims", "occurrences", id(40), "a claim of space " + id(12).String(), "none"},
		{"a cancelled class in a room", claim("000000000059", "41", "null", room(12), 34, 35, 0), "claims", "claims", id(59), "no claim of a cancelled date", "space " + id(12).String()},
		{"a class in another room", claim("000000000059", "40", "null", room(13), 12, 13, 0), "claims", "claims", id(59), "a claim of the date's own", "space " + id(13).String()},
		{"a room twice", shared + claim("000000000059", "43", "null", room(13), 11.25, 11.75, 0), "overlaps", "claims", id(59), "", ""},
		{"a person twice", "alter table claims drop constraint claims_member_once; update occurrences set member_id = " + room(14) + " where id = " + room(43) + ";" +
			claim("000000000059", "43", room(14), "null", 10.5, 11.5, 0), "overlaps", "claims", id(59), "", ""},
		{"too many in a room", "update claims set seats = 3 where id = " + room(53), "shared_seats", "spaces", id(13), "at most 4 people", ""},

		{"too few on offer", "update occurrences set offered = 1 where id = " + room(40), "offered", "occurrences", id(40), "2 on offer", "1 on offer"},
		{"promoted for somebody else", "update waitlist_entries set booking_id = " + room(102) + " where id = " + room(142), "waitlist", "waitlist_entries", id(142),
			"a booking of customer " + id(61).String(), "of customer " + id(62).String()},
		{"waiting for a cancelled date", "update waitlist_entries set state = 'waiting' where id = " + room(143) + `;
			insert into waitlist_transitions (id, business_id, entry_id, from_state, to_state, actor_kind, surface, created_at)
			select gen_random_uuid(), business_id, id, 'closed', 'waiting', 'system', 'job', created_at from waitlist_entries where id = ` + room(143),
			"waitlist", "waitlist_entries", id(143), "closed with its date", "waiting"},
		{"an entry that did not move", "update waitlist_entries set state = 'left' where id = " + room(140), "waitlist_transitions", "waitlist_entries", id(140), "left", " to waiting"},

		{"a line that was changed", "update order_lines set listed_amount = 2001 where id = " + room(110), "order_lines",
			"orders", id(90), "2001 and 200 of tax in 1 lines", "2000 and 200 of tax"},
		{"tax of no line", "update order_lines set tax_amount = 201 where id = " + room(110), "order_lines", "orders",
			id(90), "2000 and 201 of tax", "2000 and 200 of tax"},
		{
			"an order without lines", "insert into orders (id, business_id, location_id, customer_id, receipt_hash, state, " +
				"currency, tax_mode, subtotal_amount, tax_amount, total_amount, created_at) select " + room(94) +
				", business_id, location_id, " +
				"customer_id, sha256('94'), 'void', currency, tax_mode, 500, 0, 500, created_at from orders where id = " + room(93),
			"order_lines", "orders", id(94), "0 and 0 of tax in 0 lines", "500 and 0 of tax",
		},
		{"less off its lines", "update order_lines set discount_amount = 499 where id = " + room(113), "discounts", "orders", id(93), "500 taken off", "499 off its lines, 500 by discounts"},
		{"taken off by nothing", "delete from order_discounts where order_id = " + room(93), "discounts", "orders", id(93), "500 taken off", "500 off its lines, 0 by discounts"},
		{"a discount of too many orders", "insert into orders (id, business_id, location_id, customer_id, receipt_hash, state, currency, tax_mode, subtotal_amount, discount_amount, " +
			"tax_amount, total_amount, created_at, fulfilled_at) select " + room(94) + ", business_id, location_id, " + room(69) + ", sha256('94'), state, currency, tax_mode, 500, 500, 0, 0, " +
			"created_at, fulfilled_at from orders where id = " + room(93) + "; insert into order_lines (id, business_id, order_id, booking_id, position, kind, label, listed_amount, " +
			"discount_amount, tax_amount, income_account) select " + room(114) +
			", business_id, " + room(94) + ", " + room(109) +
			", 1, kind, label, 500, 500, 0, income_account from order_lines where id = " + room(113) +
			"; insert into order_discounts (id, business_id, order_id, discount_id, position, name, amount) select gen_random_uuid(), business_id, " + room(94) +
			", discount_id, 1, 'N', 500 from order_discounts", "discounts", "discounts", id(191), "at most 1 orders", "2 orders"},
		{
			"more paid of a line than it comes to", "update tender_parts set amount = 2001 where line_id = " + room(110) +
				" and seq = 1",
			"line_paid", "orders", id(90), "at most 2200 of line 1", "2201 paid",
		},
		{"too little paid", "update payments set amount = 2100, fee_amount = 42, due_at = now() where id = " + room(120),
			"order_paid", "orders", id(90), "2200 paid by card", "2100 paid by card"},
		{
			"a card that was not captured", "update order_tenders set state = 'open', captured_at = null where id = " +
				room(174),
			"order_paid", "order_tenders", id(174), "card of an order that is fulfilled", "open",
		},
		{"sold and not booked", "update bookings set order_id = null, hold_id = null where id = " + room(101), "order_booked", "orders", id(90), "line 1 is booked with it", "confirmed with no order"},
		{"booked and not sold", "update bookings set hold_id = " + room(81) + " where id = " + room(104), "order_booked", "bookings", id(104), "a settled order", "none"},
		{"money without an outcome", "update payments set outcome = '' where id = " + room(121) + "; delete from refunds where id = " + room(131), "payments", "payments", id(121), "", "succeeded without outcome"},
		{"another fee", "update payments set fee_amount = 43 where id = " + room(122), "payments", "payments", id(122), "fee 44", "fee 43"},
		{"too much back", "update refunds set amount = 2201, due_at = now() where id = " + room(130), "refunds", "payments", id(120), "at most 2200 back, fee 44", "2201 back, fee 10"},
		{"not all back", "update refunds set amount = 2199 where id = " + room(131), "refunds", "payments", id(121), "all of 2200 back, fee 44", "2199 back, fee 44"},
		{"money of no payment back", "insert into refunds (id, business_id, payment_id, amount, fee_amount, state, reason, created_at, updated_at) select gen_random_uuid(), business_id, id, 1, 0, 'pending', 'x', created_at, created_at from payments where id = " + room(122),
			"refunds", "payments", id(122), "", "1 back, fee 0"},

		{"more taken than was due", "update orders set total_amount = 1999, subtotal_amount = 1999 where id = " + room(92) +
			"; update order_lines set listed_amount = 1999 where id = " + room(112), "tenders", "orders", id(92),
			"at most 1999 paid", "2000"},
		{"a taking for nothing", "delete from tender_parts where tender_id = " + room(170), "tenders", "order_tenders",
			id(170), "2000 in parts", "0 in parts"},
		{"a taking that is not in the books", books + "delete from ledger_postings where entry_id = " + room(163) + "; delete from ledger_entries where id = " + room(163),
			"tenders_booked", "order_tenders", id(170), "sale 2000 by cash", "none"},
		{"a taking that is in another till", books + "update ledger_postings set account_id = " + room(151) + " where seq = 0 and entry_id = " + room(163),
			"tenders_booked", "order_tenders", id(170), "sale 2000 by cash", "sale 0"},
		{"a taking that was handed back twice", handBack(171, 1500) + handBack(172, 501), "tenders", "order_tenders",
			id(170), "at most 2000 back", "2001"},
		{
			"a void without its refund", "update order_tenders set state = 'void' where id = " + room(170),
			"tenders", "order_tenders", id(170), "void, with its void", "0 voids",
		},
		{
			"a refund of other parts", handBack(171, 500) + "update refunds set parts = '[]' where id = " + room(171),
			"tenders", "refunds", id(171), "500 in parts of its tender", "0",
		},
		{"a drawer that had to have more in it", "update drawers set expected_amount = 3499, counted_amount = 3399, left_amount = 999 where id = " + room(180), "drawers", "drawers", id(180), "3500 in it", "3499 in it"},
		{"a count that is not in the books", books + "delete from ledger_postings where entry_id = " + room(166) + "; delete from ledger_entries where id = " + room(166),
			"till_booked", "drawers", id(180), "counted -100", "none"},
		{
			"another float in the books", "update drawers set found_amount = 1 where id = " + room(180),
			"till_booked", "drawers", id(180), "transfer 999", "transfer 1000",
		},
		{"change that is not in the books", books + "delete from ledger_postings where entry_id = " + room(165) + "; delete from ledger_entries where id = " + room(165),
			"till_booked", "drawer_transactions", id(181), "transfer 500", "none"},
		{"another settlement", "update settlements set fee_amount = 51 where id = " + room(183), "till_booked", "settlements", id(183), "banked -1001", "banked -1000"},
		{"credit spent by a taking in cash", books + "insert into credit_transactions (id, business_id, customer_id, " +
			"location_id, currency, kind, amount, balance, tender_id, actor_kind, created_at) " +
			"select " + room(196) + ", business_id, customer_id, location_id, currency, 'spent', -100, 400, " + room(170) + ", actor_kind, created_at from credit_transactions; update credits set balance = 400; " +
			"insert into ledger_entries select " + room(149) + ", business_id, location_id, source_kind, 'x', event, currency, occurred_at, local_date, size, created_at from ledger_entries where id = " + room(169) +
			"; insert into ledger_postings select business_id, " + room(149) + ", seq, account_id, currency, local_date, -amount / 5 from ledger_postings where entry_id = " + room(169),
			"credits", "order_tenders", id(170), "2000 of credit moved", "-100"},
		{"files of a photo that are to go", "update asset_leftovers set id = " + room(203), "photos", "assets", id(203), "kept", "its files are to go"},
		{"a document that says nothing", "update agreement_documents set copy_number = 2", "agreements", "agreement_documents", id(200), "copy 2", "none"},
		{"words that were changed", "update agreement_copies set body = 'Other words.'", "agreements", "agreement_copies", id(201), "", ""},
		{"a translation that was changed", `update agreement_copies set translations = '[{"language": "es", "body": "Otras.", "sha256": "AAAA"}]'`, "agreements", "agreement_copies", id(201), "", ""},
		{"agreed to in words that there are not", "update agreement_acceptances set language = 'es'", "agreements", "agreement_acceptances", id(202), "agreed to in es", "no such words"},
		{"signed for somebody else", "update agreement_acceptances set customer_id = " + room(62), "agreements", "agreement_acceptances", id(202),
			"a booking of customer " + id(62).String(), "of customer " + id(61).String()},
		{"credit that nobody has", books + "delete from credit_transactions; delete from credits", "credits_booked", "ledger_accounts", id(156), "0 USD of credit", "500"},
		{"half of an entry", books + "delete from ledger_postings where seq = 1 and entry_id = " + room(160), "entries", "ledger_entries", id(160),
			"2 postings that add up to 0", "1 that add up to 2200"},
		{
			"income by kind of an item with a category",
			category + "update order_lines set income_account = 'income.rc:' || " + room(190) + " where id = " + room(112),
			"income_booked", "ledger_entries", id(163), "income of a line of order " + id(92).String(), "income.class",
		},
		{
			"income of a category that no item has",
			category + books + "insert into ledger_accounts (id, business_id, code, currency, " +
				"revenue_category_id, created_at) select " + room(157) +
				", business_id, 'income.rc:' || id, 'USD', id, created_at " +
				"from revenue_categories; update ledger_postings set account_id = " + room(157) +
				" where seq = 1 and entry_id = " + room(163),
			"income_booked", "ledger_entries", id(163),
			"income of a line of order " + id(92).String(), "income.rc:" + id(190).String(),
		},
		{"a sale that is not in the books", books + "delete from ledger_postings where entry_id = " + room(160) + "; delete from ledger_entries where id = " + room(160),
			"sales_booked", "payments", id(120), "a sale of 2200", "none"},
		{"a sale of no payment", "update payments set status = 'failed', outcome = '' where id = " + room(121) + "; update orders set state = 'void', fulfilled_at = null where id = " + room(91) +
			"; delete from refunds where id = " + room(131), "sales_booked", "ledger_entries", id(161), "a payment of 2200", "none"},
		{"a refund that is not in the books", "update refunds set balance_transaction = 'txn_1' where id = " + room(131),
			"refunds_booked", "refunds", id(131), "2200 that left", "none"},
		{"a refund that did not come again", "update refunds set state = 'failed', balance_transaction = 'txn_1' where id = " + room(130),
			"refunds_booked", "refunds", id(130), "500 that came again", "none"},
		{"fees that are not in the books", "update payments set balance_transaction = 'txn_1', processor_fee = 94 where id = " + room(120),
			"fees_booked", "payments", id(120), "94 of it for the processor", "0"},
		{"a balance that nobody posted", "insert into ledger_snapshots (business_id, account_id, date, balance) select business_id, id, '2026-06-16', 5 from ledger_accounts where id = " + room(150),
			"snapshots", "ledger_accounts", id(150), "3900 on 2026-06-16", "5 kept"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			w := open(t)
			if d := w.look(); len(d) != 0 {
				t.Fatalf("healthy: %+v", d)
			}
			w.SQL(t, c.sql)
			found := slices.DeleteFunc(w.look(), func(d integrity.Difference) bool { return d.Check == beside[c.name] })
			if len(found) != 1 {
				t.Fatalf("%d differences: %+v", len(found), found)
			}
			d := found[0]
			if d.Check != c.check || d.Record != c.record || d.RecordID != c.id || !strings.HasPrefix(d.Expected, c.expected) ||
				!strings.HasPrefix(d.Found, c.found) || d.Expected == d.Found || d.Expected == "" || d.Found == "" {
				t.Errorf("%+v", d)
			}
			if !slices.Contains(integrity.Names(assembly.Checks()...), d.Check) {
				t.Errorf("%s is not a check", d.Check)
			}
		})
	}
}

// The seals of the audit log are a check among the others.
func TestSealsAreChecked(t *testing.T) {
	w := open(t)
	w.Clock.Set(time.Date(2026, 6, 16, 0, 0, 0, 0, time.UTC))
	w.SQL(t, "update audit_events set at = '2026-06-15Z'")
	if err := audit.New(w.DB).Seal(t.Context()); err != nil {
		t.Fatal(err)
	}
	if d := w.look(); len(d) != 0 {
		t.Fatalf("%+v", d)
	}
	w.SQL(t, "update audit_events set actor_name = 'Eve' where record = 'orders'")
	if d := w.look(); len(d) != 1 || d[0].Check != "audit_seals" {
		t.Errorf("%+v", d)
	}
}

// The answer is about the caller's own business, requires business.manage, and takes two trips.
func TestCheck(t *testing.T) {
	w := open(t)
	w.SQL(t, "update occurrences set taken = 5 where id = $1", id(40))
	sc := tenancy.Scope{Tenant: studio, Grants: tenancy.Grants{All: tenancy.NewFeatureSet(policy.BusinessManage)}}
	var r integrity.Report
	var err error
	if trips := w.Statements(func() { r, err = w.s.Check(t.Context(), sc) }); trips != 2 {
		t.Errorf("%d trips", trips)
	}
	if err != nil || len(r.Differences) != 1 || !r.CheckedAt.Equal(w.Clock.Now()) {
		t.Errorf("%+v, %v", r, err)
	}
	sc.Tenant = uuid.New()
	if r, err = w.s.Check(t.Context(), sc); err != nil || r.Differences == nil || len(r.Differences) != 0 {
		t.Errorf("another business: %+v, %v", r, err)
	}
	sc.Grants.All = tenancy.NewFeatureSet(policy.AuditView)
	if _, err = w.s.Check(t.Context(), sc); !fault.IsKind(err, fault.Forbidden) {
		t.Errorf("without business.manage: %v", err)
	}
}

// Each night each business has one report, and differences are logged as errors.
func TestNightly(t *testing.T) {
	w := open(t)
	reports := func() string {
		return apptest.Value[string](t, w.World, `select coalesce(string_agg(jsonb_array_length(differences)::text, ' ' order by created_at, id), '')
			from integrity_reports`)
	}
	night := time.Date(2026, 6, 16, 2, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		at   time.Time
		sql  string
		want string
	}{
		{night.Add(-time.Second), "", ""},
		{night, "", "0"},
		{night.Add(3 * time.Hour), "update occurrences set taken = 5 where taken = 6", "0"},
		{night.Add(4 * time.Hour), "", "0"},
		{night.Add(24 * time.Hour), "", "0 1"},
		{night.Add(100 * 24 * time.Hour), "", "1"},
	} {
		w.Clock.Set(c.at)
		if c.sql != "" {
			w.SQL(t, c.sql)
		}
		if err := w.s.Nightly(t.Context()); err != nil {
			t.Fatal(err)
		}
		if got := reports(); got != c.want {
			t.Errorf("%v: reports %q, want %q", c.at, got, c.want)
		}
	}
	if log := w.log.String(); strings.Count(log, `"level":"ERROR"`) != 2 || !strings.Contains(log, id(40).String()) {
		t.Errorf("%s", log)
	}
}
