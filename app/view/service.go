package view

import (
	"strconv"
	"time"
)

// Service is an appointment or a rental: what can be chosen about it, and the times that are free for that choice.
type Service struct {
	About // length and price are those of the choice
	Times
	Party  int     // how many people the times are for
	Sum    Price   // what the whole party pays
	Chosen *Chosen // the time that the customer came with
	Near   []Time  // times that stand in for one that was taken
	Reset  *Link   // a way to more times, when the choice leaves none
	Form   Form    // books the time of the button that is pressed, posted as "start"; not offered while nothing can be booked
	Note   string  // why nothing can be booked now
}

// Choice is a row of links of which one is chosen.
type Choice struct {
	Name    string // "Length"
	Options []ChoiceOption
}

// ChoiceOption is one way to choose.
type ChoiceOption struct {
	Text   string
	Note   string // "$22"; may be empty
	Href   string
	Chosen bool
}

// Select is a choice as a field of the form that goes to a date.
type Select struct {
	Name, Label string
	Value       string
	Options     []Option
}

// sums says what a party pays when every one of them pays.
func (v Service) sums(w Words) string {
	if !v.Each || v.Party < 2 || v.Price.Minor == 0 {
		return ""
	}
	if v.Sum.Minor != int64(v.Party)*v.Price.Minor { // tax and fees are rounded once, on the sum
		return w.T("{people}: {sum}", "people", w.People(v.Party), "sum", w.Money(v.Sum))
	}
	each := Price{Minor: v.Price.Minor, Currency: v.Price.Currency}
	return w.T("{people} × {price} = {sum}", "people", w.People(v.Party), "price", w.Money(each), "sum", w.Money(v.Sum))
}

// cost is the price as a fact: "$15 each".
func (v About) cost(w Words) string {
	if v.Each && v.Price.Minor > 0 {
		return w.T("{price} each", "price", w.MoneyShort(*v.Price))
	}
	return w.MoneyShort(*v.Price)
}

// PartOfDay is some times of a day under a word.
type PartOfDay struct {
	Name  string
	Times []Time
}

// fewTimes is up to how many times a day shows them without parting it.
const fewTimes = 6

// Parts parts a day with many times into morning, afternoon and evening; one with few has one part without a name.
func (d TimesDay) Parts(w Words) []PartOfDay {
	if len(d.Times) <= fewTimes {
		return []PartOfDay{{Times: d.Times}}
	}
	var out []PartOfDay
	for _, t := range d.Times {
		name := w.T("Morning")
		switch hour := w.in(t.Start).Hour(); {
		case hour >= 17:
			name = w.T("Evening")
		case hour >= 12:
			name = w.T("Afternoon")
		}
		if n := len(out); n == 0 || out[n-1].Name != name {
			out = append(out, PartOfDay{Name: name})
		}
		last := &out[len(out)-1]
		last.Times = append(last.Times, t)
	}
	return out
}

// StartValue is how a button names the time it books.
func StartValue(t time.Time) string { return t.UTC().Format(time.RFC3339) }

func choiceID(n int) string { return "choice-" + strconv.Itoa(n) }
