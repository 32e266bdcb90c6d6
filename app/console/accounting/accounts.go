package accounting

import (
	"context"
	"slices"
	"strings"

	"foyer/app/accounting"
	"foyer/app/console/desk"
	"foyer/app/console/ui"
	"foyer/app/fault"
	"foyer/app/pg"
	"foyer/app/view"
	"foyer/app/words"
)

const suggestionsAt = accountsAt + "/suggestions"

// accounts mounts the map: each row with its account.
func (s *screens) accounts() {
	s.Page("getAccountingMap", accountsAt, s.showAccounts)
	s.Page("confirmAccountingMap", suggestionsAt, s.showSuggestions)
	s.Form("confirmAccountingMap", suggestionsAt, desk.Form{
		Do: s.confirmSuggestions, Show: s.showSuggestions, Inputs: []string{},
	})
	s.Form("confirmAccountingMap", accountsAt+"/:row/confirm", desk.Form{Do: s.confirm, Show: s.showAccounts})
	s.Form("createAccountingAccount", accountsAt+"/:row/create", desk.Form{Do: s.create, Show: s.showAccounts})
}

// chart is the map with the chart of accounts.
type chart struct {
	state
	accounting.Map
	Down bool // the provider did not answer
	All  bool // accounts of all types are offered, and not only those that fit a row
	Open bool // only rows without an account are shown
}

// accountsOf reads the map. The provider's failure is shown on the page: nothing else of it depends on the provider.
func (s *screens) accountsOf(c *desk.Call) (v chart, err error) {
	v.All, v.Open = c.Query("all") != "", c.Query("missing") != ""
	v.Map, err = s.Accounting.Map(c.Context(), c.Scope)
	if accounting.Unavailable(err) {
		v.Down, err = true, nil
	}
	if err == nil {
		v.state, err = s.read(c) // after the map, which may find that the connection has ended
	}
	return v, err
}

func (s *screens) showAccounts(c *desk.Call) (ui.Screen, error) {
	v, err := s.accountsOf(c)
	screen := s.screen(c, v.state, accountsAt, c.UI.T("Accounts"), accountsBody(c, v))
	screen.Lead, screen.Wide = c.UI.T("The account in Ledger Online for each line of a document"), true
	return screen, err
}

// rowOf returns the row of the address. Other text is not found.
func rowOf(c *desk.Call) (accounting.Row, error) {
	row, ok := accounting.ParseRowKey(c.Params("row"))
	if !ok {
		return row, fault.Missing()
	}
	return row, nil
}

// confirm confirms the chosen account of a row.
func (s *screens) confirm(c *desk.Call, ctx context.Context) (desk.Done, error) {
	row, err := rowOf(c)
	if err != nil {
		return desk.Done{}, err
	}
	account := c.Value(accountField(row))
	if account == "" {
		return desk.Done{}, fault.Invalid(accountField(row), c.UI.T("Choose an account."))
	}
	m, err := s.Accounting.Confirm(ctx, c.Scope, []accounting.Choice{{Row: row, AccountID: account}})
	return s.confirmedRow(c, row, m), s.refusal(c, err, func(field string) string {
		if field == "rows.0.externalAccountId" {
			return accountField(row)
		}
		return "" // of the row itself
	})
}

// create creates the account of a row at the provider.
func (s *screens) create(c *desk.Call, ctx context.Context) (desk.Done, error) {
	row, err := rowOf(c)
	if err != nil {
		return desk.Done{}, err
	}
	m, err := s.Accounting.Create(ctx, c.Scope, accounting.CreateInput{Row: row, Name: c.Value(nameField(row))})
	return s.confirmedRow(c, row, m), s.refusal(c, err, func(string) string { return nameField(row) })
}

// confirmedRow leads back to a row, with its account.
func (s *screens) confirmedRow(c *desk.Call, row accounting.Row, m accounting.Map) desk.Done {
	done := desk.Done{To: c.To(accountsAt, "missing", c.Query("missing"), "all", c.Query("all")) + "#" + rowID(row)}
	for _, r := range m.Rows {
		if r.Row == row && r.Confirmed != nil {
			done.Said = c.UI.T("{row} is posted to {account}.", "row", label(c.UI, r), "account", r.Confirmed.Name)
		}
	}
	return done
}

// Refusals of the provider's part.
var (
	errDown = fault.New(fault.Conflict, "accounting_unavailable", "Ledger Online did not answer. Try again in a minute.")
	errEnd  = fault.New(fault.Conflict, "accounting_not_connected", "Reconnect Ledger Online first.")
)

// refusal puts a refusal of the map into the words of the page: place returns the input of a field, and an empty one
// for a row that does not exist.
func (s *screens) refusal(c *desk.Call, err error, place func(field string) string) error {
	switch f := fault.From(err); {
	case err == nil:
		return nil
	case accounting.Unavailable(err):
		return errDown
	case f == nil || f.Kind != fault.Validation && f.Kind != fault.NotFound:
		return err
	default:
		live, reading := s.Accounting.Live(c.Context(), c.Scope)
		if reading != nil || live != nil && live.Status != accounting.Connected {
			return fault.When(reading == nil, errEnd, reading)
		}
		if slices.ContainsFunc(f.Fields, func(x fault.Field) bool { return place(x.Field) == "" }) {
			return fault.Missing()
		}
		if len(f.Fields) > 0 {
			return f.At(place)
		}
		return err
	}
}

