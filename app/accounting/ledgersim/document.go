package ledgersim

import (
	"encoding/json"
	"math"
	"net/http"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"foyer/app/money"
)

// accountIn is the body of a new account.
type accountIn struct{ Name, AccountType, AccountSubType, AcctNum, Description string }

func createAccount(c *call) answer {
	var in accountIn
	if a, ok := c.read(&in); !ok {
		return a
	}
	switch {
	case in.Name == "":
		return c.missing("Name")
	case utf8.RuneCountInString(in.Name) > 100, utf8.RuneCountInString(in.Description) > 100:
		return c.refuse("2050", "Invalid String. Too many characters",
			"The Name and the Description of an account have up to 100 characters.")
	case strings.ContainsAny(in.Name, `:"`):
		return c.refuse("2090", "Invalid String", "Account Name should not have double quotes and colon(:).")
	case in.AccountType == "":
		return c.missing("AccountType")
	case subTypes[in.AccountType] == nil:
		return c.refuse("2170", "Invalid Enumeration", "Invalid Enumeration : "+in.AccountType)
	case in.AccountSubType != "" && !knownSubType(in.AccountType, in.AccountSubType):
		return c.refuse("2170", "Invalid Enumeration", "Invalid Enumeration : "+in.AccountSubType)
	}
	highest := 0
	for _, a := range c.company.Accounts {
		if a.Parent == "" && strings.EqualFold(a.Name, in.Name) {
			return c.refuse("6240", "Duplicate Name Exists Error", "The name supplied already exists. : Id="+a.ID)
		}
		n, _ := strconv.Atoi(a.ID)
		highest = max(highest, n)
	}
	if in.AccountSubType == "" {
		in.AccountSubType = subTypes[in.AccountType][0]
	}
	a := &Account{
		ID: strconv.Itoa(highest + 1), Name: in.Name, Type: in.AccountType, SubType: in.AccountSubType,
		Number: in.AcctNum, Currency: c.company.Currency, Description: in.Description,
	}
	c.company.Accounts = append(c.company.Accounts, a)
	c.dirty = true
	return c.object("Account", c.accountObject(a))
}

func readAccount(c *call) answer {
	if a := c.company.account(c.id); a != nil {
		return c.object("Account", c.accountObject(a))
	}
	return c.notFound()
}

func (c *call) notFound() answer {
	return c.refuse("610", "Object Not Found", "Object Not Found : Something you're trying to use has been made "+
		"inactive. Check the fields with accounts, customers, items, vendors or employees.")
}

func (c *call) accountObject(a *Account) map[string]any {
	out := c.meta(a.ID, c.now(), map[string]any{
		"Name": a.Name, "SubAccount": a.Parent != "", "FullyQualifiedName": a.FullName(), "Active": !a.Inactive,
		"Classification": classification(a.Type), "AccountType": a.Type, "AccountSubType": a.SubType,
		"CurrencyRef": currencyRef(a.Currency),
	})
	for name, value := range map[string]string{"AcctNum": a.Number, "Description": a.Description} {
		if value != "" {
			out[name] = value
		}
	}
	return out
}

// documentIn is the body of a new document.
type documentIn struct {
	TxnDate             string
	DocNumber           string
	PrivateNote         string
	CurrencyRef         *ref
	DepositToAccountRef *ref
	Line                []lineIn
}

type lineIn struct {
	DetailType             string
	Amount                 json.Number
	Description            string
	JournalEntryLineDetail *lineDetail
	DepositLineDetail      *lineDetail
}

type lineDetail struct {
	PostingType string
	AccountRef  *ref
}

