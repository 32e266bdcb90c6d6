package operator

import (
	"context"
	"time"

	"github.com/google/uuid"

	"foyer/app/api/wire"
	"foyer/app/money"
	"foyer/app/paging"
	"foyer/app/tenancy"
	"foyer/app/till"
	"foyer/app/web/op"
)

// Drawer is a cash drawer of a location from opening to count.
type Drawer struct {
	ID             uuid.UUID                `json:"id"`
	LocationID     uuid.UUID                `json:"locationId"`
	Currency       money.Currency           `json:"currency"`
	FloatAmount    int64                    `json:"floatAmount" doc:"Opening float in minor units, as are all amounts of a drawer."`
	FoundAmount    int64                    `json:"foundAmount" doc:"Expected cash at opening: the cash remaining in the previous drawer plus cash payments since. The difference to the float came from, or went to, the studio's own account."`
	PaidAmount     int64                    `json:"paidAmount" doc:"Cash paid by customers."`
	RefundedAmount int64                    `json:"refundedAmount" doc:"Cash refunded to customers."`
	InAmount       int64                    `json:"payInAmount" doc:"Total of pay-ins."`
	OutAmount      int64                    `json:"payOutAmount" doc:"Total of pay-outs."`
	ExpectedAmount int64                    `json:"expectedAmount" doc:"Expected cash now; for a counted drawer, at the time of the count."`
	OpenedBy       string                   `json:"openedBy" doc:"Name of the staff member who opened it; may be empty."`
	OpenedAt       time.Time                `json:"openedAt" doc:"When it was opened."`
	Count          op.Nullable[DrawerCount] `json:"count" doc:"The count; null while the drawer is open."`
}

// DrawerCount is the count of a drawer at closing.
type DrawerCount struct {
	CountedAmount    int64     `json:"countedAmount" doc:"Counted cash."`
	DifferenceAmount int64     `json:"differenceAmount" doc:"Counted less expected cash; negative if it is short."`
	RemainingAmount  int64     `json:"remainingAmount" doc:"Cash that stays in the drawer for the next one."`
	BankedAmount     int64     `json:"bankedAmount" doc:"Cash deposited at the bank: the counted cash less the remaining cash."`
	Note             string    `json:"note"`
	ClosedBy         string    `json:"closedBy" doc:"Name of the staff member who closed it; may be empty."`
	ClosedAt         time.Time `json:"closedAt" doc:"When it was counted."`
}

// DrawerDetail is a drawer with its transactions.
type DrawerDetail struct {
	Drawer
	Transactions []DrawerTransaction `json:"transactions" doc:"Pay-ins and pay-outs, earliest first."`
}

// DrawerTransaction is cash paid in or out other than by a customer's payment or refund.
type DrawerTransaction struct {
	ID     uuid.UUID            `json:"id"`
	Kind   till.TransactionKind `json:"kind"`
	Amount int64                `json:"amount" doc:"Amount in minor units."`
	Note   string               `json:"note"`
	By     string               `json:"by" doc:"Name of the staff member; may be empty."`
	At     time.Time            `json:"at"`
}

type listDrawersIn struct {
	op.Page
	Open bool `query:"open" doc:"Only the open drawer."`
}

// DrawerPath is the path of a drawer.
type DrawerPath struct {
	DrawerID uuid.UUID `path:"drawerId" doc:"The drawer."`
}

func (p DrawerPath) of(sc tenancy.Scope) till.Of {
	return till.Of{LocationID: sc.Location, DrawerID: p.DrawerID}
}

type openDrawerBody struct {
	FloatAmount int64 `json:"floatAmount" minimum:"0" maximum:"1000000000000" doc:"Counted opening float, in minor units."`
}

type closeDrawerIn struct {
	DrawerPath
	Body closeDrawerBody
}

type closeDrawerBody struct {
	CountedAmount   int64  `json:"countedAmount" minimum:"0" maximum:"1000000000000" doc:"Counted cash, in minor units."`
	RemainingAmount int64  `json:"remainingAmount" minimum:"0" maximum:"1000000000000" doc:"Cash that stays in the drawer. The difference to the counted cash is deposited at the bank."`
	ExpectedAmount  *int64 `json:"expectedAmount,omitempty" minimum:"-1000000000000" maximum:"1000000000000" doc:"Expected cash at the time of the count. Returns 409 if it has changed since."`
	Note            string `json:"note,omitempty" maxLength:"500"`
}

type moveCashIn struct {
	DrawerPath
	Body moveCashBody
}

type moveCashBody struct {
	Amount int64  `json:"amount" minimum:"1" maximum:"1000000000000" doc:"Amount in minor units."`
	Note   string `json:"note" minLength:"1" maxLength:"500" doc:"Purpose."`
}

// Settlement is money from another payment method that has arrived at the bank.
type Settlement struct {
	ID         uuid.UUID      `json:"id"`
	LocationID uuid.UUID      `json:"locationId"`
	Currency   money.Currency `json:"currency"`
	Amount     int64          `json:"amount" doc:"Amount received, in minor units."`
	FeeAmount  int64          `json:"feeAmount" doc:"Fee deducted by the provider."`
	Note       string         `json:"note"`
	CreatedAt  time.Time      `json:"createdAt"`
}

type createSettlementBody struct {
	Amount    int64  `json:"amount" minimum:"0" maximum:"1000000000000" doc:"Amount received, in minor units."`
	FeeAmount int64  `json:"feeAmount,omitempty" minimum:"0" maximum:"1000000000000" doc:"Fee deducted by the provider."`
	Note      string `json:"note,omitempty" maxLength:"500"`
}

