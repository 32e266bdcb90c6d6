// Package page has the form handling that pages of customers and screens of staff share: a verb runs once, its
// effects are those of the quote, and a refusal becomes an error with field names. Package view renders forms.
package page
