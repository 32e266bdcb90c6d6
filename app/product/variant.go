package product

import (
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"foyer/app/fault"
	"foyer/app/names"
)

// Variant is a product in one choice of each of its options.
type Variant struct {
	ID          uuid.UUID
	ProductID   uuid.UUID
	Choices     []string    // one of each option of the product, in their order
	SKU         string      `db:"sku,null"`
	Barcode     string      `db:",null"`
	BarcodeKind BarcodeKind `db:",null"` // empty without a barcode
	PriceAmount int64
	CostAmount  *int64     // purchase price; nil: unknown, or the caller lacks report.finance
	TrackedAt   *time.Time // its stock is tracked since then; nil: it is not
	BelowZero   bool       // sold although none is available
	ArchivedAt  *time.Time
	Version     int64
	CreatedAt   time.Time
	UpdatedAt   time.Time
	Levels      []Level // of the locations that the caller sees, in the order of their names
}

// Level is the stock of a variant at a location.
type Level struct {
	LocationID uuid.UUID `json:"location_id"`
	OnHand     int       `json:"on_hand"`
	Held       int       `json:"held"`        // of that: reserved for carts
	LastNumber int       `json:"last_number"` // of its moves
}

// Available is the stock that can be sold; negative below zero.
func (l Level) Available() int { return l.OnHand - l.Held }

// The limits of a variant.
const (
	SKUMax    = 60 // characters
	amountMax = 99_999_999
)

// check trims the texts, sets the kind of the barcode, and records every error. The product's options are another
// matter: see covers.
func (v *Variant) check(c *fault.Checks) {
	v.SKU, v.Barcode, v.BarcodeKind = names.Clean(v.SKU), strings.TrimSpace(v.Barcode), ""
	checkLine(c, "sku", v.SKU, SKUMax)
	if v.Barcode != "" {
		var ok bool
		v.BarcodeKind, ok = barcodeKind(v.Barcode)
		if v.BarcodeKind == Code128 {
			c.That(ok, "barcode", "Use at most 80 letters, digits and signs of a barcode.")
		} else {
			c.That(ok, "barcode", "The last digit does not match. Check the number.")
		}
	}
	c.That(v.PriceAmount >= 0 && v.PriceAmount <= amountMax, "price", "Use 0 to 99999999.")
	c.That(v.CostAmount == nil || *v.CostAmount >= 0 && *v.CostAmount <= amountMax, "cost", "Use 0 to 99999999.")
	v.Choices = slices.Clone(v.Choices)
	for i := range v.Choices {
		v.Choices[i] = names.Clean(v.Choices[i])
	}
	if v.Choices == nil {
		v.Choices = []string{}
	}
}

// covers reports whether choices are one of each option, spelled as there.
func covers(options []Option, choices []string) bool {
	if len(options) != len(choices) {
		return false
	}
	for i, o := range options {
		if !slices.Contains(o.Choices, choices[i]) {
			return false
		}
	}
	return true
}

// refit returns the choices of a variant after its product's options changed from one number to another: an added
// option begins with its first choice, and a removed one, of the last ones, is dropped.
func refit(options []Option, choices []string) []string {
	out := slices.Clone(choices[:min(len(choices), len(options))])
	for _, o := range options[len(out):] {
		out = append(out, o.Choices[0])
	}
	return out
}

// label is the name of a variant on receipts.
func label(product string, choices []string) string {
	if len(choices) == 0 {
		return product
	}
	return product + " (" + strings.Join(choices, ", ") + ")"
}
