package ledgeronline

import (
	"bytes"
	"context"
	"encoding/json"
	"math"
	"net/http"
	"net/url"
	"strings"
	"unicode/utf8"

	"foyer/app/civil"
	"foyer/app/money"
)

// docBody is a document in an answer.
type docBody struct {
	ID          text `json:"Id"`
	DocNumber   text
	PrivateNote text
}

func (c *Client) doc(kind Kind, b docBody) Doc {
	page := "/journal"
	if kind == KindDeposit {
		page = "/deposit"
	}
	return Doc{
		ID: string(b.ID), DocNumber: string(b.DocNumber), Note: string(b.PrivateNote),
		URL: c.settings.AppBase + page + "?" + url.Values{"txnId": {string(b.ID)}}.Encode(),
	}
}

// The bodies of documents. The order of their members is that of the bytes, so that a document is always written alike.
type (
	newRef struct {
		Value string `json:"value"`
	}

	newJournal struct {
		TxnDate     string
		DocNumber   string
		PrivateNote string `json:",omitempty"`
		CurrencyRef newRef
		Line        []newJournalLine
	}

	newJournalLine struct {
		DetailType             string
		Amount                 json.Number
		Description            string `json:",omitempty"`
		JournalEntryLineDetail newJournalDetail
	}

	newJournalDetail struct {
		PostingType string
		AccountRef  newRef
	}

	newDeposit struct {
		TxnDate             string
		DocNumber           string
		PrivateNote         string `json:",omitempty"`
		CurrencyRef         newRef
		DepositToAccountRef newRef
		Line                []newDepositLine
	}

	newDepositLine struct {
		DetailType        string
		Amount            json.Number
		Description       string `json:",omitempty"`
		DepositLineDetail newDepositDetail
	}

	newDepositDetail struct{ AccountRef newRef }
)

// encode writes a body without the escapes that JSON inside HTML would need.
func encode(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), err
}

// PostJournal posts a journal entry and returns it as the provider stored it. A request with an id that was used
// before returns the document of the first request, whatever this one contains. A Journal that cannot be sent is an
// error of class Invalid, without a request.
func (c *Client) PostJournal(ctx context.Context, conn Conn, in Journal, requestID string) (Doc, error) {
	const op = "post journal"
	body, err := in.body(op)
	if err != nil {
		return Doc{}, err
	}
	return c.post(ctx, conn, op, KindJournal, body, requestID)
}

// PostDeposit posts a deposit and returns it as the provider stored it, like PostJournal.
func (c *Client) PostDeposit(ctx context.Context, conn Conn, in Deposit, requestID string) (Doc, error) {
	const op = "post deposit"
	body, err := in.body(op)
	if err != nil {
		return Doc{}, err
	}
	return c.post(ctx, conn, op, KindDeposit, body, requestID)
}

func (c *Client) post(
	ctx context.Context, conn Conn, op string, kind Kind, body []byte, requestID string,
) (Doc, error) {
	id, err := requestValues(op, requestID)
	if err != nil {
		return Doc{}, err
	}
	path := "journalentry"
	if kind == KindDeposit {
		path = "deposit"
	}
	r := request{op: op, method: http.MethodPost, body: body, write: true}
	out, a, err := c.call(ctx, conn, r, path, id)
	if err != nil {
		return Doc{}, err
	}
	got := out.JournalEntry
	if kind == KindDeposit {
		got = out.Deposit
	}
	if got == nil || got.ID == "" {
		return Doc{}, c.lacks(r, a, "document")
	}
	return c.doc(kind, *got), nil
}

// body writes a journal entry, its debits first.
func (j Journal) body(op string) ([]byte, error) {
	info, err := head(op, j.Date, j.DocNumber, j.Note, j.Currency)
	if err != nil {
		return nil, err
	}
	if len(j.Lines) < 2 {
		return nil, invalid(op, "a journal entry needs two lines")
	}
	out := newJournal{
		TxnDate: j.Date.String(), DocNumber: j.DocNumber, PrivateNote: j.Note, CurrencyRef: newRef{string(j.Currency)},
	}
	var sums [2]int64 // of the debits and of the credits
	for side, posting := range []string{"Debit", "Credit"} {
		for _, l := range j.Lines {
			if l.Debit != (side == 0) {
				continue
			}
			if l.Amount <= 0 || sums[side] > math.MaxInt64-l.Amount {
				return nil, invalid(op, "a line has the amount %d", l.Amount)
			}
			if err := checkLine(op, l.AccountID, l.Description); err != nil {
				return nil, err
			}
			sums[side] += l.Amount
			out.Line = append(out.Line, newJournalLine{
				DetailType: "JournalEntryLineDetail", Amount: json.Number(info.Decimal(l.Amount)), Description: l.Description,
				JournalEntryLineDetail: newJournalDetail{posting, newRef{l.AccountID}},
			})
		}
	}
	if sums[0] != sums[1] {
		return nil, invalid(op, "the debits are %s and the credits %s", info.Decimal(sums[0]), info.Decimal(sums[1]))
	}
	return written(op, out)
}

