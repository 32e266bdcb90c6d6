package demo

import (
	"context"
	"fmt"

	"foyer/app/order"
	"foyer/app/owed"
	"foyer/app/product"
	"foyer/app/sales"
	"foyer/billing/tender"
)

// goodsPlan is a product of a studio, in the studio's currency.
type goodsPlan struct {
	name, about string
	options     []product.Option
	variants    []variantPlan
}

// variantPlan is a variant of a product. One without stock is sold in any quantity.
type variantPlan struct {
	choices      []string
	sku, barcode string
	price, cost  int64
	stock        int // received at the first location before the first day
}

// harbourGoods and northsideGoods are the products of the studios.
var (
	harbourGoods = []goodsPlan{
		{name: "Cork yoga mat", about: "Four millimetres of cork on natural rubber. It gets better with sweat.",
			options: []product.Option{{Name: "Colour", Choices: []string{"Natural", "Charcoal"}}},
			variants: []variantPlan{
				{choices: []string{"Natural"}, sku: "MAT-NAT", barcode: "4006381333931", price: 8900, cost: 4100, stock: 12},
				{choices: []string{"Charcoal"}, sku: "MAT-CHA", barcode: "9780201379624", price: 8900, cost: 4100, stock: 4},
			}},
		{name: "Grip socks", about: "For the reformer. Organic cotton, rubber soles.",
			options: []product.Option{
				{Name: "Size", Choices: []string{"S", "M", "L"}}, {Name: "Colour", Choices: []string{"Black", "Rose"}},
			},
			variants: []variantPlan{
				{choices: []string{"S", "Black"}, sku: "SOCK-S-B", price: 1800, cost: 600, stock: 20},
				{choices: []string{"M", "Black"}, sku: "SOCK-M-B", price: 1800, cost: 600, stock: 24},
				{choices: []string{"M", "Rose"}, sku: "SOCK-M-R", price: 1800, cost: 600, stock: 10},
				{choices: []string{"L", "Black"}, sku: "SOCK-L-B", price: 1800, cost: 600, stock: 8},
			}},
		{name: "Coconut water", about: "Cold, from the fridge beside the desk.",
			variants: []variantPlan{{barcode: "036000291452", price: 450, cost: 180, stock: 60}}},
	}
	northsideGoods = []goodsPlan{
		{name: "Chalk bag", about: "With a belt and a brush loop.",
			options: []product.Option{{Name: "Colour", Choices: []string{"Moss", "Rust"}}},
			variants: []variantPlan{
				{choices: []string{"Moss"}, sku: "BAG-MOSS", price: 1600, cost: 700, stock: 9},
				{choices: []string{"Rust"}, sku: "BAG-RUST", price: 1600, cost: 700, stock: 3},
			}},
		{name: "Loose chalk", about: "A bag of 250 grams.",
			variants: []variantPlan{{sku: "CHALK-250", barcode: "73513537", price: 700, cost: 220, stock: 40}}},
		{name: "Shoe hire", about: "For a day. Return them to the desk.",
			options: []product.Option{{Name: "For", Choices: []string{"Adults", "Children"}}},
			variants: []variantPlan{
				{choices: []string{"Adults"}, price: 400}, {choices: []string{"Children"}, price: 300},
			}},
	}
)

// goods publishes the studio's products, with what it has in stock at its first location.
func (s *seeding) goods(ctx context.Context) error {
	for _, plan := range s.plan.goods {
		if err := s.product(ctx, plan); err != nil {
			return fmt.Errorf("%s: %w", plan.name, err)
		}
	}
	return nil
}

func (s *seeding) product(ctx context.Context, plan goodsPlan) error {
	p, err := s.Products.Create(ctx, s.owner, product.CreateInput{
		Name: plan.name, Description: plan.about, TaxRateID: &s.taxRate, Options: plan.options,
	})
	if err != nil {
		return err
	}
	s.products = append(s.products, p.ID)
	for _, v := range plan.variants {
		in := product.CreateVariantInput{
			ProductID: p.ID, Choices: v.choices, SKU: v.sku, Barcode: v.barcode, PriceAmount: v.price, Track: v.stock > 0,
		}
		if v.cost > 0 {
			in.CostAmount = &v.cost
		}
		made, err := s.Products.CreateVariant(ctx, s.owner, in)
		if err != nil {
			return err
		}
		s.stocked = append(s.stocked, made)
		if v.stock == 0 {
			continue
		}
		_, err = s.Products.Receive(ctx, s.owner, product.ReceiveInput{
			StockInput: s.stockOf(made), Quantity: v.stock, Note: "Opening stock",
		})
		if err != nil {
			return err
		}
	}
	state := product.Published
	_, err = s.Products.Update(ctx, s.owner, product.UpdateInput{ID: p.ID, Version: p.Version, State: &state})
	return err
}

// stockOf names the stock of a variant at the first location.
func (s *seeding) stockOf(v product.Variant) product.StockInput {
	return product.StockInput{ProductID: v.ProductID, VariantID: v.ID, LocationID: s.locations[0].ID}
}

// purchase has one of the online customers buy a product, each time of another variant.
func (s *seeding) purchase(ctx context.Context) error {
	n := s.purchases
	s.purchases++
	who, err := s.signedIn(ctx, s.regulars[n%len(s.regulars)])
	if err != nil {
		return err
	}
	done, _, err := s.through(ctx, who, terms{}, func(token string) error {
		_, err := s.Checkout.AddNonSeat(ctx, who, token, order.CartItem{
			Kind: order.Product, Subject: s.stocked[n%len(s.stocked)].ID, Quantity: 1 + n%2,
		})
		return err
	})
	s.ofGoods[done.OrderID] = true
	return err
}

// countShelf counts the first variant: one is missing.
func (s *seeding) countShelf(ctx context.Context) error {
	v, err := s.Products.Variant(ctx, s.owner, s.stocked[0].ProductID, s.stocked[0].ID)
	if err != nil {
		return err
	}
	_, err = s.Products.Count(ctx, s.owner, product.CountInput{
		StockInput: s.stockOf(v), Counted: max(0, v.Levels[0].OnHand-1), LastNumber: &v.Levels[0].LastNumber,
		Note: "Monthly count",
	})
	return err
}

// deskGoods sells some of the last variants to walk-ins at the desk of the first location, and one is returned.
func (s *seeding) deskGoods(ctx context.Context) error {
	var last owed.Sale
	for i, method := range []tender.Kind{tender.Cash, tender.Other, tender.Cash} {
		sale, err := s.Owed.RecordPayment(ctx, s.owner, owed.PaymentInput{
			LocationID: s.locations[0].ID, Tenders: owed.Pays(method),
			Goods: []owed.Goods{{VariantID: s.stocked[len(s.stocked)-1-i%2].ID, Quantity: 2}},
		})
		if err != nil {
			return err
		}
		s.ofGoods[sale.OrderID] = true
		last = sale
	}
	d, err := s.Sales.Get(ctx, s.owner, last.Payments[0].ID)
	if err != nil {
		return err
	}
	_, err = s.Sales.Return(ctx, s.owner, sales.ReturnInput{
		OrderID: last.OrderID, Refund: true, Note: "Not needed after all",
		Lines: []sales.ReturnLine{{LineID: *d.Lines[0].ID, Quantity: 1, Restock: true}},
	})
	return err
}
