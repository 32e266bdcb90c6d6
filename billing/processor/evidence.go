package processor

import (
	"unicode/utf8"

	"foyer/app/fault"
)

// Evidence are the texts of a studio's evidence. Each may be empty.
type Evidence struct {
	Product       string `json:"product"`       // the item that was sold
	CustomerName  string `json:"customerName"`  // the customer's name
	CustomerEmail string `json:"customerEmail"` // the address of the receipt
	CustomerIP    string `json:"customerIp"`    // the address from which the customer agreed
	ServiceDate   string `json:"serviceDate"`   // the date of the service
	Attendance    string `json:"attendance"`    // the history: booked, checked in, cancelled
	Policy        string `json:"policy"`        // the cancellation policy as the customer saw it
	Refusal       string `json:"refusal"`       // the reason that nothing is refunded
	Other         string `json:"other"`         // anything more: the agreements, word for word
}

// The limits of evidence.
const (
	EvidenceMost     = 150_000 // characters of all texts together: the processor's limit
	EvidenceLineMost = 1000    // characters of a name, an address or a date
)

// each calls f with every text and its name.
func (w Evidence) each(f func(name, text string, most int)) {
	f("product", w.Product, EvidenceMost)
	f("customerName", w.CustomerName, EvidenceLineMost)
	f("customerEmail", w.CustomerEmail, EvidenceLineMost)
	f("customerIp", w.CustomerIP, EvidenceLineMost)
	f("serviceDate", w.ServiceDate, EvidenceLineMost)
	f("attendance", w.Attendance, EvidenceMost)
	f("policy", w.Policy, EvidenceMost)
	f("refusal", w.Refusal, EvidenceMost)
	f("other", w.Other, EvidenceMost)
}

// Validate returns a validation error if all texts are empty, or one is too long.
func (w Evidence) Validate() error {
	var c fault.Checks
	total := 0
	w.each(func(name, text string, most int) {
		n := utf8.RuneCountInString(text)
		total += n
		c.That(n <= most, name, "This is too long.")
	})
	c.That(total > 0, "other", "Enter at least one text.")
	c.That(total <= EvidenceMost, "other", "All texts together can have at most 150,000 characters.")
	return c.Err()
}
