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

// Drawer is a location's cash drawer from when it was opened.
type Drawer struct {
	ID             uuid.UUID                `json:"id"`
	LocationID     uuid.UUID                `json:"locationId"`
	Currency       money.Currency           `json:"currency"`
	FloatAmount    int64                    `json:"floatAmount" doc:"Minor units, as all amounts: that was in it when it was opened."`
	FoundAmount    int64                    `json:"foundAmount" doc:"That had to be in it then: left in the last one, and taken since. The difference was brought from the studio's own account, or taken there."`
	PaidAmount     int64                    `json:"takenAmount" doc:"Cash that customers paid."`
	RefundedAmount int64                    `json:"backAmount" doc:"Cash that was handed back to them."`
	InAmount       int64                    `json:"inAmount" doc:"Paid in."`
	OutAmount      int64                    `json:"outAmount" doc:"Paid out."`
	ExpectedAmount int64                    `json:"expectedAmount" doc:"That has to be in it; of one that was counted, that had to be then."`
	OpenedBy       string                   `json:"openedBy" doc:"May be empty."`
	OpenedAt       time.Time                `json:"openedAt" doc:"Since when it is open."`
	Count          op.Nullable[DrawerCount] `json:"count" doc:"null while it is open."`
}

// DrawerCount is how a drawer was closed.
type DrawerCount struct {
	CountedAmount    int64     `json:"countedAmount" doc:"That was counted in it."`
	DifferenceAmount int64     `json:"differenceAmount" doc:"How much more was counted than had to be there; less is negative."`
	LeftAmount       int64     `json:"leftAmount" doc:"That stays in it for the next one."`
	BankedAmount     int64     `json:"bankedAmount" doc:"The rest, which was taken to the bank."`
	Note             string    `json:"note"`
	ClosedBy         string    `json:"closedBy" doc:"May be empty."`
	ClosedAt         time.Time `json:"closedAt" doc:"When it was counted."`
}

// DrawerDetail is a drawer with what went in and out.
type DrawerDetail struct {
	Drawer
	Transactions []DrawerTransaction `json:"moves" doc:"In the order of time."`
}

// DrawerTransaction is cash that no customer paid or got.
type DrawerTransaction struct {
	ID     uuid.UUID            `json:"id"`
	Kind   till.TransactionKind `json:"kind"`
	Amount int64                `json:"amount" doc:"Minor units."`
	Note   string               `json:"note"`
	By     string               `json:"by" doc:"May be empty."`
	At     time.Time            `json:"at"`
}

type listDrawersIn struct {
	op.Page
	Open bool `query:"open" doc:"The one that is open only."`
}

// DrawerPath names a drawer.
type DrawerPath struct {
	DrawerID uuid.UUID `path:"drawerId" doc:"The drawer."`
}

func (p DrawerPath) of(sc tenancy.Scope) till.Of {
	return till.Of{LocationID: sc.Location, DrawerID: p.DrawerID}
}

type openDrawerBody struct {
	FloatAmount int64 `json:"floatAmount" minimum:"0" maximum:"1000000000000" doc:"Minor units: what is in it, counted."`
}

type closeDrawerIn struct {
	DrawerPath
	Body closeDrawerBody
}

type closeDrawerBody struct {
	CountedAmount  int64  `json:"countedAmount" minimum:"0" maximum:"1000000000000" doc:"Minor units."`
	LeftAmount     int64  `json:"leftAmount" minimum:"0" maximum:"1000000000000" doc:"That stays in it; the rest is taken to the bank."`
	ExpectedAmount *int64 `json:"expectedAmount,omitempty" minimum:"-1000000000000" maximum:"1000000000000" doc:"That had to be in it when it was counted: 409 when it is something else by now."`
	Note           string `json:"note,omitempty" maxLength:"500"`
}

type moveCashIn struct {
	DrawerPath
	Body moveCashBody
}

type moveCashBody struct {
	Amount int64  `json:"amount" minimum:"1" maximum:"1000000000000" doc:"Minor units."`
	Note   string `json:"note" minLength:"1" maxLength:"500" doc:"What for."`
}

