package ledgersim

import (
	"regexp"
	"strconv"
	"strings"
)

// The grammar of queries, of which the original knows more:
//
//	select * from Account [where Active = true | where Active in (true, false) | where Name = '…']
//	select * from JournalEntry where DocNumber = '…'
//	select * from Deposit where TxnDate = '…'
//
// each with an optional startposition, from 1, and maxresults, up to 1000. Keywords and names of entities can have any
// letter case, names of members cannot. In a text, \' is a quote and \\ a backslash.
var (
	queryForm = regexp.MustCompile(`(?is)^\s*select \* from (\w+)(?: where (.*?))?` +
		`(?: startposition (\d+))?(?: maxresults (\d+))?\s*$`)
	equalForm = regexp.MustCompile(`(?s)^(\w+) = '((?:[^'\\]|\\.)*)'$`)
)

const (
	defaultResults = 100
	maxResults     = 1000
)

// runQuery answers a query, or refuses what is outside of the grammar.
func runQuery(c *call) answer {
	m := queryForm.FindStringSubmatch(c.query)
	if m == nil {
		return c.refuse("4000", "Error parsing query", "QueryParserError: Invalid content. Query: "+c.query)
	}
	first, size := 1, defaultResults
	if m[3] != "" {
		first, _ = strconv.Atoi(m[3])
	}
	if m[4] != "" {
		size, _ = strconv.Atoi(m[4])
	}
	if first < 1 || size < 1 || size > maxResults {
		return c.refuse("4000", "Error parsing query", "QueryParserError: Invalid pagination. Query: "+c.query)
	}
	var name string
	var found []any
	ok := false
	switch strings.ToLower(m[1]) {
	case "account":
		name = "Account"
		found, ok = c.findAccounts(m[2])
	case "journalentry":
		name = "JournalEntry"
		found, ok = c.findDocuments(name, "DocNumber", m[2], func(d *Document) string { return d.DocNumber })
	case "deposit":
		name = "Deposit"
		found, ok = c.findDocuments(name, "TxnDate", m[2], func(d *Document) string { return d.Date })
	}
	if !ok {
		return c.refuse("4001", "Invalid query",
			"QueryValidationError: the condition or the entity is not supported. Query: "+c.query)
	}
	from := min(first-1, len(found))
	found = found[from:min(from+size, len(found))]
	if len(found) == 0 {
		return c.object("QueryResponse", map[string]any{})
	}
	return c.object("QueryResponse", map[string]any{name: found, "startPosition": first, "maxResults": len(found)})
}

func (c *call) findAccounts(where string) (found []any, ok bool) {
	var fits func(*Account) bool
	switch m := equalForm.FindStringSubmatch(where); {
	case where == "", where == "Active = true":
		fits = func(a *Account) bool { return !a.Inactive }
	case strings.EqualFold(strings.ReplaceAll(where, " ", ""), "Activein(true,false)"):
		fits = func(*Account) bool { return true }
	case m != nil && m[1] == "Name":
		name := unquoted(m[2])
		fits = func(a *Account) bool { return !a.Inactive && strings.EqualFold(a.Name, name) }
	default:
		return nil, false
	}
	for _, a := range c.company.Accounts {
		if fits(a) {
			found = append(found, c.accountObject(a))
		}
	}
	return found, true
}

func (c *call) findDocuments(kind, member, where string, value func(*Document) string) (found []any, ok bool) {
	m := equalForm.FindStringSubmatch(where)
	if m == nil || m[1] != member {
		return nil, false
	}
	for _, d := range c.company.Documents {
		if d.Kind == kind && value(d) == unquoted(m[2]) {
			found = append(found, c.documentObject(d))
		}
	}
	return found, true
}

var escapeForm = regexp.MustCompile(`(?s)\\(.)`)

func unquoted(s string) string { return escapeForm.ReplaceAllString(s, "$1") }