func (a *surface) drawers() {
	spec := func(id, method, path, summary, says string) op.Spec {
		return op.Spec{
			ID: id, Method: method, Path: "/locations/{id}" + path, Tag: "commerce", Feature: "payment.take", Summary: summary, Description: says,
		}
	}
	declare(a, spec("listDrawers", "GET", "/drawers", "List cash drawers", "Returns the drawers, each from opening to "+
		"count, latest first."),
		wire.Filtered(a.Cursors, "drawers", a.Till.List, showDrawer,
			func(sc tenancy.Scope, in *listDrawersIn, page paging.In[paging.Moment]) till.ListInput {
				return till.ListInput{LocationID: sc.Location, Open: in.Open, Page: page}
			}))
	open := spec("openDrawer", "POST", "/drawers/open", "Open the cash drawer",
		"Cash payments from then on belong to this drawer."+wire.Refuses("drawer_open"))
	open.Success = 201
	declare(a, open, func(ctx context.Context, sc tenancy.Scope, in *wire.Body[openDrawerBody]) (Drawer, error) {
		d, err := a.Till.Open(ctx, sc, till.OpenInput{LocationID: sc.Location, FloatAmount: in.Body.FloatAmount})
		return showDrawer(d), err
	})
	declare(a, spec("getDrawer", "GET", "/drawers/{drawerId}", "Get a cash drawer",
		"Returns the drawer with its expected cash and its transactions."), a.getDrawer)
	declare(a, spec("closeDrawer", "POST", "/drawers/{drawerId}/close", "Close the cash drawer",
		"Closes the drawer with the counted cash. The over or short amount is returned and recorded in the books."+
			wire.Refuses("drawer_closed", "drawer_changed")),
		func(ctx context.Context, sc tenancy.Scope, in *closeDrawerIn) (Drawer, error) {
			d, err := a.Till.Count(ctx, sc, till.CountInput{
				Of: in.of(sc), CountedAmount: in.Body.CountedAmount, RemainingAmount: in.Body.RemainingAmount,
				ExpectedAmount: in.Body.ExpectedAmount, Note: in.Body.Note,
			})
			return showDrawer(d), err
		})
	declare(a, spec("payIn", "POST", "/drawers/{drawerId}/pay-in", "Record a pay-in",
		"For example, change from the bank."+wire.Refuses("drawer_closed")), a.moveCash(till.PayIn))
	declare(a, spec("payOut", "POST", "/drawers/{drawerId}/pay-out", "Record a pay-out",
		"For example, a bill paid in cash."+wire.Refuses("drawer_closed", "not_enough_cash")), a.moveCash(till.PayOut))
	settle := spec("createSettlement", "POST", "/settlements", "Record a settlement",
		"Records the arrival at the bank of payments by the studio's own terminal or a transfer, less a fee."+
			wire.Refuses("not_outstanding"))
	settle.Success = 201
	declare(a, settle, func(ctx context.Context, sc tenancy.Scope, in *wire.Body[createSettlementBody]) (Settlement, error) {
		s, err := a.Till.RecordSettlement(ctx, sc, till.SettlementInput{
			LocationID: sc.Location, Amount: in.Body.Amount, FeeAmount: in.Body.FeeAmount, Note: in.Body.Note,
		})
		return Settlement{
			ID: s.ID, LocationID: s.LocationID, Currency: s.Currency, Amount: s.Amount, FeeAmount: s.FeeAmount, Note: s.Note, CreatedAt: s.CreatedAt,
		}, err
	})
}

func (a *surface) moveCash(kind till.TransactionKind) func(context.Context, tenancy.Scope, *moveCashIn) (Drawer, error) {
	return func(ctx context.Context, sc tenancy.Scope, in *moveCashIn) (Drawer, error) {
		d, err := a.Till.RecordCash(ctx, sc, till.TransactionInput{Of: in.of(sc), Kind: kind, Amount: in.Body.Amount, Note: in.Body.Note})
		return showDrawer(d), err
	}
}

func (a *surface) getDrawer(ctx context.Context, sc tenancy.Scope, in *DrawerPath) (DrawerDetail, error) {
	d, moves, err := a.Till.Get(ctx, sc, in.of(sc))
	return DrawerDetail{Drawer: showDrawer(d), Transactions: wire.Show(moves, func(m till.Transaction) DrawerTransaction {
		return DrawerTransaction{ID: m.ID, Kind: m.Kind, Amount: m.Amount, Note: m.Note, By: m.ActorName, At: m.CreatedAt}
	})}, err
}

func showDrawer(d till.Drawer) Drawer {
	return Drawer{
		ID: d.ID, LocationID: d.LocationID, Currency: d.Currency, FloatAmount: d.FloatAmount, FoundAmount: d.FoundAmount,
		PaidAmount: d.PaidAmount, RefundedAmount: d.RefundedAmount, InAmount: d.InAmount, OutAmount: d.OutAmount, ExpectedAmount: d.Expected(),
		OpenedBy: d.OpenedBy, OpenedAt: d.CreatedAt, Count: wire.ShowOrNull(d.Count, showCount),
	}
}

func showCount(c till.Count) DrawerCount {
	return DrawerCount{
		CountedAmount: c.CountedAmount, DifferenceAmount: c.Difference(), RemainingAmount: c.RemainingAmount, BankedAmount: c.Banked(), Note: c.Note,
		ClosedBy: c.By, ClosedAt: c.At,
	}
}
