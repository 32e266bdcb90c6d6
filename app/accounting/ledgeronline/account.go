package ledgeronline

import (
	"cmp"
	"context"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"unicode/utf8"

	"foyer/app/money"
)

const (
	accountPage  = 1000 // the provider's largest page
	maxPages     = 40   // of any list: more is a list without an end
	documentPage = 25   // a deposit of another program can have hundreds of lines
)

type accountBody struct {
	ID                 text `json:"Id"`
	Name               text
	FullyQualifiedName text
	AccountType        text
	AccountSubType     text
	AcctNum            text
	Description        text
	Active             *bool
	CurrencyRef        refBody
}

func (b accountBody) account() Account {
	return Account{
		ID: string(b.ID), Name: string(cmp.Or(b.FullyQualifiedName, b.Name)), Type: string(b.AccountType),
		SubType: string(b.AccountSubType), Number: string(b.AcctNum), Currency: money.Currency(b.CurrencyRef.Value),
		Active: b.Active == nil || *b.Active, Description: string(b.Description),
	}
}

// ListAccounts returns the active accounts of the company, in the provider's order. The chart is kept for ten
// minutes. The caller owns the slice.
func (c *Client) ListAccounts(ctx context.Context, conn Conn) ([]Account, error) {
	return c.accounts(ctx, conn, false)
}

// FreshAccounts reads the chart again, returns it like ListAccounts and keeps it. The provider meters reads: use it
// when a person confirms accounts or creates one.
func (c *Client) FreshAccounts(ctx context.Context, conn Conn) ([]Account, error) {
	return c.accounts(ctx, conn, true)
}

func (c *Client) accounts(ctx context.Context, conn Conn, fresh bool) ([]Account, error) {
	list, err := c.charts.get(ctx, conn.Realm, fresh, func() ([]Account, error) { return c.readAccounts(ctx, conn) })
	if ctx.Err() != nil && ClassOf(err) == "" && err != nil {
		err = &Error{Op: "list accounts", Class: Transient, Message: "not sent", cause: err}
	}
	return list, err
}

func (c *Client) readAccounts(ctx context.Context, conn Conn) ([]Account, error) {
	r := request{op: "list accounts", method: http.MethodGet, limit: maxAccounts}
	list := []Account{}
	seen := map[string]bool{} // an account can be on two pages if one was created meanwhile
	for page := range maxPages {
		out, a, err := c.query(ctx, conn, r, "select * from Account where Active = true", page*accountPage+1, accountPage)
		if err != nil {
			return nil, err
		}
		if out.QueryResponse == nil {
			return nil, c.lacks(r, a, "accounts")
		}
		for _, b := range out.QueryResponse.Account {
			if b.ID != "" && !seen[string(b.ID)] {
				seen[string(b.ID)] = true
				list = append(list, b.account())
			}
		}
		if len(out.QueryResponse.Account) < accountPage {
			return list, nil
		}
	}
	return nil, invalid(r.op, "the company has more than %d accounts", maxPages*accountPage)
}

// query sends a query and reads one page of its result; first counts from 1.
func (c *Client) query(ctx context.Context, conn Conn, r request, q string, first, size int) (reply, answer, error) {
	q += " startposition " + strconv.Itoa(first) + " maxresults " + strconv.Itoa(size)
	return c.call(ctx, conn, r, "query", url.Values{"query": {q}})
}

// quoted is a text in a query.
func quoted(s string) string {
	return "'" + strings.NewReplacer(`\`, `\\`, `'`, `\'`).Replace(s) + "'"
}

type newAccountBody struct {
	Name           string
	AccountType    string
	AccountSubType string `json:",omitempty"`
	Description    string `json:",omitempty"`
}

// CreateAccount creates an account. A request with an id that was used before returns the account that was created
// then. The kept chart is dropped. It returns an error of class DuplicateName, with the id of the existing account in
// Error.ExistingID, if an account has that name.
func (c *Client) CreateAccount(ctx context.Context, conn Conn, in NewAccount, requestID string) (Account, error) {
	r := request{op: "create account", method: http.MethodPost, write: true}
	switch {
	case strings.TrimSpace(in.Name) == "" || utf8.RuneCountInString(in.Name) > MaxAccountName:
		return Account{}, invalid(r.op, "the name needs 1 to %d characters", MaxAccountName)
	case strings.ContainsAny(in.Name, `:"`):
		return Account{}, invalid(r.op, "the name has a colon or a quotation mark")
	case in.Type == "":
		return Account{}, invalid(r.op, "the account has no type")
	case utf8.RuneCountInString(in.Description) > MaxAccountDescription:
		return Account{}, invalid(r.op, "the description has more than %d characters", MaxAccountDescription)
	}
	id, err := requestValues(r.op, requestID)
	if err != nil {
		return Account{}, err
	}
	r.body, err = encode(newAccountBody{in.Name, in.Type, in.SubType, in.Description})
	if err != nil {
		return Account{}, invalid(r.op, "the account cannot be written")
	}
	out, a, err := c.call(ctx, conn, r, "account", id)
	if err == nil || Unknown(err) {
		c.charts.forget(conn.Realm)
	}
	if e, ok := err.(*Error); ok && e.Class == DuplicateName && e.ExistingID == "" {
		e.ExistingID = c.accountNamed(ctx, conn, in.Name)
	}
	if err != nil {
		return Account{}, err
	}
	if out.Account == nil || out.Account.ID == "" {
		return Account{}, c.lacks(r, a, "account")
	}
	return out.Account.account(), nil
}

// accountNamed finds the id of an account by its name when a refusal does not have it; nothing if it cannot be found.
func (c *Client) accountNamed(ctx context.Context, conn Conn, name string) string {
	r := request{op: "find account", method: http.MethodGet}
	out, _, err := c.query(ctx, conn, r, "select * from Account where Name = "+quoted(name), 1, 1)
	if err != nil || out.QueryResponse == nil || len(out.QueryResponse.Account) == 0 {
		return ""
	}
	return string(out.QueryResponse.Account[0].ID)
}

// requestValues checks the id of a request and returns it as a query.
func requestValues(op, id string) (url.Values, error) {
	if id == "" || len(id) > MaxRequestID || strings.TrimSpace(id) != id {
		return nil, invalid(op, "the request id needs 1 to %d characters", MaxRequestID)
	}
	return url.Values{"requestid": {id}}, nil
}
