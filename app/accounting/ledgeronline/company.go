package ledgeronline

import (
	"cmp"
	"context"
	"net/http"
	"net/url"
	"strings"

	"foyer/app/civil"
	"foyer/app/money"
)

type companyBody struct{ CompanyName, LegalName, Country text }

type preferencesBody struct {
	AccountingInfoPrefs struct{ BookCloseDate text }
	CurrencyPrefs       struct{ HomeCurrency refBody }
}

// refBody is a reference to another object.
type refBody struct {
	Value text `json:"value"`
}

// CompanyInfo reads the company's name and country, its home currency, and the date through which its books are
// closed. It makes two requests.
func (c *Client) CompanyInfo(ctx context.Context, conn Conn) (Company, error) {
	r := request{op: "read company", method: http.MethodGet}
	info, a, err := c.call(ctx, conn, r, "companyinfo/"+url.PathEscape(conn.Realm), nil)
	if err != nil {
		return Company{}, err
	}
	if info.CompanyInfo == nil {
		return Company{}, c.lacks(r, a, "company")
	}
	prefs, a, err := c.call(ctx, conn, r, "preferences", nil)
	if err != nil {
		return Company{}, err
	}
	if prefs.Preferences == nil || prefs.Preferences.CurrencyPrefs.HomeCurrency.Value == "" {
		return Company{}, c.lacks(r, a, "home currency")
	}
	return Company{
		Name:               string(cmp.Or(info.CompanyInfo.CompanyName, info.CompanyInfo.LegalName)),
		Country:            strings.ToUpper(string(info.CompanyInfo.Country)),
		HomeCurrency:       money.Currency(prefs.Preferences.CurrencyPrefs.HomeCurrency.Value),
		BooksClosedThrough: closedThrough(prefs.Preferences.AccountingInfoPrefs.BookCloseDate),
	}, nil
}

// closedThrough reads the date of the closed books, which may have a time of day. One that cannot be read is no date:
// the provider refuses documents of closed periods in any case.
func closedThrough(raw text) civil.Date {
	day, _, _ := strings.Cut(string(raw), "T")
	date, err := civil.ParseDate(day)
	if err != nil {
		return civil.Date{}
	}
	return date
}
