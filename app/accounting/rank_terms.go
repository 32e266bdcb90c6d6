package accounting

import (
	"math/bits"
	"slices"
	"strings"
	"unicode"

	"foyer/app/names"
)

// wordBreak stands among the words of a name where a sign separates two words more than a space does. "Service/Fee
// income" is not about service fees.
const wordBreak = ""

// wordsOf returns the words of a name in lower case without accents, and the breaks between them.
func wordsOf(name string) []string {
	var out []string
	begin := -1
	folded := searchable(name)
	for i, r := range folded {
		if unicode.In(r, unicode.L, unicode.M, unicode.Nd) {
			if begin < 0 {
				begin = i
			}
			continue
		}
		if begin >= 0 {
			out = append(out, folded[begin:i])
			begin = -1
		}
		if r != ' ' && r != '-' {
			out = append(out, wordBreak)
		}
	}
	if begin >= 0 {
		out = append(out, folded[begin:])
	}
	return out
}

func withoutBreaks(words []string) []string {
	return slices.DeleteFunc(slices.Clone(words), func(word string) bool { return word == wordBreak })
}

// plainOf returns a whole name, signs included, as it is compared with the name of CreateName.
func plainOf(name string) string { return strings.Join(strings.Fields(searchable(name)), " ") }

// searchable returns names.Search of a name, up to the spaces around its words.
func searchable(name string) string {
	if strings.ContainsFunc(name, func(r rune) bool { return r > unicode.MaxASCII }) {
		return names.Search(name)
	}
	return strings.ToLower(name) // the same, ten times as fast
}

// synonyms are the words of one thing in the names of accounts, each under one of them. Words are in the singular.
var synonyms = map[string]string{
	"group":         "class",
	"appointment":   "session",
	"private":       "session",
	"room":          "space",
	"rental":        "space",
	"package":       "pack",
	"retail":        "product",
	"merchandise":   "product",
	"stripe":        "processor",
	"card":          "processor",
	"merchant":      "processor",
	"processing":    "processor",
	"vat":           "sales tax",
	"gst":           "sales tax",
	"chargeback":    "dispute",
	"undeposited":   "clearing",
	"uncategorised": "uncategorized",
}

// phrases are two words with one meaning, each with its terms.
var phrases = map[[2]string][]string{
	{"service", "fee"}: {"booking", "fee"},
	{"sale", "tax"}:    {"sales tax"},
	{"income", "tax"}:  {"income tax"},
}

// silent are words that most accounts of a type have, or could have: they make no account fit better than another.
var silent = map[string]bool{
	"income": true, "revenue": true, "sale": true, "account": true, "expense": true,
	"a": true, "and": true, "at": true, "by": true, "for": true, "from": true, "in": true, "of": true, "on": true,
	"the": true, "to": true,
}

// termsOf returns the different terms of a name: its words in the singular, without those that are silent or numbers,
// with one word for all synonyms.
func termsOf(words []string) []string {
	var out []string
	for i := 0; i < len(words); i++ {
		terms := []string{singular(words[i])}
		if i+1 < len(words) {
			if phrase, ok := phrases[[2]string{terms[0], singular(words[i+1])}]; ok {
				terms = phrase
				i++
			}
		}
		for _, term := range terms {
			if s, ok := synonyms[term]; ok {
				term = s
			}
			if term != wordBreak && !silent[term] && !isNumber(term) && !slices.Contains(out, term) {
				out = append(out, term)
			}
		}
	}
	return out
}

// bookingFee is a term of owners only: "Booking fees" and "Booking platform fees" have to have terms in common.
const bookingFee = "booking fee"

// ownTermsOf returns the terms of a name that owners may have.
func ownTermsOf(words []string) []string {
	out := termsOf(words)
	for i := 1; i < len(words); i++ {
		if first := singular(words[i-1]); (first == "booking" || first == "service") && singular(words[i]) == "fee" {
			out = append(out, bookingFee)
		}
	}
	return out
}

// owners are the categories that a term belongs to. A term counts only against accounts that its categories allow:
// bank charges are no bank account.
var owners = map[string][]Category{
	"class":         {IncomeClass},
	"session":       {IncomeSession},
	"space":         {IncomeSpace},
	"membership":    {IncomeMembership},
	"subscription":  {IncomeMembership},
	"pack":          {IncomePack},
	"pass":          {IncomePack},
	"product":       {IncomeProduct},
	"credit":        {IncomeOther},
	"gift":          {IncomeOther},
	"deferred":      {IncomeMembership, IncomePack, IncomeOther},
	"unearned":      {IncomeMembership, IncomePack, IncomeOther},
	"uncategorized": {IncomeUncategorized},
	bookingFee:      {IncomeBookingFee, ExpenseBookingFees},
	"sales tax":     {LiabilitySalesTax},
	"processor":     {ExpenseProcessorFees, ExpenseProcessorOther, ClearingProcessor},
	"platform":      {ExpenseBookingFees},
	"dispute":       {ExpenseDisputes, ExpenseDisputeFees},
	"clearing":      {ClearingProcessor, ClearingTrx},
	"external":      {ClearingTrx, ExpenseTrxFees},
	"terminal":      {ClearingTrx, ExpenseTrxFees},
	"clover":        {ClearingTrx, ExpenseTrxFees}, // other companies that process payments, from here
	"paypal":        {ClearingTrx, ExpenseTrxFees},
	"quickbook":     {ClearingTrx, ExpenseTrxFees},
	"square":        {ClearingTrx, ExpenseTrxFees},
	"sumup":         {ClearingTrx, ExpenseTrxFees},
	"zettle":        {ClearingTrx, ExpenseTrxFees},
	"cash":          {AssetCashOnHand},
	"till":          {AssetCashOnHand},
	"drawer":        {AssetCashOnHand},
	"bank":          {AssetBank},
	"checking":      {AssetBank},
	"saving":        {AssetBank},
}

