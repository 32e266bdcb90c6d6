package bench

import (
	"context"
	_ "embed"
	"fmt"
	"os"
	"sync/atomic"

	"github.com/google/uuid"

	"foyer/app/owed"
	"foyer/app/tenancy"
	"foyer/billing/tender"
	"foyer/policy"
)

// The least floor of a sale are the statements that it needs, written by hand in sale.sql, once. It runs on the same
// tables with their constraints, keys, indexes, policies and triggers, as foyer_app, and commits once, durably.
//
// It keeps: that all goods are sold, or none; that no more are sold than there are, with levels locked in one order;
// their prices and names of today; the order with its lines; a move for each line, with the stock after it; the tender
// with its parts, in the drawer that is open; an entry of the books in an open day, with its two postings; that a
// drawer is opened before the sale or after it; the audit events, which triggers write.
//
// It leaves out: the reason of a refusal, goods that are not tracked, one variant in two lines, taxes, other methods of
// payment, change, bookings and fees in the same sale, walk-ins, the receipt's token, and missing accounts of the
// books.

//go:embed sale.sql
var saleSQL string

const (
	saleLines   = 10 // of a sale
	saleShelves = 61 // groups of as many variants; bench.shelf in names.sql
)

// rowsOfDesk is how many rows a sale writes: one event for its order, one for its tender and one for each move.
var rowsOfDesk = map[string]int64{
	"orders": 1, "order_lines": saleLines, "order_tenders": 1, "tender_parts": saleLines, "stock_moves": saleLines,
	"ledger_entries": 1, "ledger_postings": 2, "audit_events": saleLines + 2,
}

// desk sells ten lines of goods for cash to customers. Neighbouring sales are of different goods.
type desk struct {
	*bench
	owed  *owed.Service
	scope tenancy.Scope
	sale  atomic.Int64 // the next one
}

// openDesk sells some goods, so that the books have accounts and the tables statistics.
func (b *bench) openDesk(ctx context.Context) (*desk, error) {
	buyers, err := b.buyers(ctx)
	if err != nil {
		return nil, err
	}
	d := &desk{bench: b, owed: services(b.db, nil).Owed, scope: tenancy.Scope{
		Principal: buyers[0], Tenant: b.place.Business, Surface: tenancy.SurfaceAPI,
		Grants: tenancy.Grants{All: tenancy.NewFeatureSet(policy.PaymentTake)},
	}}
	for range 2 * saleShelves {
		if _, err := d.sell(ctx, d.sale.Add(1)-1); err != nil {
			return nil, err
		}
	}
	_, err = b.super.Exec(ctx, `analyze orders, order_lines, order_tenders, tender_parts, stock_levels, stock_moves,
		ledger_accounts, ledger_closings, ledger_entries, ledger_postings`)
	return d, err
}

// sell makes sale n and returns its order.
func (d *desk) sell(ctx context.Context, n int64) (uuid.UUID, error) {
	in := owed.PaymentInput{
		LocationID: d.place.Location, CustomerID: benchID(6, n%int64(d.place.Bookers)), Tenders: owed.Pays(tender.Cash),
	}
	for i := range int64(saleLines) {
		in.Goods = append(in.Goods, owed.Goods{VariantID: benchID(161, n%saleShelves*saleLines+i), Quantity: 1})
	}
	sold, err := d.owed.RecordPayment(tenancy.Acting(ctx, d.scope), d.scope, in)
	return sold.OrderID, err
}

// benchID is bench.id(tag, n).
func benchID(tag int, n int64) uuid.UUID {
	return uuid.MustParse(fmt.Sprintf("%08x-%04x-7%03x-8000-000000000000", n>>16, n&0xffff, tag))
}

// leastScript is the least floor of a sale as a script of pgbench: one pipeline, which Postgres commits as a whole.
func (d *desk) leastScript() script {
	steps := stepsOf(saleSQL)
	return script{
		"\\set i :i + 1\n\\set n :first + :client_id * :range + :i\n" +
			"\\startpipeline\n" + steps["set"] + "\n" + steps["sell"] + "\n\\endpipeline\n",
		append(d.leastDefines(), "i=-1"),
	}
}

// selling compares a sale at the desk with its least floor.
func (b *bench) selling(ctx context.Context) ([]Row, error) {
	d, err := b.openDesk(ctx)
	if err != nil {
		return nil, err
	}
	least := d.leastScript()
	rounds, err := b.compare(ctx, "sale",
		contender{"verbs", func(ctx context.Context, t timing) (sample, error) {
			return b.wrote(ctx, rowsOfDesk, func() (sample, int64, error) {
				return load(ctx, t, b.Clients, b.cpu.and(os.Getpid()), func(ctx context.Context, _ int) error {
					_, err := d.sell(ctx, d.sale.Add(1)-1)
					return err
				})
			})
		}},
		contender{"least", func(ctx context.Context, t timing) (sample, error) {
			block := b.cartsOfClient()
			first := d.sale.Add(block*int64(b.Clients)) - block*int64(b.Clients)
			return b.wrote(ctx, rowsOfDesk, func() (sample, int64, error) {
				return b.floor.run(ctx, t, least, fmt.Sprintf("first=%d", first), fmt.Sprintf("range=%d", block))
			})
		}},
	)
	if err != nil {
		return nil, err
	}
	const name = "sale of ten lines of goods at the desk by the verbs, least floor"
	return against(name, rounds[0], rounds[1], Aim{Least: 0.5}, Aim{}), nil
}