// body writes a deposit, with its number at the end of the note.
func (d Deposit) body(op string) ([]byte, error) {
	note := d.Note
	if !strings.Contains(note, d.DocNumber) {
		note = strings.TrimSpace(note + " (" + d.DocNumber + ")")
	}
	info, err := head(op, d.Date, d.DocNumber, note, d.Currency)
	if err != nil {
		return nil, err
	}
	out := newDeposit{
		TxnDate: d.Date.String(), DocNumber: d.DocNumber, PrivateNote: note, CurrencyRef: newRef{string(d.Currency)},
		DepositToAccountRef: newRef{d.BankAccountID},
	}
	if err := checkLine(op, d.BankAccountID, ""); err != nil {
		return nil, err
	}
	var sum int64
	for _, l := range d.Lines {
		if l.Amount == 0 || l.Amount > 0 && sum > math.MaxInt64-l.Amount || l.Amount < 0 && sum < math.MinInt64-l.Amount {
			return nil, invalid(op, "a line has the amount %d", l.Amount)
		}
		if err := checkLine(op, l.AccountID, l.Description); err != nil {
			return nil, err
		}
		sum += l.Amount
		out.Line = append(out.Line, newDepositLine{
			DetailType: "DepositLineDetail", Amount: json.Number(info.Decimal(l.Amount)), Description: l.Description,
			DepositLineDetail: newDepositDetail{newRef{l.AccountID}},
		})
	}
	if sum <= 0 {
		return nil, invalid(op, "the lines of a deposit add up to %s", info.Decimal(sum))
	}
	return written(op, out)
}

func written(op string, v any) ([]byte, error) {
	body, err := encode(v)
	if err != nil {
		return nil, invalid(op, "the document cannot be written")
	}
	return body, nil
}

// head checks what all documents have, and returns the currency.
func head(op string, date civil.Date, number, note string, cur money.Currency) (money.Info, error) {
	info, known := money.Lookup(cur)
	switch {
	case !known:
		return info, invalid(op, "currency %q is unknown", cur)
	case !date.Valid():
		return info, invalid(op, "the date does not exist")
	case number == "" || utf8.RuneCountInString(number) > MaxDocNumber || strings.TrimSpace(number) != number:
		return info, invalid(op, "the document number needs 1 to %d characters", MaxDocNumber)
	case utf8.RuneCountInString(note) > MaxNote:
		return info, invalid(op, "the note has more than %d characters", MaxNote)
	}
	return info, nil
}

func checkLine(op, account, description string) error {
	switch {
	case account == "":
		return invalid(op, "a line has no account")
	case utf8.RuneCountInString(description) > MaxNote:
		return invalid(op, "the description of a line has more than %d characters", MaxNote)
	}
	return nil
}

// FindDoc finds a document by its number, after an attempt to post it with an unknown outcome. It returns nil if
// there is none. date is the document's date: deposits have no number at the provider and are searched among those of
// their date, by the number in the note.
//
// Copies that a bookkeeper made have the number, too; the first document is returned. A caller compares the note
// before it takes the document for its own.
func (c *Client) FindDoc(ctx context.Context, conn Conn, kind Kind, docNumber string, date civil.Date) (*Doc, error) {
	const op = "find document"
	if _, err := head(op, date, docNumber, "", "USD"); err != nil {
		return nil, err
	}
	q := "select * from JournalEntry where DocNumber = " + quoted(docNumber)
	if kind == KindDeposit {
		q = "select * from Deposit where TxnDate = " + quoted(date.String())
	}
	r := request{op: op, method: http.MethodGet}
	var found *docBody
	for page := range maxPages {
		out, a, err := c.query(ctx, conn, r, q, page*documentPage+1, documentPage)
		if err != nil {
			return nil, err
		}
		if out.QueryResponse == nil {
			return nil, c.lacks(r, a, "documents")
		}
		list := out.QueryResponse.JournalEntry
		if kind == KindDeposit {
			list = out.QueryResponse.Deposit
		}
		for _, b := range list {
			has := string(b.DocNumber) == docNumber ||
				kind == KindDeposit && strings.Contains(string(b.PrivateNote), docNumber)
			if has && b.ID != "" && (found == nil || earlier(b.ID, found.ID)) {
				found = &b
			}
		}
		if len(list) < documentPage {
			if found == nil {
				return nil, nil
			}
			doc := c.doc(kind, *found)
			return &doc, nil
		}
	}
	return nil, invalid(op, "there are more than %d documents to search", maxPages*documentPage)
}

// earlier compares ids, which the provider counts up.
func earlier(a, b text) bool {
	if len(a) != len(b) {
		return len(a) < len(b)
	}
	return a < b
}
