package accounting

import (
	"math"
	"slices"
	"strings"

	"foyer/app/accounting/ledgeronline"
	"foyer/app/money"
)

// Points of an account for a row. An account with the preferred type and subtype reaches leastScore without any word
// of its name: it is proposed if no other account does.
const (
	pointsSubType     = 40 // the first preferred subtype
	pointsLastSubType = 25 // the last one; those between them are spread evenly
	pointsType        = 20 // the type that the category's account would be created with
	pointsExactName   = 60
	pointsName        = 40 // times the similarity of the words; less than an exact name by the lead and the trigrams
	pointsTrigrams    = 10
	pointsTax         = 15 // percentage or name of the tax rate
	pointsNotes       = 5  // a word of the account number or description
	otherCategory     = 30 // less for a word of another category
	confirmedForOther = 15 // less for an account that is confirmed for another row, except in rows of expenses

	leastScore = 60 // to be proposed
	leastLead  = 10 // over the second account, so that ambiguous names are not proposed
)

// Chart is a company's chart of accounts, prepared for ranking. Its methods are safe for concurrent use.
type Chart struct {
	candidates []candidate
	terms      map[string]termID // of all names and notes
}

// termID is the number of a term in one chart: comparing all accounts with all rows compares mostly terms.
type termID int32

// unknown is the id of a term that no account has.
const unknown termID = -1

// candidate is an account that may be proposed.
type candidate struct {
	account  ledgeronline.Account
	names    []accountName // the qualified name; of a subaccount also the last part
	words    []string      // of the qualified name, in order
	percents []int64       // percentages in the qualified name, in parts per million
	notes    []termID      // of the number and description
	owned    []ownedTerm
}

// accountName is a name in the forms in which it is compared.
type accountName struct {
	plain    string   // see plainOf
	terms    []termID // see termsOf
	trigrams trigrams
}

// ownedTerm is a term of a name that belongs to categories with the type of the account, or to no category.
type ownedTerm struct {
	term   termID
	owners []Category
}

// NewChart returns the chart for ranking. Accounts that are inactive, in another currency than home or kept by the
// provider itself are not part of it: none is ever proposed.
func NewChart(accounts []ledgeronline.Account, home money.Currency) *Chart {
	c := &Chart{candidates: make([]candidate, 0, len(accounts)), terms: map[string]termID{}}
	for _, a := range accounts {
		if a.Active && (a.Currency == "" || a.Currency == home) && !keptByProvider(a) {
			c.candidates = append(c.candidates, c.candidate(a))
		}
	}
	return c
}

// keptByProvider reports whether it is the account of a tax agency, or of taxes not filed yet. The provider computes
// their balances from its own sales forms, so journal entries do not belong there.
func keptByProvider(a ledgeronline.Account) bool {
	return a.SubType == subGlobalTaxPayable || a.SubType == subGlobalTaxSuspense
}

func (c *Chart) candidate(a ledgeronline.Account) candidate {
	words := wordsOf(a.Name)
	out := candidate{
		account: a, names: []accountName{c.name(a.Name)}, words: withoutBreaks(words), percents: percentsOf(a.Name),
	}
	if i := strings.LastIndexByte(a.Name, ':'); i >= 0 {
		out.names = append(out.names, c.name(a.Name[i+1:]))
	}
	if a.Number != "" || a.Description != "" {
		out.notes = c.add(termsOf(wordsOf(a.Number + "; " + a.Description)))
	}
	for _, term := range ownTermsOf(words) {
		of := slices.DeleteFunc(slices.Clone(owners[term]), func(c Category) bool { return !c.Allows(a.Type) })
		if len(of) > 0 || unrelated[term] {
			out.owned = append(out.owned, ownedTerm{c.add([]string{term})[0], of})
		}
	}
	return out
}

func (c *Chart) name(name string) accountName {
	words := wordsOf(name)
	return accountName{
		plain: plainOf(name), terms: c.add(termsOf(words)), trigrams: trigramsOf(withoutBreaks(words)),
	}
}

// add returns the ids of terms, new ones for those that the chart does not have yet.
func (c *Chart) add(terms []string) []termID {
	out := make([]termID, len(terms))
	for i, term := range terms {
		id, ok := c.terms[term]
		if !ok {
			id = termID(len(c.terms))
			c.terms[term] = id
		}
		out[i] = id
	}
	return out
}

// find returns the ids of terms, unknown for those that the chart does not have.
func (c *Chart) find(terms []string) []termID {
	out := make([]termID, len(terms))
	for i, term := range terms {
		id, ok := c.terms[term]
		if !ok {
			id = unknown
		}
		out[i] = id
	}
	return out
}