// unrelated are terms of accounts that belong to no category, as default charts have them, although their subtype is a
// preferred one.
var unrelated = map[string]bool{
	"uncategorized": true, "suspense": true, // the provider's own, of every type
	"billable": true, "discount": true, "interest": true, "late": true, "markup": true, "shipping": true,
	"unapplied": true, "corporation": true, "income tax": true, "payroll": true,
	"employee": true, "inventory": true, "loan": true, "prepaid": true, "prepayment": true,
}

// singular returns an English word without the ending of its plural. Both names in a comparison are cut alike, so it
// may err.
func singular(word string) string {
	end := func(suffixes ...string) bool {
		return slices.ContainsFunc(suffixes, func(s string) bool { return strings.HasSuffix(word, s) })
	}
	switch {
	case len(word) < 4 || !end("s") || end("ss", "us", "is"):
		return word
	case end("ies"):
		return word[:len(word)-3] + "y"
	case end("sses", "xes", "ches", "shes"):
		return word[:len(word)-2]
	}
	return word[:len(word)-1]
}

func isNumber(word string) bool {
	return !strings.ContainsFunc(word, func(r rune) bool { return !unicode.IsDigit(r) })
}

// percentsOf returns the percentages in a name, in parts per million: numbers with a percent sign, and those with a
// decimal point, as "NY 8.875".
func percentsOf(name string) []int64 {
	if !strings.ContainsFunc(name, unicode.IsDigit) {
		return nil
	}
	var out []int64
	for rest := searchable(name); ; {
		i := strings.IndexFunc(rest, isDigit)
		if i < 0 {
			return out
		}
		whole := leadingDigits(rest[i:])
		rest = rest[i+len(whole):]
		var fraction string
		point := strings.HasPrefix(rest, ".")
		if point || strings.HasPrefix(rest, ",") {
			fraction = leadingDigits(rest[1:])
		}
		if fraction != "" {
			rest = rest[1+len(fraction):]
		}
		if strings.HasPrefix(strings.TrimSpace(rest), "%") || point && fraction != "" {
			if ppm, ok := partsPerMillion(whole, fraction); ok {
				out = append(out, ppm)
			}
		}
	}
}

// partsPerMillion returns the value of a percentage; false for one that no tax rate can have.
func partsPerMillion(whole, fraction string) (int64, bool) {
	const places = 4 // of a percentage in parts per million
	fraction = strings.TrimRight(fraction, "0")
	if len(fraction) > places || len(whole) > 3 {
		return 0, false
	}
	var ppm int64
	for _, r := range whole + fraction + strings.Repeat("0", places-len(fraction)) {
		ppm = 10*ppm + int64(r-'0')
	}
	return ppm, true
}

func isDigit(r rune) bool { return r >= '0' && r <= '9' }

func leadingDigits(s string) string {
	return s[:len(s)-len(strings.TrimLeftFunc(s, isDigit))]
}

// trigrams is a set of trigrams. Each has one of 64 bits, so that most pairs of sets are compared by their bits alone.
type trigrams struct {
	sorted []uint64 // the three characters, 21 bits each
	bits   uint64
}

// trigramsOf returns the trigrams of words as pg_trgm forms them: of each word with two spaces before and one behind
// it.
func trigramsOf(words []string) trigrams {
	size := 0
	for _, word := range words {
		size += len(word) + 1
	}
	var t trigrams
	t.sorted = make([]uint64, 0, size)
	for _, word := range words {
		window := uint64(' ')<<21 | uint64(' ')
		for _, r := range word + " " {
			window = window<<21&(1<<63-1) | uint64(r)
			t.sorted = append(t.sorted, window)
		}
	}
	slices.Sort(t.sorted)
	t.sorted = slices.Compact(t.sorted)
	for _, x := range t.sorted {
		t.bits |= 1 << (x * 0x9e3779b97f4a7c15 >> 58) // a multiplicative hash
	}
	return t
}

// similar reports whether two sets of trigrams have a similarity of at least 0.6: their common ones in proportion to
// all.
func similar(a, b trigrams) bool {
	enough := func(both int) bool { return both > 0 && 8*both >= 3*(len(a.sorted)+len(b.sorted)) } // 0.6 is 3/(8-3)
	most := min(len(a.sorted)-bits.OnesCount64(a.bits&^b.bits), len(b.sorted)-bits.OnesCount64(b.bits&^a.bits))
	if !enough(most) {
		return false
	}
	both := 0
	for i, j := 0, 0; i < len(a.sorted) && j < len(b.sorted); {
		switch x, y := a.sorted[i], b.sorted[j]; {
		case x < y:
			i++
		case x > y:
			j++
		default:
			both, i, j = both+1, i+1, j+1
		}
	}
	return enough(both)
}

// common returns the number of terms in both sets.
func common(a, b []termID) int {
	n := 0
	for _, x := range a {
		for _, y := range b {
			if x == y {
				n++
			}
		}
	}
	return n
}

// hasPhrase reports whether the words of the phrase follow each other in a name.
func hasPhrase(words, phrase []string) bool {
	for i := range len(words) - len(phrase) + 1 {
		if len(phrase) > 0 && slices.Equal(words[i:i+len(phrase)], phrase) {
			return true
		}
	}
	return false
}
