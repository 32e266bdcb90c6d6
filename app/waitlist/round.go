package waitlist

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/google/uuid"

	"foyer/app/booking"
	"foyer/app/catalog"
	"foyer/app/pg"
	"foyer/app/schedule"
	"foyer/app/tenancy"
)

// Rounds: a change that releases a seat makes one due (booking.RoundTx) and has a job run it at once; the sweep finds
// those with a lost job, the expired offers, and the lists to be closed.
const (
	listsSweep = 200             // dates of one pass of the sweep
	lookAgain  = 5 * time.Minute // where nothing can be booked right now
)

// RunRound is the job booking.waitlist_round.
func (s *Service) RunRound(ctx context.Context, job booking.RoundJob) error {
	return s.round(ctx, job.Business, job.Occurrence)
}

// RoundsDue is the sweep booking.waitlist: it ends expired offers, gives the seats to the next entries, and closes
// the lists past their deadline. It can run in several processes at once and any number of times.
func (s *Service) RoundsDue(ctx context.Context) error {
	for {
		due, found, err := dueLists(ctx, s.db, listsSweep)
		if err != nil {
			return err
		}
		for business, ids := range due {
			for _, id := range ids {
				err = errors.Join(err, s.round(ctx, business, id)) // the others shall not wait for this one
			}
		}
		if err != nil || found < listsSweep {
			return err
		}
	}
}

// RoundsAt runs the due rounds of the waitlists of these dates, and reports whether there were any. A caller that
// finds a time full calls it and does not wait for the sweep.
func (s *Service) RoundsAt(ctx context.Context, business uuid.UUID, occurrences []uuid.UUID) (bool, error) {
	due, err := dueAt(ctx, s.db.View(business), occurrences)
	for _, id := range due {
		err = errors.Join(err, s.round(ctx, business, id))
	}
	return len(due) > 0, err
}

// roundsMax limits the tries of a round whose list changes while its customers are being locked. The sweep goes on.
const roundsMax = 5

// round runs the waitlist of one date.
func (s *Service) round(ctx context.Context, business, occurrence uuid.UUID) error {
	for range roundsMax {
		more, err := pg.InTx(ctx, s.db, business, func(tx *pg.Tx) (bool, error) { return s.roundTx(ctx, tx, occurrence) })
		if err != nil || !more {
			return err
		}
	}
	return nil
}

// roundTx is one round; more reports that there is a customer to be booked whose record was not locked.
func (s *Service) roundTx(ctx context.Context, tx *pg.Tx, occurrence uuid.UUID) (more bool, err error) {
	r := listRound{tx: tx, sc: tenancy.System(tx.Business(), tenancy.SurfaceJob)}
	if err := r.lockThoseNext(ctx, occurrence); err != nil {
		return false, err
	}
	if r.d, err = lockDate(ctx, tx, occurrence); err != nil {
		return false, err
	}
	return r.run(ctx)
}

// listRound is a round of the waitlist of one date, in a transaction that has the date under lock.
type listRound struct {
	tx        *pg.Tx
	sc        tenancy.Scope
	d         date
	customers []uuid.UUID // customers with locked records
	ended     bool        // an offer has ended or found its taker in this transaction
}

// lockThoseNext locks the records of the customers that the round will book, if the list stays as it is: customers
// are locked before occurrences, everywhere.
func (r *listRound) lockThoseNext(ctx context.Context, occurrence uuid.UUID) error {
	d, err := readDate(ctx, r.tx, occurrence)
	if err != nil || d.Rules.Waitlist.Mode != catalog.WaitlistAuto {
		return err
	}
	line, err := lineOf(ctx, r.tx, d)
	if err != nil {
		return err
	}
	turns, _ := deal(d.Rules.Waitlist.Mode, d.Spots(), line)
	for _, t := range turns {
		if t.Verdict == verdictGive {
			r.customers = append(r.customers, t.CustomerID)
		}
	}
	return lockCustomers(ctx, r.tx, r.customers)
}

