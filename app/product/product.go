package product

import (
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/google/uuid"

	"foyer/app/catalog"
	"foyer/app/fault"
	"foyer/app/money"
	"foyer/app/names"
)

// State is the state of a product, as of an offering; the picture is in the package comment.
type State = catalog.State

// The states.
const (
	Draft     = catalog.Draft
	Published = catalog.Published
	Archived  = catalog.Archived
)

// Option is a property in which the variants of a product differ.
type Option struct {
	Name    string   `json:"name"`    // Size, Colour …
	Choices []string `json:"choices"` // in their order
}

// Product is a product of a business.
type Product struct {
	ID                uuid.UUID
	Name              string
	Description       string // plain text
	State             State
	Currency          money.Currency // of its prices
	TaxRateID         *uuid.UUID     // nil: untaxed
	RevenueCategoryID *uuid.UUID     // income category of its sales; nil: that of products
	Options           []Option       // up to three
	Variants          int            // that are not archived
	Version           int64
	CreatedAt         time.Time
	UpdatedAt         time.Time
}

// Key is the end of a page of a list of products, in the order of their names.
type Key struct {
	Name string
	ID   uuid.UUID
}

// The limits of a product.
const (
	NameMax        = 120 // characters
	DescriptionMax = 5000
	OptionsMax     = 3
	OptionNameMax  = 40
	ChoicesMax     = 100 // of an option
	ChoiceMax      = 60  // characters
	VariantsMax    = 100 // that are not archived
)

// The errors of this package besides wrong input, a missing feature and an unknown id.
var (
	// ErrArchived refuses to change an archived product.
	ErrArchived = fault.New(fault.Conflict, "product_archived", "This product is archived. Restore it first.")
	// ErrVariantArchived refuses to change an archived variant, and to change its stock other than by a count.
	ErrVariantArchived = fault.New(fault.Conflict, "variant_archived", "This variant is archived. Restore it first.")
	// ErrIncomplete refuses to publish a product without a variant.
	ErrIncomplete = fault.New(fault.Validation, "incomplete", "This product is incomplete. Fix the listed fields first.")
	// ErrVariantExists refuses a second variant with the same choices.
	ErrVariantExists = fault.New(fault.Conflict, "variant_exists", "Another variant of this product has these options.")
	// ErrSKUInUse and ErrBarcodeInUse: unique among the variants of a business that are not archived.
	ErrSKUInUse     = fault.New(fault.Conflict, "sku_in_use", "Another product has this SKU.")
	ErrBarcodeInUse = fault.New(fault.Conflict, "barcode_in_use", "Another product has this barcode.")
	// ErrTooManyVariants limits a product to VariantsMax.
	ErrTooManyVariants = fault.New(fault.Conflict, "too_many_variants", "A product has at most 100 variants.")
	// ErrUntracked refuses moves of stock that is not tracked.
	ErrUntracked = fault.New(fault.Conflict, "stock_not_tracked", "The stock of this variant is not tracked.")
	// ErrShort refuses to take more stock than is available. Details.available is the number.
	ErrShort = fault.New(fault.Conflict, "stock_short",
		"There is not enough stock available. Some may be held for customers.")
	// ErrFull bounds the stock of a variant at a location.
	ErrFull = fault.New(fault.Conflict, "stock_full", "A location holds at most 999,999 of a variant.")
	// ErrOtherCurrency refuses a transfer between locations with different currencies, and stock at a location with
	// another currency than the product's.
	ErrOtherCurrency = fault.New(fault.Conflict, "other_currency", "This location has another currency.")
	// ErrUnavailable refuses to sell a product that is not published, or a variant that is archived. ErrNotAtLocation
	// refuses to sell what a location does not have.
	ErrUnavailable   = fault.New(fault.Conflict, "product_unavailable", "This product is no longer available.")
	ErrNotAtLocation = fault.New(fault.Conflict, "not_sold_here", "This product is not sold at this location.")
)

// check trims the texts and records every error.
func (p *Product) check(c *fault.Checks) {
	p.Name = names.Clean(p.Name)
	checkLine(c, "name", p.Name, NameMax)
	c.That(p.Name != "", "name", "Give it a name.")
	p.Description = strings.TrimSpace(p.Description)
	c.That(utf8.RuneCountInString(p.Description) <= DescriptionMax, "description", "Use at most 5000 characters.")
	c.That(!strings.ContainsFunc(p.Description, func(r rune) bool {
		return r == utf8.RuneError || unicode.IsControl(r) && r != '\n'
	}), "description", unprintable)
	_, known := money.Lookup(p.Currency)
	c.That(known, "currency", "This is not a currency that can be used here.")
	c.That(len(p.Options) <= OptionsMax, "options", "Use at most 3 options.")
	for i := range p.Options {
		p.Options[i].check(c)
		c.That(!slices.ContainsFunc(p.Options[:i], func(o Option) bool { return names.Same(o.Name, p.Options[i].Name) }),
			"options", "Give each option another name.")
	}
	if p.Options == nil {
		p.Options = []Option{}
	}
}

func (o *Option) check(c *fault.Checks) {
	const field = "options"
	o.Name, o.Choices = names.Clean(o.Name), slices.Clone(o.Choices)
	c.That(o.Name != "", field, "Give each option a name.")
	checkLine(c, field, o.Name, OptionNameMax)
	c.That(len(o.Choices) > 0 && len(o.Choices) <= ChoicesMax, field, "Give each option 1 to 100 choices.")
	for i := range o.Choices {
		o.Choices[i] = names.Clean(o.Choices[i])
		c.That(o.Choices[i] != "", field, "Give each choice a name.")
		checkLine(c, field, o.Choices[i], ChoiceMax)
		c.That(!slices.ContainsFunc(o.Choices[:i], func(other string) bool { return names.Same(other, o.Choices[i]) }),
			field, "Name each choice of an option once.")
	}
}

const unprintable = "This contains a character that cannot be printed. Remove it."

// checkLine records errors of a text of one line, of at most so many characters.
func checkLine(c *fault.Checks, field, text string, most int) {
	c.That(utf8.RuneCountInString(text) <= most, field, "This text is too long.")
	control := func(r rune) bool { return r == utf8.RuneError || unicode.IsControl(r) }
	c.That(!strings.ContainsFunc(text, control), field, unprintable)
}

// incomplete returns ErrIncomplete if a published product lacks a variant.
func (p Product) incomplete() error {
	if p.State == Published && p.Variants == 0 {
		return ErrIncomplete.And("variants", "Add a variant with a price.")
	}
	return nil
}