func createJournal(c *call) answer {
	d, in, a, ok := c.newDocument("JournalEntry")
	if !ok {
		return a
	}
	if len(in.Line) < 2 {
		return c.business("A journal entry needs at least two lines.")
	}
	sums := map[string]int64{}
	for _, l := range in.Line {
		if l.DetailType != "JournalEntryLineDetail" || l.JournalEntryLineDetail == nil {
			return c.missing("JournalEntryLineDetail")
		}
		posting := l.JournalEntryLineDetail.PostingType
		if posting != "Debit" && posting != "Credit" {
			return c.refuse("2170", "Invalid Enumeration", "Invalid Enumeration : "+posting)
		}
		line, a, ok := c.newLine(l, l.JournalEntryLineDetail)
		if !ok {
			return a
		}
		if line.Amount <= 0 {
			return c.refuse("2180", "Invalid amount", "The amount of a line must be positive: "+string(l.Amount))
		}
		line.Posting = posting
		sums[posting] += line.Amount
		d.Lines = append(d.Lines, line)
	}
	if sums["Debit"] != sums["Credit"] {
		return c.business("The total debits do not equal the total credits.")
	}
	if c.company.Unique && d.DocNumber != "" {
		for _, other := range c.company.Documents {
			if other.Kind == d.Kind && other.DocNumber == d.DocNumber {
				return c.refuse("6140", "Duplicate Document Number Error", "Duplicate Document Number Error : You must "+
					"specify a different number. This number has already been used. DocNumber="+d.DocNumber+
					" is assigned to TxnType=Journal Entry with TxnId="+other.ID)
			}
		}
	}
	return c.keep(d)
}

func createDeposit(c *call) answer {
	d, in, a, ok := c.newDocument("Deposit")
	if !ok {
		return a
	}
	d.DocNumber = "" // the original has no such member of a deposit
	bank, a, ok := c.usable(in.DepositToAccountRef, "DepositToAccountRef")
	if !ok {
		return a
	}
	if bank.Type != "Bank" && bank.Type != "Other Current Asset" {
		return c.business("Select a bank account for this deposit.")
	}
	d.Bank = bank.ID
	var sum int64
	for _, l := range in.Line {
		if l.DetailType != "DepositLineDetail" || l.DepositLineDetail == nil {
			return c.missing("DepositLineDetail")
		}
		line, a, ok := c.newLine(l, l.DepositLineDetail)
		if !ok {
			return a
		}
		sum += line.Amount
		d.Lines = append(d.Lines, line)
	}
	if sum <= 0 {
		return c.business("The total of a deposit must be greater than zero.")
	}
	return c.keep(d)
}

func (c *call) keep(d *Document) answer {
	d.ID = strconv.FormatInt(c.next(), 10) // of all companies, so that a link needs no company
	c.company.Documents = append(c.company.Documents, d)
	return c.object(d.Kind, c.documentObject(d))
}

// newDocument reads the members that both kinds have.
func (c *call) newDocument(kind string) (d *Document, in documentIn, a answer, ok bool) {
	if a, ok := c.read(&in); !ok {
		return nil, in, a, false
	}
	refuse := func(a answer) (*Document, documentIn, answer, bool) { return nil, in, a, false }
	date, err := time.Parse(time.DateOnly, in.TxnDate)
	switch {
	case in.TxnDate == "":
		date = c.now()
	case err != nil:
		return refuse(c.refuse("2080", "Invalid Date", "Invalid date format: "+in.TxnDate))
	}
	day := date.Format(time.DateOnly)
	switch {
	case c.company.Closed != "" && day <= c.company.Closed:
		return refuse(c.refuse("6210", "Account Period Closed", "Account Period Closed : The account period has closed "+
			"and the account books cannot be updated through the API until it is reopened."))
	case utf8.RuneCountInString(in.DocNumber) > 21:
		return refuse(c.refuse("2050", "Invalid String. Too many characters",
			"String length is either shorter or longer than supported by specification. Min:0 Max:21 DocNumber"))
	case utf8.RuneCountInString(in.PrivateNote) > 4000:
		return refuse(c.refuse("2050", "Invalid String. Too many characters",
			"String length is either shorter or longer than supported by specification. Min:0 Max:4000 PrivateNote"))
	case in.CurrencyRef != nil && in.CurrencyRef.Value != c.company.Currency:
		return refuse(c.business("The currency " + in.CurrencyRef.Value + " needs an exchange rate to the home currency."))
	case len(in.Line) == 0:
		return refuse(c.missing("Line"))
	}
	return &Document{
		Kind: kind, DocNumber: in.DocNumber, Date: day, Note: in.PrivateNote, Currency: c.company.Currency, Made: c.now(),
	}, in, answer{}, true
}