// run ends expired offers, assigns the available seats, and sets the time of the next round.
func (r *listRound) run(ctx context.Context) (more bool, err error) {
	if err := r.expire(ctx); err != nil {
		return false, err
	}
	switch {
	case r.d.State != schedule.Scheduled:
		return false, CloseTx(ctx, r.tx, r.sc, []uuid.UUID{r.d.ID}, "")
	case !r.tx.Now().Before(r.d.asksUntil()):
		return false, r.close(ctx)
	case r.d.Sold(r.tx.Now()) != "":
		return false, r.again(ctx, earlier(r.tx.Now().Add(lookAgain), r.d.asksUntil()))
	}
	free := r.d.Spots() > 0
	if more, err = r.deal(ctx); err != nil {
		return false, err
	}
	if more {
		return true, booking.RoundTx(ctx, r.tx, []uuid.UUID{r.d.ID})
	}
	if free || r.ended {
		if err := r.startOver(ctx); err != nil {
			return false, err
		}
	}
	return false, r.again(ctx, r.d.asksUntil())
}

// expire ends the offers past their deadline.
func (r *listRound) expire(ctx context.Context) error {
	late, err := lateOffers(ctx, r.tx, r.d.ID)
	if err != nil {
		return err
	}
	return r.end(ctx, tenancy.System(r.tx.Business(), tenancy.SurfaceJob), TransitionExpire, "nobody answered in time", late...)
}

// end has entries make a transition, by an actor, and releases the seats on offer to them.
func (r *listRound) end(ctx context.Context, sc tenancy.Scope, t Transition, why string, entries ...uuid.UUID) error {
	moved, err := transit(ctx, r.tx, sc, t, why, entries...)
	for _, m := range moved {
		if m.From == Offered {
			r.d.Offered -= m.Party
			r.ended = true
		}
		if err == nil && t == TransitionExpire {
			err = enqueueLetter(ctx, r.tx, m.ID, LetterExpired)
		}
	}
	return err
}

// deal assigns the available seats to the waiting entries.
func (r *listRound) deal(ctx context.Context) (more bool, err error) {
	line, err := lineOf(ctx, r.tx, r.d)
	if err != nil {
		return false, err
	}
	mode := r.d.Rules.Waitlist.Mode
	turns, _ := deal(mode, r.d.Spots(), line)
	for _, t := range turns {
		if t.Verdict == verdictGive && mode == catalog.WaitlistAuto && !slices.Contains(r.customers, t.CustomerID) {
			return true, nil // the entries behind wait for this one
		}
		if err := r.turn(ctx, t); err != nil {
			return false, err
		}
	}
	return false, nil
}

func (r *listRound) turn(ctx context.Context, t turn) error {
	switch t.Verdict {
	case verdictClose:
		_, err := transit(ctx, r.tx, r.sc, TransitionClose, t.Why, t.ID)
		return err
	case verdictPass:
		return remark(ctx, r.tx, r.sc, t.ID, Waiting, t.Why)
	case verdictTell:
		if err := remark(ctx, r.tx, r.sc, t.ID, Waiting, t.Why); err != nil {
			return err
		}
		return enqueueLetter(ctx, r.tx, t.ID, LetterFree)
	}
	if r.d.Rules.Waitlist.Mode == catalog.WaitlistAuto {
		return r.book(ctx, t)
	}
	_, err := r.offer(ctx, t.ID, t.Party, t.Why)
	return err
}

// offer makes an offer to an entry, and reserves its seats; false when there are none.
func (r *listRound) offer(ctx context.Context, entry uuid.UUID, party int, why string) (bool, error) {
	ok, err := offerSeats(ctx, r.tx, r.sc, entry, OfferUntil(r.d.Rules, r.d.StartsAt, r.tx.Now()), why)
	if err != nil || !ok {
		return false, err
	}
	r.d.Offered += party
	return true, enqueueLetter(ctx, r.tx, entry, LetterOffered)
}

// book books an entry automatically. The way of paying was chosen on joining; there is neither a plan nor a saved
// card yet that could pay automatically, so the price is due at the studio.
func (r *listRound) book(ctx context.Context, t turn) error {
	w, err := findEntry(ctx, r.tx, t.ID)
	if err != nil {
		return err
	}
	why := t.Why
	if w.PaymentChoice != payLater {
		why += "; chosen payment \"" + string(w.PaymentChoice) + "\" cannot be taken yet: the customer is asked"
	}
	_, err = r.promote(ctx, w, true, why)
	return err
}

