// Package terms compares what the page of a booking tells about cancelling it with the page that then asks, which has rehearsed it: no
// sentence may promise more, or threaten with more, than cancelling does. It reads pages as text, so that a walk over any studio's
// pages can use it. Amounts are compared as they are written.
package terms

import (
	"fmt"
	"html"
	"regexp"
	"strings"
)

// Told is what a page tells that cancelling costs now. An amount is as it is written, empty without one.
type Told struct {
	Refused  bool   // it cannot be cancelled
	Lost     string // does not come back
	Fee      string // to be paid
	Forgiven string // a fee that is let pass
}

// Agree tells whether a booking's page and the page that asks before it is cancelled tell the same; the error says how they differ.
// The first must be of a booking that stands.
func Agree(booking, cancelling string) error {
	sentence, told := Sentence(booking)
	if !told {
		return fmt.Errorf("terms: the booking's page does not say what cancelling costs")
	}
	said, does := Read(sentence), Outcomes(cancelling)
	if said != does {
		return fmt.Errorf("terms: %q says %+v, and cancelling does %+v", sentence, said, does)
	}
	return nil
}

var (
	items    = regexp.MustCompile(`(?s)<li>(.*?)</li>`)
	openings = []string{"Until ", "If you cancel, ", "Free to ", "This cannot be cancelled online"}
	tags     = regexp.MustCompile(`<[^>]*>`)
	spaces   = regexp.MustCompile(`\s+`)
)

func plain(markup string) string {
	return strings.TrimSpace(spaces.ReplaceAllString(html.UnescapeString(tags.ReplaceAllString(markup, " ")), " "))
}

// Sentence finds the sentence on a booking's page. told is false when there is none.
func Sentence(page string) (sentence string, told bool) {
	_, list, _ := strings.Cut(page, `<ul class="terms`)
	for _, m := range items.FindAllStringSubmatch(list, -1) {
		text := plain(m[1])
		for _, o := range openings {
			if strings.HasPrefix(text, o) {
				return text, true
			}
		}
	}
	return "", false
}

var (
	loses    = regexp.MustCompile(`\blose (?:only the service fee of )?(.+?)(?:, and the | and pay |;|\.?$)`)
	pays     = regexp.MustCompile(`\bpay (.+?)(?:;|\.?$)`)
	forgives = regexp.MustCompile(`\bthe (\S+) fee is forgiven`)
)

// Read reads what the sentence says of now: its first part, up to the next deadline. A course adds what holds before each of its
// dates, and "as now" when it does.
func Read(sentence string) Told {
	sentence, each, course := strings.Cut(sentence, "less than ")
	now, _, _ := strings.Cut(sentence, ";")
	fee := now
	if course && strings.Contains(each, ", as now,") {
		fee = each
	}
	if strings.HasPrefix(now, "This cannot be cancelled online") {
		return Told{Refused: true}
	}
	return Told{Lost: match(loses, now), Fee: match(pays, fee), Forgiven: match(forgives, fee)}
}

func match(in *regexp.Regexp, text string) string {
	if m := in.FindStringSubmatch(text); m != nil {
		return m[1]
	}
	return ""
}

var (
	outcome    = regexp.MustCompile(`(?s)<dt>(.*?)</dt>\s*<dd>(.*?)</dd>`)
	amount     = regexp.MustCompile(`(?s)<strong[^>]*>(.*?)</strong>`)
	isForgiven = regexp.MustCompile(`the fee of (\S+) is forgiven`)
)

// Outcomes reads the page that asks. Any other page is a refusal.
func Outcomes(page string) Told {
	_, list, asks := strings.Cut(page, `<dl class="outcome"`)
	if !asks {
		return Told{Refused: true}
	}
	var out Told
	for _, m := range outcome.FindAllStringSubmatch(list, -1) {
		written := plain(match(amount, m[2]))
		switch plain(m[1]) {
		case "Not paid back":
			out.Lost = written
		case "Fee":
			out.Fee, out.Forgiven = written, match(isForgiven, plain(m[2]))
		}
	}
	return out
}
