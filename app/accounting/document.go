package accounting

import (
	"context"
	"crypto/sha256"
	"encoding/base32"
	"encoding/hex"
	"encoding/json"
	"fmt"

	"github.com/google/uuid"

	"foyer/app/accounting/ledgeronline"
	"foyer/app/money"
)

// document is a batch as the provider gets it: a journal or a deposit.
type document struct {
	number    string
	requestID string // of its content: another content is another request, and so is one after a refusal
	currency  money.Currency
	journal   *ledgeronline.Journal
	deposit   *ledgeronline.Deposit
}

func (d document) kind() ledgeronline.Kind {
	if d.deposit != nil {
		return ledgeronline.KindDeposit
	}
	return ledgeronline.KindJournal
}

// document makes the document of a posting with the accounts of the map. incomplete means that one is missing.
func (s *Service) document(
	ctx context.Context, business uuid.UUID, c Connection, p posting,
) (d document, incomplete bool, err error) {
	lines, err := linesOf(p.Lines)
	if err != nil {
		return d, false, err
	}
	confirmed, err := readConfirmed(ctx, s.db.View(business), c.ID)
	if err != nil {
		return d, false, err
	}
	accounts := map[string]string{}
	for _, row := range confirmed {
		accounts[row.RowKey] = row.ExternalAccountID
	}
	for _, l := range lines {
		if accounts[l.Row.Key()] == "" {
			return d, true, nil
		}
	}
	return newDocument(p, lines, accounts), false, nil
}

// newDocument makes the document of a posting. Its bytes depend on nothing else: a second request has the same content
// and the same id. After a refusal it has another id: the provider may answer a known id as it did before, although the
// studio has resolved the reason.
func newDocument(p posting, lines []Line, accounts map[string]string) document {
	d := document{number: docNumber(p.BatchID), currency: p.Currency}
	note := func(what string) string {
		return fmt.Sprintf("%s %s, %s (batch %s)", what, p.LocalDate, p.LocationName, p.BatchID)
	}
	if p.Kind == DepositKind {
		out := &ledgeronline.Deposit{Date: p.LocalDate, DocNumber: d.number, Note: note("Deposit"), Currency: p.Currency}
		for _, l := range lines {
			if l.Category == AssetBank {
				out.BankAccountID = accounts[l.Row.Key()]
				continue
			}
			out.Lines = append(out.Lines, ledgeronline.DepositLine{
				AccountID: accounts[l.Row.Key()], Amount: -l.Amount, Description: l.text(),
			})
		}
		d.deposit, d.requestID = out, requestID(p, out)
		return d
	}
	out := &ledgeronline.Journal{Date: p.LocalDate, DocNumber: d.number, Note: note("Bookings"), Currency: p.Currency}
	for _, l := range lines {
		out.Lines = append(out.Lines, ledgeronline.JournalLine{
			Debit: l.Amount > 0, AccountID: accounts[l.Row.Key()], Amount: max(l.Amount, -l.Amount), Description: l.text(),
		})
	}
	d.journal, d.requestID = out, requestID(p, out)
	return d
}

// text is the description of a line in a document.
func (l Line) text() string {
	if l.Refund {
		return l.Label + ", refunds"
	}
	return l.Label
}

// docNumber returns the number of a batch's document: BK- and eight characters.
func docNumber(batch uuid.UUID) string {
	sum := sha256.Sum256(batch[:])
	return "BK-" + base32.StdEncoding.EncodeToString(sum[:5])
}

// requestID returns 32 hexadecimal digits of a batch, the number of its refusals and the content of its document.
func requestID(p posting, content any) string {
	body, err := json.Marshal(content)
	if err != nil {
		panic(fmt.Sprintf("accounting: content of a document: %v", err)) // structs of texts and numbers
	}
	sum := sha256.Sum256(fmt.Appendf(nil, "post:%s:%d:%s", p.BatchID, p.Refusals, body))
	return hex.EncodeToString(sum[:16])
}