// promote books an entry, among the seats sold online or not, and notifies the customer; false when there is no room.
func (r *listRound) promote(ctx context.Context, w Entry, online bool, why string) (bool, error) {
	_, ok, err := r.d.seat(ctx, r.tx, r.sc, seating{
		Entry: w.ID, Transition: booking.TransitionPromote, Online: online, Price: r.d.price(w.Party), Why: why,
		Grace: GraceUntil(r.d.Rules, r.d.StartsAt, r.tx.Now()),
	})
	if err != nil || !ok {
		return false, err
	}
	if err := r.taken(ctx, w, online); err != nil {
		return false, err
	}
	return true, enqueueLetter(ctx, r.tx, w.ID, LetterPromoted)
}

// taken counts the seats of a promoted entry as occupied, among them those on offer to it, and removes the customer
// from other lists.
func (r *listRound) taken(ctx context.Context, w Entry, online bool) error {
	if w.State == Offered {
		r.d.Offered -= w.Party
		r.ended = true
	}
	if r.d.Taken += w.Party; online {
		r.d.TakenOnline += w.Party
	}
	return dropOthers(ctx, r.tx, r.sc, w, r.d)
}

// dropOthers removes a promoted customer from the lists of dates at the same time, where one of the two entries has
// DropIfPromoted. They wait there without an offer, so no seats change. The customer's lock keeps another round from
// promoting them meanwhile.
func dropOthers(ctx context.Context, tx *pg.Tx, sc tenancy.Scope, w Entry, d date) error {
	others, err := overlapping(ctx, tx, w, d)
	if err != nil {
		return err
	}
	_, err = transit(ctx, tx, sc, TransitionLeave, "got a seat at the same time: "+d.OfferingName, others...)
	return err
}

// startOver returns the entries with a passed offer to the waiting ones, once there is no open offer: the next
// available seat starts again from the top of the list.
func (r *listRound) startOver(ctx context.Context) error {
	asked, err := entriesIn(ctx, r.tx, r.d.ID, Offered)
	if err != nil || len(asked) > 0 {
		return err
	}
	passed, err := entriesIn(ctx, r.tx, r.d.ID, Expired, Skipped)
	if err != nil {
		return err
	}
	_, err = transit(ctx, r.tx, r.sc, TransitionAgain, "everybody was asked: the list starts again from the top", passed...)
	return err
}

// close ends the waiting when the list closes. An open offer may be answered until its deadline.
func (r *listRound) close(ctx context.Context) error {
	rest, err := entriesIn(ctx, r.tx, r.d.ID, Waiting, Expired, Skipped)
	if err != nil {
		return err
	}
	if _, err := transit(ctx, r.tx, r.sc, TransitionClose, "the time for asking is over", rest...); err != nil {
		return err
	}
	return booking.DropRoundsTx(ctx, r.tx, r.d.ID)
}

// again sets the time of the next round; an empty list needs none.
func (r *listRound) again(ctx context.Context, at time.Time) error {
	rest, err := entriesIn(ctx, r.tx, r.d.ID, Waiting, Offered, Expired, Skipped)
	if err != nil {
		return err
	}
	if len(rest) == 0 {
		return booking.DropRoundsTx(ctx, r.tx, r.d.ID)
	}
	return booking.SetRoundTx(ctx, r.tx, r.d.ID, at)
}

// beginList locks the date of an entry and reads the entry under that lock. sc is the actor on the entry; the
// consequences are the system's.
func beginList(ctx context.Context, tx *pg.Tx, sc tenancy.Scope, entry uuid.UUID) (*listRound, Entry, error) {
	w, err := findEntry(ctx, tx, entry)
	if err != nil {
		return nil, w, err
	}
	r := &listRound{tx: tx, sc: sc}
	if r.d, err = lockDate(ctx, tx, w.OccurrenceID); err != nil {
		return nil, w, err
	}
	w, err = findEntry(ctx, tx, entry)
	return r, w, err
}

// goOn runs the list after an entry released its seats. In the mode that books automatically, the customer's record
// would have to be locked before the date, so it leaves that to the round that is due now.
func (r *listRound) goOn(ctx context.Context) error {
	r.sc = tenancy.System(r.tx.Business(), tenancy.SurfaceJob)
	_, err := r.run(ctx)
	return err
}
