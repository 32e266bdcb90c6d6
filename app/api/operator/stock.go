package operator

import (
	"context"
	"time"

	"github.com/google/uuid"

	"foyer/app/api/wire"
	"foyer/app/fault"
	"foyer/app/paging"
	"foyer/app/product"
	"foyer/app/tenancy"
	"foyer/app/web/op"
)

// StockLevel is the stock of a variant at a location.
type StockLevel struct {
	LocationID uuid.UUID `json:"locationId"`
	OnHand     int       `json:"onHand" doc:"Number at the location."`
	Held       int       `json:"held" doc:"Number held for carts."`
	Available  int       `json:"available" doc:"Number that can be sold; negative below zero."`
	LastNumber int       `json:"lastNumber" doc:"Number of its latest ledger entry, for a count."`
}

// StockEntry is an entry of the stock ledger of a variant. It never changes.
type StockEntry struct {
	ID         uuid.UUID        `json:"id"`
	LocationID uuid.UUID        `json:"locationId"`
	Number     int              `json:"number" doc:"Number of the entry, of the variant at the location: 1, 2, 3."`
	Kind       product.MoveKind `json:"kind"`
	Quantity   int              `json:"quantity" doc:"Change of the stock; negative for less."`
	OnHand     int              `json:"onHand" doc:"Number at the location after it."`
	OrderID    *uuid.UUID       `json:"orderId" doc:"The order of a sale or a return; null for others."`
	TransferID *uuid.UUID       `json:"transferId" doc:"Identifier shared by both entries of a transfer; null for others."`
	Counted    *int             `json:"counted" doc:"The number counted; null except for a count."`
	Reason     string           `json:"reason" doc:"Reason or note; may be empty."`
	ActorName  string           `json:"actorName" doc:"Name of the person or API key; empty for a sale."`
	CreatedAt  time.Time        `json:"createdAt"`
}

// StockChange is a change of the stock of a variant.
type StockChange struct {
	Entries []StockEntry `json:"entries" doc:"The new entries of the ledger: two for a transfer."`
	Stock   []StockLevel `json:"stock" doc:"The stock at their locations, afterwards."`
}

type listStockIn struct {
	VariantPath
	op.Page
	LocationID uuid.UUID `query:"locationId" json:",omitzero" doc:"Only entries of this location. The default is all locations of the caller."`
}

type changeStockIn struct {
	VariantPath
	Body changeStockBody
}

type changeStockBody struct {
	Kind         string     `json:"kind" enum:"receive,adjust,transfer,count" doc:"The change. The limited form of stock.manage permits receive."`
	LocationID   uuid.UUID  `json:"locationId" doc:"The location. A transfer takes the stock from it."`
	Quantity     int        `json:"quantity" minimum:"-99999" maximum:"999999" doc:"Number received or transferred; difference of an adjustment, negative for less; number counted."`
	ToLocationID *uuid.UUID `json:"toLocationId,omitempty" doc:"For a transfer: the receiving location, with the same currency."`
	LastNumber   *int       `json:"lastNumber,omitempty" minimum:"0" doc:"For a count: number of the latest ledger entry at the location when it was counted, so that later sales remain. The default is the latest now."`
	Reason       string     `json:"reason,omitempty" maxLength:"500" doc:"Reason of an adjustment, required; otherwise a note."`
}

func (a *surface) stock() {
	const path = "/products/{productId}/variants/{variantId}/stock"
	declare(a, op.Spec{
		ID: "listStock", Method: "GET", Path: path, Tag: "catalog", Feature: "location.view", Frozen: true,
		Summary:     "List the stock ledger of a variant",
		Description: "Returns the changes of the stock of a variant at the locations of the caller, newest first.",
	}, wire.Filtered(a.Cursors, "stock", a.Products.Moves, showMove,
		func(_ tenancy.Scope, in *listStockIn, page paging.In[paging.Moment]) product.MovesInput {
			return product.MovesInput{In: page, ProductID: in.ProductID, VariantID: in.VariantID, LocationID: in.LocationID}
		}))
	declare(a, op.Spec{
		ID: "changeStock", Method: "POST", Path: path, Tag: "catalog", Feature: "stock.manage", Success: 201,
		Summary: "Change the stock of a variant",
		Description: "Appends to the stock ledger: stock received, an adjustment with a reason, a transfer to another " +
			"location, or a count. A count writes the difference to the stock at lastNumber. Stock that is held for carts " +
			"cannot be removed.",
	}, a.changeStock)
}

func (a *surface) changeStock(ctx context.Context, sc tenancy.Scope, in *changeStockIn) (StockChange, error) {
	b := in.Body
	var c fault.Checks
	c.That((b.ToLocationID != nil) == (b.Kind == "transfer"), "toLocationId", "Send it for a transfer, and only then.")
	c.That(b.LastNumber == nil || b.Kind == "count", "lastNumber", "Applies to a count only.")
	if err := c.Err(); err != nil {
		return StockChange{}, err
	}
	at := product.StockInput{ProductID: in.ProductID, VariantID: in.VariantID, LocationID: b.LocationID}
	var done product.Change
	var err error
	switch b.Kind {
	case "receive":
		done, err = a.Products.Receive(ctx, sc, product.ReceiveInput{StockInput: at, Quantity: b.Quantity, Note: b.Reason})
	case "adjust":
		done, err = a.Products.Adjust(ctx, sc, product.AdjustInput{StockInput: at, Quantity: b.Quantity, Reason: b.Reason})
	case "transfer":
		done, err = a.Products.Transfer(ctx, sc, product.TransferInput{
			StockInput: at, To: *b.ToLocationID, Quantity: b.Quantity, Note: b.Reason,
		})
	default:
		done, err = a.Products.Count(ctx, sc, product.CountInput{
			StockInput: at, Counted: b.Quantity, LastNumber: b.LastNumber, Note: b.Reason,
		})
	}
	return StockChange{Entries: wire.Show(done.Moves, showMove), Stock: wire.Show(done.Levels, showLevel)}, err
}

func showMove(m product.Move) StockEntry {
	return StockEntry{
		ID: m.ID, LocationID: m.LocationID, Number: m.Number, Kind: m.Kind, Quantity: m.Quantity, OnHand: m.OnHand,
		OrderID: m.OrderID, TransferID: m.TransferID, Counted: m.Counted, Reason: m.Reason, ActorName: m.ActorName,
		CreatedAt: m.CreatedAt,
	}
}

func showLevel(l product.Level) StockLevel {
	return StockLevel{
		LocationID: l.LocationID, OnHand: l.OnHand, Held: l.Held, Available: l.Available(), LastNumber: l.LastNumber,
	}
}
