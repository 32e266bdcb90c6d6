package billing

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/fault"
	"foyer/app/money"
	"foyer/app/pg"
	"foyer/app/tenancy"
	"foyer/billing/ledger"
	"foyer/billing/processor"
	"foyer/billing/tender"
)

// ErrNotVoidable means that a payment at the studio is not of today, or has refunds.
var ErrNotVoidable = fault.New(
	fault.Conflict, "not_voidable", "Only a payment of today without refunds can be voided. Refund it instead.",
)

// ManualPaymentInput is a payment at the studio.
type ManualPaymentInput struct {
	LocationID uuid.UUID
	OrderID    uuid.UUID
	CustomerID uuid.UUID // of the order
	Currency   money.Currency
	Method     tender.Kind
	Source     uuid.UUID // of a gift card
	Label      string    // of that, on receipts
	Note       string
	Parts      []tender.Part // of the order: at least one
}

// RecordPaymentTx records a payment at the studio as a tender of its order, and books it. The caller holds the lock of
// the order, and of the source of that method if it has one, and has checked that the parts are due.
func (s *Service) RecordPaymentTx(
	ctx context.Context, tx *pg.Tx, sc tenancy.Scope, in ManualPaymentInput,
) (tender.Tender, error) {
	t := tender.Tender{
		ID: pg.NewID(), LocationID: in.LocationID, OrderID: in.OrderID, CustomerID: in.CustomerID, Kind: in.Method,
		SourceID: in.Source, SourceLabel: in.Label,
		Amount: tender.Sum(in.Parts), Currency: in.Currency, Note: in.Note, Parts: in.Parts,
	}
	b := tx.Batch()
	lockLocation(b, tx, t.LocationID)
	tender.InsertIn(b, tx, sc.Actor, &t)
	if err := s.bookTenderIn(b, tx, sc, t); err != nil {
		return tender.Tender{}, err
	}
	return t, b.Send(ctx)
}

// CapturePrepaidTx captures what was authorized with an order beside its card: account credit, for one. It is spent,
// and booked. The caller has locked the sources and has checked that they are enough. It returns a not found error if
// there is none, or it is captured or void.
func (s *Service) CapturePrepaidTx(ctx context.Context, tx *pg.Tx, sc tenancy.Scope, order uuid.UUID) error {
	b := tx.Batch()
	read := tender.Reserved(b, tx, order)
	if err := b.Send(ctx); err != nil {
		return err
	}
	list := read()
	if len(list) == 0 {
		return fault.Missing()
	}
	b = tx.Batch()
	for _, t := range list {
		tender.CaptureIn(b, tx, sc.Actor, t.ID)
		if err := s.bookTenderIn(b, tx, sc, t); err != nil {
			return err
		}
	}
	return b.Send(ctx)
}

// bookTenderIn queues the entry of a captured tender in the books, and spends what it is paid from.
func (s *Service) bookTenderIn(b *pg.Batch, tx *pg.Tx, sc tenancy.Scope, t tender.Tender) error {
	if source := s.sources[t.Kind]; source != nil {
		source.Spend(b, tx, sc.Actor, t)
	}
	return ledger.PostIn(b, tx, ledger.ManualPayment(placeOf(tx, t), t.ID, s.sources.Account(t.Kind), postings(t.Parts)))
}

// Sources returns the sources of tenders.
func (s *Service) Sources() tender.Sources { return s.sources }

// refundTender is RefundOfTx of a payment at the studio.
func (s *Service) refundTender(ctx context.Context, tx *pg.Tx, r Refundable, in RefundInput) (RefundRequest, error) {
	left := r.Parts()
	if n := tender.Sum(left); in.Amount > n {
		return RefundRequest{}, processor.ErrRefundTooLarge.With("refundable", n)
	}
	back := RefundRequest{
		Reason: in.Reason, Destination: ToOriginal, Note: in.Note, Parts: tender.ShareOf(left, in.Amount, in.Lines),
	}
	if in.CreditTo != nil && r.Tender.Kind != tender.AccountCredit {
		back.Destination = ToCredit
	}
	return s.reverse(ctx, tx, in.By, r.Tender, KindRefund, back)
}

// VoidTx records that a locked payment at the studio was a mistake: what it paid is due again. The caller has checked
// that it is still the payment's day. It returns ErrNotVoidable.
func (s *Service) VoidTx(ctx context.Context, tx *pg.Tx, r Refundable, by tenancy.Actor, note string) error {
	if r.ByCard() || tender.Sum(r.Parts()) != r.Tender.Amount {
		return ErrNotVoidable
	}
	_, err := s.reverse(ctx, tx, by, r.Tender, KindVoid, RefundRequest{
		Reason: ReasonVoid, Destination: ToOriginal, Note: note, Parts: r.Tender.Parts,
	})
	return err
}

// reverse writes a refund or void of a tender, and books it.
func (s *Service) reverse(
	ctx context.Context, tx *pg.Tx, by tenancy.Actor, of tender.Tender, kind RefundKind, r RefundRequest,
) (RefundRequest, error) {
	if by == (tenancy.Actor{}) {
		by, _ = tenancy.ActingFrom(ctx)
	}
	r.ID, r.TenderID, r.Amount, r.State = pg.NewID(), of.ID, tender.Sum(r.Parts), RequestSucceeded
	r.CreatedAt, r.UpdatedAt = tx.Now(), tx.Now()
	method := of.Kind
	if r.Destination == ToCredit {
		method = tender.AccountCredit
	}
	b := tx.Batch()
	lockLocation(b, tx, of.LocationID)
	if err := insertTenderRefund(b, tx, by, of, kind, method, r); err != nil {
		return RefundRequest{}, err
	}
	at, account, book := placeOf(tx, of), s.sources.Account(method), ledger.ManualRefund
	if kind == KindVoid {
		tender.VoidIn(b, tx, of.ID)
		book = ledger.ManualVoid
	}
	if source := s.sources[method]; source != nil {
		source.Return(b, tx, by, of, tender.Return{RefundID: r.ID, Amount: r.Amount, Note: r.Note})
	}
	if err := ledger.PostIn(b, tx, book(at, r.ID, account, postings(r.Parts))); err != nil {
		return RefundRequest{}, err
	}
	if err := b.Send(ctx); err != nil {
		return RefundRequest{}, err
	}
	return r, s.returnPurchases(ctx, tx, at, r)
}

func placeOf(tx *pg.Tx, t tender.Tender) ledger.Context {
	return ledger.Context{LocationID: t.LocationID, Currency: t.Currency, At: tx.Now()}
}
