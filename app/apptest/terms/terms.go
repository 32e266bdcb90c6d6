// Package terms compares the cancellation terms on a booking's page with the page that confirms its cancellation,
// from a dry run: no sentence may promise more, or threaten with more, than cancelling does. It reads pages as text,
// so that a walk over any studio's pages can use it, and finds their terms by the sentences of package view, in the
// language of the page. Amounts are compared as they are written.
package terms

import (
	"fmt"
	"html"
	"regexp"
	"slices"
	"strings"

	"foyer/app/hosted/my"
	"foyer/app/view"
	"foyer/app/words"
)

// Told is the cost of cancelling now according to a page. An amount is as it is written, empty without one.
type Told struct {
	Refused bool   // it cannot be cancelled
	Lost    string // does not come back
	Fee     string // to be paid
	Waived  string // a fee that is let pass
}

// Agree compares a booking's page with the page that confirms its cancellation; the error describes the difference.
// The booking must not be cancelled.
func Agree(booking, cancelling string) error {
	l := language(booking)
	sentence, said, told := Sentence(l, booking)
	if !told {
		return fmt.Errorf("terms: the booking's page has no cancellation terms in %q", l.Tag())
	}
	if does := Outcomes(l, cancelling); said != does {
		return fmt.Errorf("terms: %q means %+v, but cancelling has the effects %+v", sentence, said, does)
	}
	return nil
}

var (
	tongue = regexp.MustCompile(`<html[^>]* lang="([^"]*)"`)
	items  = regexp.MustCompile(`(?s)<li>(.*?)</li>`)
	tags   = regexp.MustCompile(`<[^>]*>`)
	spaces = regexp.MustCompile(`\s+`)
)

// language returns the language of a page; English for a fragment without one.
func language(page string) *words.Lang { return words.In(first(tongue, page)) }

func plain(markup string) string {
	return strings.TrimSpace(spaces.ReplaceAllString(html.UnescapeString(tags.ReplaceAllString(markup, " ")), " "))
}

// Sentence finds the sentence on a booking's page, and its terms for now. ok is false if there is none.
func Sentence(l *words.Lang, page string) (sentence string, told Told, ok bool) {
	_, list, _ := strings.Cut(page, `<ul class="terms`)
	for _, m := range items.FindAllStringSubmatch(list, -1) {
		sentence = plain(m[1])
		if told, ok = Read(l, sentence); ok {
			return sentence, told, true
		}
	}
	return "", Told{}, false
}

// clauses are the costs, longer ones before others with the same beginning.
var clauses = []words.Text{
	view.CostsServiceFeeWaivedNth, view.CostsPriceWaivedNth, view.CostsWaivedNth,
	view.CostsServiceFeeWaived, view.CostsPriceWaived, view.CostsWaived,
	view.CostsServiceAndFee, view.CostsBoth, view.CostsServiceFee, view.CostsAlsoPrice, view.CostsPrice, view.CostsAlsoFee, view.CostsFee,
}

// forgiving are those that waive {fee}.
var forgiving = clauses[:6]

// Read reads the terms for now of a sentence: its first clause, up to the next deadline. A course adds the terms
// before each of its dates, and their present state. ok is false for any other sentence.
func Read(l *words.Lang, sentence string) (told Told, ok bool) {
	if says(l, view.CostOnceConfirmed, sentence) {
		return Told{}, true
	}
	between := strings.NewReplacer("{before}", "", "{clause}", "").Replace(l.T(view.CostAnd))
	parts := strings.Split(strings.TrimSuffix(sentence, "."), between)
	now, last := parts[0], parts[len(parts)-1]
	if says(l, view.CostNotOnline, now) {
		return Told{Refused: true}, true
	}
	for _, frame := range []words.Text{view.CostNever, view.CostNeverCourse, view.CostUntilFree, view.CostUntilBack} {
		ok = ok || says(l, frame, now)
	}
	for _, frame := range []words.Text{view.CostFreeBeforeEachNow, view.CostNow, view.CostUntil} {
		if !ok {
			told, ok = costs(l, frame, now)
		}
	}
	if !ok {
		_, ok = costs(l, view.CostFreeBeforeEach, now)
	}
	if each, so := costs(l, view.CostBeforeEachNow, last); so {
		told.Fee, told.Waived = each.Fee, each.Waived
	}
	return told, ok
}

// says reports whether a part matches a frame with any values for its placeholders.
func says(l *words.Lang, frame words.Text, part string) bool {
	return regexp.MustCompile("^" + pattern(l.T(frame), nil) + "$").MatchString(part)
}

// costs reads a frame with its costs.
func costs(l *words.Lang, frame words.Text, part string) (Told, bool) {
	for _, clause := range clauses {
		amounts := map[string]string{"price": "(?P<lost>.+?)", "fee": "(?P<fee>.+?)"}
		if slices.Contains(forgiving, clause) {
			amounts["fee"] = "(?P<forgiven>.+?)"
		}
		in := regexp.MustCompile("^" + pattern(l.T(frame), map[string]string{"cost": pattern(l.T(clause), amounts)}) + "$")
		m := in.FindStringSubmatch(part)
		if m == nil {
			continue
		}
		group := func(name string) string {
			if i := in.SubexpIndex(name); i >= 0 {
				return m[i]
			}
			return ""
		}
		return Told{Lost: group("lost"), Fee: group("fee"), Waived: group("forgiven")}, true
	}
	return Told{}, false
}

var place = regexp.MustCompile(`\\\{([a-zA-Z]+)\\\}`)

// pattern is a sentence with the values of its placeholders; any text for those without a value.
func pattern(sentence string, places map[string]string) string {
	return place.ReplaceAllStringFunc(regexp.QuoteMeta(sentence), func(p string) string {
		if in, given := places[strings.Trim(p, `\{}`)]; given {
			return in
		}
		return ".+?"
	})
}

func first(in *regexp.Regexp, text string) string {
	if m := in.FindStringSubmatch(text); m != nil {
		return m[1]
	}
	return ""
}

var (
	outcome = regexp.MustCompile(`(?s)<dt>(.*?)</dt>\s*<dd>(.*?)</dd>`)
	amount  = regexp.MustCompile(`(?s)<strong[^>]*>(.*?)</strong>`)
)

// Outcomes reads the confirmation page. Any other page is a refusal.
func Outcomes(l *words.Lang, page string) Told {
	_, list, asks := strings.Cut(page, `<dl class="outcome"`)
	if !asks {
		return Told{Refused: true}
	}
	forgiven := regexp.MustCompile(pattern(l.T(my.OutcomeWaived), map[string]string{"fee": "(.+?)"}) + "$") // or the dot of an amount ends it
	var out Told
	for _, m := range outcome.FindAllStringSubmatch(list, -1) {
		written := plain(first(amount, m[2]))
		switch plain(m[1]) {
		case l.T(my.OutcomeLost):
			out.Lost = written
		case l.T(my.OutcomeFee):
			out.Fee, out.Waived = written, first(forgiven, plain(m[2]))
		}
	}
	return out
}
