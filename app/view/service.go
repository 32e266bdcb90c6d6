package view

import (
	"strconv"
	"time"
)

// Service is an appointment or a rental: its choices, and the free times for them.
type Service struct {
	About // length and price are those of the choice
	Times
	Party  int     // number of people that the times are for
	Sum    Price   // price for the whole party
	Chosen *Chosen // the time selected by the customer
	Near   []Time  // alternatives to a time that is no longer free
	Reset  *Link   // a link to more times, when the choice has none
	Form   Form    // books the time of the pressed button, posted as "start"; not offered while booking is impossible
	Note   string  // why booking is impossible now
}

// Choice is a row of links, one of them selected.
type Choice struct {
	Name    string // "Length"
	Options []ChoiceOption
}

// ChoiceOption is one option of a choice.
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

// sums returns the price of a party when every person pays.
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

// cost returns the price as a fact: "$15 each".
func (v About) cost(w Words) string {
	if v.Each && v.Price.Minor > 0 {
		return w.T("{price} each", "price", w.MoneyShort(*v.Price))
	}
	return w.MoneyShort(*v.Price)
}

// PartOfDay is a group of times within a day, with a name.
type PartOfDay struct {
	Name  string
	Times []Time
}

// fewTimes is the most times that a day shows undivided.
const fewTimes = 6

// Parts divides a day with many times into morning, afternoon and evening. A day with few times has one part without
// a name.
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

// StartValue returns the form value of a start.
func StartValue(t time.Time) string { return t.UTC().Format(time.RFC3339) }

func choiceID(n int) string { return "choice-" + strconv.Itoa(n) }
