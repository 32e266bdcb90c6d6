package accounting

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"strings"
	"time"

	"github.com/google/uuid"

	"foyer/app/accounting/ledgeronline"
	"foyer/app/money"
	"foyer/app/pg"
	"foyer/app/sealed"
)

const (
	companiesAtOnce = 32              // in one process
	lease           = 2 * time.Minute // of a company: longer than all calls for one posting
	turnMost        = 100             // postings of a company before others of the process get its place
	triesMost       = 8               // that count, until a posting has failed
	restAfter429    = time.Minute
	backOffMost     = time.Hour
)

// PostDue is the sweep accounting.postings: it posts what is due, at the pace of the provider, one document at a time
// for each company and many companies at once. A company that does not answer delays no other. It returns when nothing
// is due.
func (s *Service) PostDue(ctx context.Context) error {
	if s.provider == nil {
		return nil
	}
	done := make(chan error)
	running, failed := 0, error(nil)
	for {
		var due []dueConnection
		if running < companiesAtOnce && ctx.Err() == nil {
			var err error
			if due, err = dueConnections(ctx, s.db, companiesAtOnce-running); err != nil {
				failed = errors.Join(failed, err)
			}
		}
		for _, d := range due {
			running++
			go func() { done <- s.postTurn(ctx, d) }()
		}
		if running == 0 {
			return failed
		}
		select {
		case err := <-done:
			running--
			failed = errors.Join(failed, err)
		case <-time.After(time.Second): // real time: others may have become due
		}
		if failed != nil && ctx.Err() == nil && running == 0 {
			return failed
		}
	}
}

// dueConnection is a connection with postings that are due.
type dueConnection struct{ BusinessID, ID uuid.UUID }

// postTurn claims a company and posts for it until nothing is due, it rests, or its turn ends.
func (s *Service) postTurn(ctx context.Context, d dueConnection) error {
	c, claimed, err := claim(ctx, s.db, d)
	if err != nil || !claimed {
		return err
	}
	var rest time.Time
	for range turnMost {
		if rest = s.provider.Resting(c.ExternalCompanyID); !rest.IsZero() {
			break
		}
		var again bool
		if again, rest, err = s.postNext(ctx, d.BusinessID, c); err != nil || !again {
			break
		}
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), callMost) // a process that ends hands it over
	defer cancel()
	return errors.Join(err, release(ctx, s.db, d, rest))
}

// postNext posts the next batch that is due. again means that another one may be; otherwise rest is when the company is
// looked at again, at the earliest.
func (s *Service) postNext(
	ctx context.Context, business uuid.UUID, c Connection,
) (again bool, rest time.Time, err error) {
	p, found, err := nextPosting(ctx, s.db.View(business), c.ID)
	if err != nil || !found {
		return false, rest, err
	}
	doc, incomplete, err := s.document(ctx, business, c, p)
	if err != nil {
		return false, rest, err
	}
	if incomplete { // the map changed since the posting was assessed
		return true, rest, pg.Do(ctx, s.db, business, func(tx *pg.Tx) error { return assessTx(ctx, tx, c) })
	}
	made, err := s.send(ctx, business, c, &p, doc)
	if errors.Is(err, errMoved) {
		return true, rest, nil
	}
	return s.settle(ctx, business, c, p, doc, made, err)
}

// errMoved means that a posting is not pending any more: another process, or a person, changed it.
var errMoved = errors.New("accounting: posting is no longer pending")

// send makes the document of a posting. If an earlier request may have made it, it is looked for first: the provider
// may have forgotten the request's id.
func (s *Service) send(
	ctx context.Context, business uuid.UUID, c Connection, p *posting, d document,
) (made ledgeronline.Doc, err error) {
	err = s.withToken(ctx, business, c, func(ctx context.Context, conn ledgeronline.Conn) error {
		if !p.begun {
			if err := beginAttempt(ctx, s.db, business, p); err != nil {
				return err
			}
		}
		if p.MayExist {
			if found, err := s.find(ctx, conn, *p, d); err != nil || found != nil {
				if found != nil {
					made = *found
				}
				return err
			}
		}
		var err error
		if d.deposit != nil {
			made, err = s.provider.PostDeposit(ctx, conn, *d.deposit, d.requestID)
		} else {
			made, err = s.provider.PostJournal(ctx, conn, *d.journal, d.requestID)
		}
		return err
	})
	return made, err
}

// find returns the document of a posting; nil if the provider has none.
func (s *Service) find(ctx context.Context, conn ledgeronline.Conn, p posting, d document) (*ledgeronline.Doc, error) {
	found, err := s.provider.FindDoc(ctx, conn, d.kind(), d.number, p.LocalDate)
	if err != nil || found == nil || !strings.Contains(found.Note, p.BatchID.String()) {
		return nil, err
	}
	return found, nil
}