// suggestions returns the rows without a confirmed account that have a proposal.
func suggestions(m accounting.Map) (out []accounting.MapRow) {
	for _, r := range m.Rows {
		if r.Confirmed == nil && r.Proposed != nil {
			out = append(out, r)
		}
	}
	return out
}

func (s *screens) showSuggestions(c *desk.Call) (ui.Screen, error) {
	v, err := s.accountsOf(c)
	return ui.Screen{
		Title: c.UI.T("Confirm suggestions"), Lead: c.UI.T("Documents are posted to these accounts after you confirm them."),
		Area: area, Up: &view.Link{Text: c.UI.T("Accounts"), Href: c.To(accountsAt)}, Body: suggestionsBody(c, v),
	}, err
}

// confirmSuggestions confirms the listed ones. If the list is no longer the same, nothing is confirmed.
func (s *screens) confirmSuggestions(c *desk.Call, ctx context.Context) (desk.Done, error) {
	m, err := s.Accounting.Map(c.Context(), c.Scope)
	if err != nil {
		return desk.Done{}, s.refusal(c, err, noField)
	}
	list := suggestions(m)
	choices := make([]accounting.Choice, len(list))
	same := len(list) > 0
	for i, r := range list {
		choices[i] = accounting.Choice{Row: r.Row, AccountID: r.Proposed.ID}
		same = same && c.Value(accountField(r.Row)) == r.Proposed.ID
	}
	listed := 0
	for name := range c.Inputs() {
		if strings.HasPrefix(name, accountPrefix) {
			listed++
		}
	}
	if !same || listed != len(list) {
		return desk.Done{}, s.refusal(c, pg.ErrQuoteChanged, noField)
	}
	_, err = s.Accounting.Confirm(ctx, c.Scope, choices)
	return desk.Done{
		To: c.To(accountsAt), Said: c.UI.N(len(choices), "Confirmed {n} account.", "Confirmed {n} accounts."),
	}, s.refusal(c, err, noField)
}

// noField leaves a refusal above the form.
func noField(field string) string { return field }

// Names of a row's inputs, and its place on the page.
const accountPrefix = "account-"

func accountField(r accounting.Row) string { return accountPrefix + plainKey(r) }
func nameField(r accounting.Row) string    { return "name-" + plainKey(r) }
func rowID(r accounting.Row) string        { return "row-" + plainKey(r) }
func plainKey(r accounting.Row) string {
	return strings.NewReplacer(":", "-", ".", "-").Replace(r.Key())
}

// group is a part of the map under its heading.
type group struct {
	Title string
	Rows  []accounting.MapRow
}

// groups returns the rows of the page by heading.
func groups(sh ui.Shell, v chart) (out []group) {
	list := []group{{Title: sh.T("Income")}, {Title: sh.T("Liabilities")}, {Title: sh.T("Costs and bank")}}
	for _, r := range v.Rows {
		if v.Open && r.Confirmed != nil {
			continue
		}
		part, _, _ := strings.Cut(string(r.Category), ".")
		at := map[string]int{"income": 0, "liability": 1}
		i, known := at[part]
		if !known {
			i = 2
		}
		list[i].Rows = append(list[i].Rows, r)
	}
	return slices.DeleteFunc(list, func(g group) bool { return len(g.Rows) == 0 })
}

// label renders the name of a row.
func label(sh ui.Shell, r accounting.MapRow) string {
	switch r.Category {
	case accounting.LiabilitySalesTax:
		return view.Joined(" · ", r.TaxRateName, sh.Lang().Percent(r.TaxRatePPM))
	case accounting.IncomeRevenueCategory:
		return r.RevenueCategoryName
	}
	return sh.T(words.Text(r.Category.Spec().Label))
}

// choices returns the accounts to choose from for a row: its proposal first, then those of a type that fits.
func (v chart) choices(sh ui.Shell, r accounting.MapRow) (out []ui.Option) {
	seen := map[string]bool{}
	add := func(id, text string) {
		if !seen[id] {
			seen[id] = true
			out = append(out, ui.Option{Value: id, Text: text})
		}
	}
	if r.Confirmed != nil {
		add(r.Confirmed.ID, r.Confirmed.Name)
	} else if r.Proposed != nil {
		add(r.Proposed.ID, sh.T("{account} (suggested)", "account", r.Proposed.Name))
	} else {
		add("", sh.T("Choose an account"))
	}
	for _, a := range v.Accounts {
		foreign := a.Currency != "" && v.Live != nil && a.Currency != v.Live.HomeCurrency
		switch {
		case !a.Active || foreign || strings.HasPrefix(a.Type, "Accounts "): // the provider refuses such lines
		case v.All:
			add(a.ID, view.Joined(" · ", a.Name, a.Type))
		case r.Category.Allows(a.Type):
			add(a.ID, a.Name)
		}
	}
	return out
}
