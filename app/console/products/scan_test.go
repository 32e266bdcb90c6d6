package products_test

import (
	"strconv"
	"testing"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/console/consoletest"
	"foyer/app/product"
	"foyer/policy"
)

// quantityOf is the name of the number of a variant's row.
func quantityOf(v product.Variant) string { return "quantity[" + v.ID.String() + "]" }

// itemOf is the hidden field of a row that was added after so many moves.
func itemOf(v product.Variant, seen int) string {
	return v.ProductID.String() + "/" + v.ID.String() + "/" + strconv.Itoa(seen)
}

// TestScanWithoutScript: a code leads to the row of its variant, which is received or counted, and a code that finds
// none is named.
func TestScanWithoutScript(t *testing.T) {
	s := consoletest.Open(t)
	p := add(t, s, "Cork mat", product.CreateVariantInput{
		SKU: "MAT", Barcode: "4006381333931", PriceAmount: 2400, Track: true,
	})
	mat := variants(t, s, p)[0]
	add(t, s, "Hire", product.CreateVariantInput{SKU: "HIRE", PriceAmount: 400})
	owner := s.As(t, consoletest.Owner)
	list := owner.Get("/products").Is(t, 200).Shows(t, "Receive stock", "Count stock")
	page := owner.Get(list.Link("/products/receive")).Is(t, 200).Shows(t, "SKU or barcode", "Each scan adds one")
	owner.Send(page.Forms("/products/receive")[1]).Is(t, 400).Shows(t, "Scan or enter a code first.")
	owner.Get("/products/receive?code=NONE").Is(t, 200).Shows(t, "No product has the code NONE.")
	owner.Get("/products/receive?code=hire").Is(t, 200).Shows(t, "The stock of Hire is not tracked.")
	row := owner.Get("/products/receive?code=4006381333931").Is(t, 200).Shows(t, "Cork mat", "MAT · 4006381333931")
	owner.Send(row.Forms("/products/receive")[1], quantityOf(mat), "many").Is(t, 400).
		Shows(t, "Enter a whole number.", "Cork mat")
	again := owner.Send(row.Forms("/products/receive")[1], quantityOf(mat), "0").Is(t, 400).Shows(t, "Use 1 to 99999.")
	if got := again.Forms("/products/receive")[1].Values.Get(quantityOf(mat)); got != "0" {
		t.Errorf("typed is gone: %q", got)
	}
	owner.Send(again.Forms("/products/receive")[1], quantityOf(mat), "12").Is(t, 200).Shows(t, "Received 12 items.")
	// Two are sold while the shelf is counted.
	count := owner.Get("/products/count?code=mat").Is(t, 200).Shows(t, "On hand", "12")
	_, err := s.Products.Adjust(t.Context(), s.Owner, product.AdjustInput{
		StockInput: product.StockInput{ProductID: p.ID, VariantID: mat.ID, LocationID: s.Location.ID},
		Quantity:   -2, Reason: "Sold",
	})
	must(t, err)
	owner.Send(count.Forms("/products/count")[1], quantityOf(mat), "11", "note", "Monthly").Is(t, 200).
		Shows(t, "Counted. Difference: -1.")
	if n := apptest.Value[int](t, s.World, "select on_hand from stock_levels"); n != 9 {
		t.Errorf("%d on hand, want 9", n)
	}
	owner.Send(owner.Get("/products/count?code=mat").Forms("/products/count")[1], quantityOf(mat), "9").
		Shows(t, "The count was as expected.")
}

// TestScanSeveral: several rows are saved together, or none of them, with the refusal at its row.
func TestScanSeveral(t *testing.T) {
	s, v, there := twoPlaces(t)
	p := add(t, s, "Strap", product.CreateVariantInput{PriceAmount: 900, Track: true})
	strap := variants(t, s, p)[0]
	owner := s.As(t, consoletest.Owner)
	owner.Get("/products/count").Is(t, 200).Shows(t, "Harbour", "Riverside").Silent(t, "SKU or barcode")
	form := owner.Get("/products/count?location="+there.ID.String()).Is(t, 200).Forms("/products/count")[1]
	form.Values["item"] = []string{itemOf(v, 1), itemOf(strap, 7)}
	refused := owner.Send(form, quantityOf(v), "5", quantityOf(strap), "3").Is(t, 400)
	refused.Shows(t, "There is no such move of this variant here.", "Yoga mat", "Strap")
	if n := apptest.Value[int](t, s.World, "select on_hand from stock_levels where location_id = $1", there.ID); n != 7 {
		t.Errorf("%d on hand", n)
	}
	form = owner.Get("/products/count?location=" + there.ID.String()).Forms("/products/count")[1]
	form.Values["item"] = []string{itemOf(v, 1), itemOf(strap, 0)}
	owner.Send(form, quantityOf(v), "5", quantityOf(strap), "3").Is(t, 200).Shows(t, "Counted. Difference: +1.")

	// The front desk of one location receives there, and counts nowhere.
	s.Join(t, "desk@team.example.com", apptest.At(policy.FrontDesk, s.Location.ID))
	desk := s.SignedIn(t, "desk@team.example.com")
	desk.Get("/products").Is(t, 200).Shows(t, "Receive stock").Silent(t, "Count stock")
	desk.Get("/products/receive").Is(t, 200).Shows(t, "SKU or barcode")
	desk.Get("/products/receive?location="+uuid.NewString()).Is(t, 200).Shows(t, "SKU or barcode")
	desk.Get("/products/count").Is(t, 200).Shows(t, "You do not manage stock at any location.")
}
