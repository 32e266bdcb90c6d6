package view

import "time"

// PlanEnd is a plan that ends soon, in the mail to its customer.
type PlanEnd struct {
	Name    string
	Credits int       // left; 0: any number
	LastDay time.Time // noon of it
	Link    string    // absolute address of the studio's pages
}

// PlanEndsLetter is the mail about a plan that ends soon.
func PlanEndsLetter(f From, p PlanEnd) Letter {
	subject := f.T("{plan} ends on {date}", "plan", p.Name, "date", f.Date(p.LastDay))
	words := []string{f.T("Your plan at {studio} ends soon. Its last day is {date}.", "studio", f.named(),
		"date", f.Date(p.LastDay))}
	if p.Credits > 0 {
		words = append(words, f.N(p.Credits, "{n} credit is left. It pays for a class on or before that day.",
			"{n} credits are left. They pay for classes on or before that day."))
	}
	return f.notice(subject, words[0], Notice{
		Title: p.Name, Words: words, Button: f.T("Find a class"), Link: p.Link,
	})
}