// settle stores the outcome of a posting's attempt.
func (s *Service) settle(
	ctx context.Context, business uuid.UUID, c Connection, p posting, d document, made ledgeronline.Doc, failure error,
) (again bool, rest time.Time, err error) {
	class := classOf(failure)
	if failure != nil && ctx.Err() != nil { // the process ends; the next one looks for the document first
		return false, rest, nil
	}
	if class == ledgeronline.DuplicateDocument {
		failure = s.withToken(ctx, business, c, func(ctx context.Context, conn ledgeronline.Conn) error {
			found, err := s.find(ctx, conn, p, d)
			if err == nil && found == nil {
				return failure
			}
			if found != nil {
				made = *found
			}
			return err
		})
		class = classOf(failure)
	}
	if class == ledgeronline.AccountUnusable {
		return s.unconfirm(ctx, business, c, p, failure)
	}
	var o outcome
	now := s.db.View(business).Now()
	switch {
	case failure == nil:
		o = outcome{status: Posted, doc: made}
	case errors.Is(failure, errReauth):
		o = outcome{status: Pending, uncounted: true, keep: true, next: now}
	case class == ledgeronline.Throttled:
		o = outcome{status: Pending, uncounted: true, next: now.Add(max(restAfter429, wait(failure)))}
	case class == ledgeronline.Misconfigured, errors.Is(failure, sealed.ErrUnsealable):
		o = outcome{
			status: Pending, uncounted: true, keep: true, next: now.Add(backOffMost),
			problem: problemOf(failure, d.currency),
		}
	case class == ledgeronline.Transient, class == "":
		o = outcome{
			status: Pending, keep: ledgeronline.Unknown(failure) || class == "",
			problem: problemOf(failure, d.currency),
		}
		o.next = now.Add(max(backOff(p.Attempts), wait(failure)))
		if p.Attempts >= triesMost {
			o.status = Failed
		}
	default:
		o = outcome{status: Failed, refused: true, problem: problemOf(failure, d.currency)}
	}
	o.mayExist = p.MayExist || p.begun && o.keep
	if failure != nil {
		level := slog.LevelWarn
		if o.status == Failed && class != ledgeronline.Transient && class != "" { // the studio resolves it
			level = slog.LevelInfo
		}
		s.log.Log(ctx, level, "could not post a batch", "business", business, "batch", p.BatchID, "status", o.status,
			"error", failure)
	}
	company := o.problem
	if class != ledgeronline.Transient && class != ledgeronline.Misconfigured &&
		class != ledgeronline.SubscriptionLapsed && !errors.Is(failure, sealed.ErrUnsealable) {
		company = ""
	}
	if err := saveOutcome(ctx, s.db, business, c, p, o, company); err != nil {
		return false, rest, err
	}
	if o.status == Pending {
		return false, o.next, nil
	}
	return true, rest, nil
}

// outcome is the outcome of an attempt.
type outcome struct {
	status    Status
	doc       ledgeronline.Doc
	problem   string    // in plain words
	next      time.Time // of a pending one
	uncounted bool      // the attempt does not count
	refused   bool      // the provider refused the document: it would refuse this request's id again, whatever changes
	keep      bool      // the request may have made a document
	mayExist  bool
}

// wait returns how long the provider asked to wait.
func wait(err error) time.Duration {
	var e *ledgeronline.Error
	if errors.As(err, &e) {
		return e.RetryAfter
	}
	return 0
}

// backOff returns the time until the next attempt after so many: 1, 2, 4 … 60 minutes, up to a quarter more.
func backOff(attempts int) time.Duration {
	d := backOffMost
	if attempts <= 6 {
		d = time.Minute << max(attempts-1, 0)
	}
	return d + rand.N(d/4+1) //nolint:gosec // it spreads attempts
}

// problemOf returns the reason of a failure for the studio.
func problemOf(err error, cur money.Currency) string {
	if errors.Is(err, sealed.ErrUnsealable) {
		return "This installation cannot read its access to the accounting provider. The person who operates it has to " +
			"look at it. If the access is lost, reconnect."
	}
	var e *ledgeronline.Error
	if !errors.As(err, &e) {
		return "The accounting provider did not answer."
	}
	switch e.Class {
	case ledgeronline.Transient:
		return "The accounting provider did not answer. It is tried again."
	case ledgeronline.Misconfigured:
		return "The accounting provider does not accept this installation. The person who operates it has to look at it."
	case ledgeronline.BooksClosed:
		return "The books are closed on this date at the accounting provider. " +
			"Reopen them there, or move the closing date, then retry."
	case ledgeronline.SubscriptionLapsed:
		return "The company's subscription at the accounting provider has ended. Renew it there, then retry."
	case ledgeronline.DuplicateDocument:
		return "Another document at the accounting provider has the number of this one. Rename it there, then retry."
	case ledgeronline.AccountUnusable:
		return "An account of this document was deleted or made inactive at the accounting provider. " +
			"Choose another one in the map."
	}
	text := e.Message
	if e.Detail != "" && e.Detail != e.Message {
		text += ": " + e.Detail
	}
	return fmt.Sprintf("The accounting provider refused the document (%s): %s", cur, text)
}

// unconfirm removes the accounts that the provider no longer has from the map, so that a person chooses others. The
// batches that need them are skipped until then. If all accounts are there, the posting has failed.
func (s *Service) unconfirm(
	ctx context.Context, business uuid.UUID, c Connection, p posting, failure error,
) (again bool, rest time.Time, err error) {
	var chart []ledgeronline.Account
	reading := s.withToken(ctx, business, c, func(ctx context.Context, conn ledgeronline.Conn) (err error) {
		chart, err = s.provider.FreshAccounts(ctx, conn)
		return err
	})
	if reading != nil {
		return s.settle(ctx, business, c, p, document{}, ledgeronline.Doc{}, reading)
	}
	usable := []string{}
	for _, a := range chart {
		if a.Active {
			usable = append(usable, a.ID)
		}
	}
	err = pg.Do(ctx, s.db, business, func(tx *pg.Tx) error {
		gone, err := dropUnusable(ctx, tx, c.ID, usable)
		if err != nil {
			return err
		}
		o := outcome{status: Failed, refused: true, problem: problemOf(failure, "")}
		if gone > 0 {
			o = outcome{status: Pending, refused: true, next: tx.Now(), uncounted: true}
		}
		if err := saveOutcomeTx(ctx, tx, c, p, o, ""); err != nil {
			return err
		}
		return assessTx(ctx, tx, c)
	})
	return err == nil, rest, err
}