// newLine reads the members that lines of both kinds have.
func (c *call) newLine(l lineIn, detail *lineDetail) (Line, answer, bool) {
	account, a, ok := c.usable(detail.AccountRef, "AccountRef")
	if !ok {
		return Line{}, a, false
	}
	amount, ok := minor(l.Amount, c.money)
	switch {
	case l.Amount == "":
		return Line{}, c.missing("Amount"), false
	case !ok || amount == 0:
		return Line{}, c.refuse("2180", "Invalid amount", "The amount "+string(l.Amount)+" cannot be used."), false
	case account.Type == "Accounts Receivable":
		return Line{}, c.business("When you use Accounts Receivable, you must choose a customer in the Name field."), false
	case account.Type == "Accounts Payable":
		return Line{}, c.business("When you use Accounts Payable, you must choose a vendor in the Name field."), false
	case utf8.RuneCountInString(l.Description) > 4000:
		return Line{}, c.refuse("2050", "Invalid String. Too many characters",
			"String length is either shorter or longer than supported by specification. Min:0 Max:4000 Description"), false
	}
	return Line{AccountID: account.ID, Amount: amount, Description: l.Description}, answer{}, true
}

// usable returns an account that a document can name.
func (c *call) usable(r *ref, member string) (*Account, answer, bool) {
	if r == nil || r.Value == "" {
		return nil, c.missing(member), false
	}
	a := c.company.account(r.Value)
	switch {
	case a == nil:
		return nil, c.refuse("2500", "Invalid Reference Id",
			"Invalid Reference Id : Accounts element id "+r.Value+" not found"), false
	case a.Inactive:
		return nil, c.notFound(), false
	case a.Currency != c.company.Currency:
		return nil, c.business("The account " + a.Name + " has another currency than the transaction."), false
	}
	return a, answer{}, true
}

// minor reads a decimal as minor units, exactly; more decimals than the currency has are refused.
func minor(n json.Number, info money.Info) (int64, bool) {
	text, negative := strings.CutPrefix(string(n), "-")
	whole, part, _ := strings.Cut(text, ".")
	part = strings.TrimRight(part, "0")
	if len(part) > info.Digits {
		return 0, false
	}
	units, err := strconv.ParseInt(whole+part+strings.Repeat("0", info.Digits-len(part)), 10, 64)
	if err != nil || units < 0 || units > math.MaxInt64/1000 { // no sum overflows
		return 0, false
	}
	if negative {
		units = -units
	}
	return units, true
}

func readJournal(c *call) answer { return c.readDocument("JournalEntry") }

func readDeposit(c *call) answer { return c.readDocument("Deposit") }

func (c *call) readDocument(kind string) answer {
	for _, d := range c.company.Documents {
		if d.ID == c.id && d.Kind == kind {
			return c.object(kind, c.documentObject(d))
		}
	}
	return c.fault(http.StatusBadRequest, "ValidationFault", "610", "Object Not Found",
		"Object Not Found : Another user has deleted this transaction.")
}

func (c *call) documentObject(d *Document) map[string]any {
	lines := []any{}
	var sum int64
	for i, l := range d.Lines {
		sum += l.Amount
		account := ref{Value: l.AccountID, Name: c.company.accountName(l.AccountID)}
		line := map[string]any{"Id": strconv.Itoa(i), "Amount": json.Number(c.money.Decimal(l.Amount))}
		if l.Description != "" {
			line["Description"] = l.Description
		}
		name := "DepositLineDetail"
		detail := map[string]any{"AccountRef": account}
		if d.Kind == "JournalEntry" {
			name = "JournalEntryLineDetail"
			detail["PostingType"] = l.Posting
		}
		line["DetailType"], line[name] = name, detail
		lines = append(lines, line)
	}
	out := c.meta(d.ID, d.Made, map[string]any{
		"TxnDate": d.Date, "CurrencyRef": currencyRef(d.Currency), "Line": lines,
	})
	if d.Kind == "Deposit" {
		out["DepositToAccountRef"] = ref{Value: d.Bank, Name: c.company.accountName(d.Bank)}
		out["TotalAmt"] = json.Number(c.money.Decimal(sum))
	} else {
		out["Adjustment"], out["TxnTaxDetail"] = false, map[string]any{}
	}
	for name, value := range map[string]string{"DocNumber": d.DocNumber, "PrivateNote": d.Note} {
		if value != "" {
			out[name] = value
		}
	}
	return out
}
