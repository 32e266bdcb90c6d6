// Package page is what the pages of customers and the screens of staff do alike with a form: its verb runs once, what was promised is
// what happens, and a refusal comes back as trouble that names fields. How a form looks is in package view.
package page