// Settlement is money that was paid elsewhere and has arrived at the bank.
type Settlement struct {
	ID         uuid.UUID      `json:"id"`
	LocationID uuid.UUID      `json:"locationId"`
	Currency   money.Currency `json:"currency"`
	Amount     int64          `json:"amount" doc:"Minor units: that arrived."`
	FeeAmount  int64          `json:"feeAmount" doc:"That whoever carried it kept."`
	Note       string         `json:"note"`
	CreatedAt  time.Time      `json:"createdAt"`
}

type createSettlementBody struct {
	Amount    int64  `json:"amount" minimum:"0" maximum:"1000000000000" doc:"Minor units: that arrived."`
	FeeAmount int64  `json:"feeAmount,omitempty" minimum:"0" maximum:"1000000000000" doc:"That was kept of it."`
	Note      string `json:"note,omitempty" maxLength:"500"`
}

func (a *surface) drawers() {
	spec := func(id, method, path, summary, says string) op.Spec {
		return op.Spec{
			ID: id, Method: method, Path: "/locations/{id}" + path, Tag: "commerce", Feature: "payment.take", Summary: summary, Description: says,
		}
	}
	declare(a, spec("listDrawers", "GET", "/drawers", "List cash drawers", "From when each was opened until it was counted, the latest first."),
		wire.Filtered(a.Cursors, "drawers", a.Till.List, showDrawer,
			func(sc tenancy.Scope, in *listDrawersIn, page paging.In[paging.Moment]) till.ListInput {
				return till.ListInput{LocationID: sc.Location, Open: in.Open, Page: page}
			}))
	open := spec("openDrawer", "POST", "/drawers/open", "Open the cash drawer",
		"Cash that is taken from then on is in it."+wire.Refuses("drawer_open"))
	open.Success = 201
	declare(a, open, func(ctx context.Context, sc tenancy.Scope, in *wire.Body[openDrawerBody]) (Drawer, error) {
		d, err := a.Till.Open(ctx, sc, till.OpenInput{LocationID: sc.Location, FloatAmount: in.Body.FloatAmount})
		return showDrawer(d), err
	})
	declare(a, spec("getDrawer", "GET", "/drawers/{drawerId}", "See a cash drawer", "What has to be in it, and why."), a.getDrawer)
	declare(a, spec("closeDrawer", "POST", "/drawers/{drawerId}/close", "Count the cash drawer",
		"It is closed with what was counted. What is missing or too much is told, and is in the books."+wire.Refuses("drawer_closed", "drawer_moved")),
		func(ctx context.Context, sc tenancy.Scope, in *closeDrawerIn) (Drawer, error) {
			d, err := a.Till.Count(ctx, sc, till.CountInput{
				Of: in.of(sc), CountedAmount: in.Body.CountedAmount, LeftAmount: in.Body.LeftAmount,
				ExpectedAmount: in.Body.ExpectedAmount, Note: in.Body.Note,
			})
			return showDrawer(d), err
		})
	declare(a, spec("payIn", "POST", "/drawers/{drawerId}/pay-in", "Put cash into the drawer", "Change from the bank, say."+wire.Refuses("drawer_closed")),
		a.moveCash(till.PayIn))
	declare(a, spec("payOut", "POST", "/drawers/{drawerId}/pay-out", "Take cash out of the drawer",
		"A bill that was paid, say."+wire.Refuses("drawer_closed", "not_enough_cash")), a.moveCash(till.PayOut))
	settle := spec("createSettlement", "POST", "/settlements", "Money paid elsewhere has arrived",
		"What customers paid by the studio's own terminal or a transfer is at the bank, but for a fee."+wire.Refuses("not_outstanding"))
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
		CountedAmount: c.CountedAmount, DifferenceAmount: c.Difference(), LeftAmount: c.LeftAmount, BankedAmount: c.Banked(), Note: c.Note,
		ClosedBy: c.By, ClosedAt: c.At,
	}
}