// Propose returns the account of the chart that fits a row best, nil if none does or if the choice is ambiguous. A
// proposal is only shown: a person confirms it. The result does not depend on the order of the chart. A131.
//
// The name and rate (in parts per million) are those of the tax rate; a revenue category has a name. confirmed has the
// ids of the accounts that are confirmed, by the key of their row.
//
// An account must have a type of the category. Points are given for its subtype, its type and its name (see the
// constants); the best account is returned if it has leastScore points and leastLead more than the second. An account
// with the name of CreateName, of any allowed type, needs no points, unless another row has it.
func (c *Chart) Propose(row Row, name string, ppm int64, confirmed map[string]string) *ledgeronline.Account {
	r := c.rank(c.target(row, name, ppm, confirmed))
	if r.exact != nil {
		return &r.exact.account
	}
	if r.best == nil || r.score < leastScore || r.score-max(r.second, 0) < leastLead {
		return nil
	}
	return &r.best.account
}

// target is a row in the form in which accounts are compared with it.
type target struct {
	category  Category
	spec      Spec
	name      accountName // of CreateName
	ownTerms  []termID    // of the name; they are no terms of another category
	rateWords []string    // of the tax rate's name
	ppm       int64
	elsewhere map[string]bool // accounts confirmed for other rows
}

func (c *Chart) target(row Row, name string, ppm int64, confirmed map[string]string) *target {
	own := CreateName(row.Category, name)
	words := wordsOf(own)
	t := &target{
		category: row.Category, spec: row.Category.Spec(), ppm: ppm, ownTerms: c.find(ownTermsOf(words)),
		name: accountName{
			plain: plainOf(own), terms: c.find(termsOf(words)), trigrams: trigramsOf(withoutBreaks(words)),
		},
	}
	if row.Category == LiabilitySalesTax {
		t.rateWords = withoutBreaks(wordsOf(name))
	}
	// Several expenses often share an account.
	if t.spec.Type == typeExpense {
		return t
	}
	key := row.Key()
	t.elsewhere = make(map[string]bool, len(confirmed))
	for k, id := range confirmed {
		if k != key {
			t.elsewhere[id] = true
		}
	}
	return t
}

// ranking is the result of comparing all accounts with a row.
type ranking struct {
	exact         *candidate // the only one with the name of CreateName
	best          *candidate
	score, second int // second is math.MinInt without a second account
}

func (c *Chart) rank(t *target) ranking {
	r := ranking{score: math.MinInt, second: math.MinInt}
	exact := 0
	for i := range c.candidates {
		a := &c.candidates[i]
		if !slices.Contains(t.spec.Types, a.account.Type) {
			continue
		}
		if a.names[0].plain == t.name.plain && !t.elsewhere[a.account.ID] {
			r.exact = a
			exact++
		}
		switch score := t.score(a); {
		case score > r.score:
			r.best, r.score, r.second = a, score, r.score
		case score > r.second:
			r.second = score
		}
	}
	if exact > 1 { // names that differ in accents
		r.exact = nil
	}
	return r
}

// score returns the points of an account that has a type of the category.
func (t *target) score(a *candidate) int {
	points := t.subTypePoints(a.account.SubType) + t.namePoints(a)
	if a.account.Type == t.spec.Type {
		points += pointsType
	}
	if t.category == LiabilitySalesTax && t.namesRate(a) {
		points += pointsTax
	}
	if common(a.notes, t.name.terms) > 0 {
		points += pointsNotes
	}
	if slices.ContainsFunc(a.owned, t.foreign) {
		points -= otherCategory
	}
	if t.elsewhere[a.account.ID] {
		points -= confirmedForOther
	}
	return points
}

// namesRate reports whether the account has the percentage of the tax rate in its name, or no percentage and the
// rate's name: "VAT 5%" is not the account of another VAT.
func (t *target) namesRate(a *candidate) bool {
	if len(a.percents) > 0 {
		return slices.Contains(a.percents, t.ppm)
	}
	return hasPhrase(a.words, t.rateWords)
}

func (t *target) subTypePoints(subType string) int {
	i, n := slices.Index(t.spec.SubTypes, subType), len(t.spec.SubTypes)
	switch {
	case i < 0:
		return 0
	case i == 0:
		return pointsSubType
	}
	return pointsSubType - i*(pointsSubType-pointsLastSubType)/(n-1)
}

// namePoints compares the name of CreateName with the qualified name and with its last part: "Class packs" and
// "Classes:Packs" are the same account to a person.
func (t *target) namePoints(a *candidate) int {
	most := 0
	for i := range a.names {
		n := &a.names[i]
		if n.plain == t.name.plain {
			return pointsExactName
		}
		points := 0
		if both := common(n.terms, t.name.terms); both > 0 {
			all := len(n.terms) + len(t.name.terms) - both
			points = (pointsName*both + all/2) / all
		}
		if similar(n.trigrams, t.name.trigrams) {
			points += pointsTrigrams
		}
		most = max(most, points)
	}
	return most
}

// foreign reports whether a term belongs to other accounts than those of the row.
func (t *target) foreign(o ownedTerm) bool {
	return !slices.Contains(o.owners, t.category) && !slices.Contains(t.ownTerms, o.term)
}
