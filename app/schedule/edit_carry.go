package schedule

import (
	"context"
	"slices"
	"time"

	"github.com/google/uuid"

	"foyer/app/claim"
	"foyer/app/fault"
	"foyer/app/pg"
	"foyer/app/tenancy"
)

// carryOut does an edit of a series whose row is locked. What it locks it locks in the order of the house: holds,
// bookings, people, spaces, dates. It sends the same number of statements however many dates there are.
func (s *Service) carryOut(ctx context.Context, tx *pg.Tx, sc tenancy.Scope, e edit) (Edited, error) {
	w, err := s.lockWork(ctx, tx, e)
	if err != nil {
		return Edited{}, err
	}
	booked, err := s.bookedOn(ctx, tx, w)
	if err != nil {
		return Edited{}, err
	}
	k := newKeeping(e.before, booked)
	plan := w.plan()
	plan.Split = e.split
	plan.hit(booked, w, e.onBooked)
	clashes, rows, err := makeBusy(ctx, tx, w.busyChange(e.target), k)
	if err != nil {
		return Edited{}, err
	}
	plan.Conflicts = claim.ConflictDetails(clashes)
	if err := e.refusal(w, plan, clashes, booked); err != nil {
		return Edited{}, err
	}
	if err := k.rows(ctx, tx, e, w); err != nil {
		return Edited{}, err
	}
	if err := save(ctx, tx, &e, w, k); err != nil {
		return Edited{}, err
	}
	if err := k.claim(ctx, tx, rows); err != nil {
		return Edited{}, err
	}
	if err := s.tellBookings(ctx, tx, sc, e, w, booked, &plan); err != nil {
		return Edited{}, err
	}
	out := Edited{Series: e.target, EditID: pg.NewID(), UndoUntil: tx.Now().Add(undoFor), Plan: plan}
	return out, k.insert(ctx, tx, out)
}

// undoFor is how long an edit can be taken back.
const undoFor = 24 * time.Hour

// lockWork locks everything that the edit is about and works out what to do. What is read before the locks only says what
// to lock.
func (s *Service) lockWork(ctx context.Context, tx *pg.Tx, e edit) (work, error) {
	rows, err := seriesDates(ctx, tx, e, "")
	if err != nil {
		return work{}, err
	}
	if _, err := s.bookedOn(ctx, tx, e.work(rows, tx.Now())); err != nil { // locks the holds and bookings there
		return work{}, err
	}
	members, spaces := e.resources(rows)
	if _, err := claim.LockTx(ctx, tx, members, spaces); err != nil {
		return work{}, err
	}
	if rows, err = seriesDates(ctx, tx, e, ` for no key update`); err != nil {
		return work{}, err
	}
	return e.work(rows, tx.Now()), nil
}

// resources are the people and spaces of the dates, before and after.
func (e edit) resources(rows []written) (members, spaces []uuid.UUID) {
	add := func(list *[]uuid.UUID, id *uuid.UUID) {
		if id != nil && !slices.Contains(*list, *id) {
			*list = append(*list, *id)
		}
	}
	for _, s := range []Series{e.before, e.target} {
		add(&members, s.MemberID)
		add(&spaces, s.SpaceID)
	}
	for _, r := range rows {
		add(&members, r.MemberID)
		add(&spaces, r.SpaceID)
	}
	return members, spaces
}

// bookedOn reads who is booked on the dates that move or go. Without the function that knows, the counters have to do.
func (s *Service) bookedOn(ctx context.Context, tx *pg.Tx, w work) (map[uuid.UUID]Booked, error) {
	var ids []uuid.UUID
	out := map[uuid.UUID]Booked{}
	for _, st := range w.steps {
		if st.was.State == Scheduled && (st.is.State == Cancelled || !st.was.sameTime(st.is)) {
			ids = append(ids, st.was.ID)
			if st.was.seats() > 0 {
				out[st.was.ID] = Booked{DateID: st.was.ID, Seats: st.was.seats()}
			}
		}
	}
	if len(ids) == 0 || s.bookings.BookedTx == nil {
		return out, nil
	}
	list, err := s.bookings.BookedTx(ctx, tx, ids)
	for _, b := range list {
		out[b.DateID] = b
	}
	return out, err
}

// hit notes which dates with bookings the edit moves or takes away.
func (p *Plan) hit(booked map[uuid.UUID]Booked, w work, on OnBooked) {
	for _, st := range w.steps {
		b, some := booked[st.was.ID]
		if !some {
			continue
		}
		d := BookedDate{ID: st.was.ID, StartsAt: st.was.StartsAt, Bookings: max(len(b.Bookings), 1), Outcome: "moved"}
		if st.is.State == Cancelled {
			d.Outcome = map[OnBooked]string{CancelBooked: "cancelled", MoveBooked: "transferred"}[on]
			if d.Outcome == "" {
				d.Outcome = "refused"
			}
		}
		p.Hit = append(p.Hit, d)
	}
}

// busyChange is what an edit does to busy time: whose claims go, and what is claimed. Dates that are to be made get their
// ids here.
func (w *work) busyChange(target Series) busyChange {
	var b busyChange
	for _, st := range w.steps {
		b.add(st)
	}
	for i := range w.insert {
		d := &w.insert[i]
		d.id = pg.NewID()
		b.claims = append(b.claims, claimsOf(d.id, Scheduled, d.StartsAt, d.EndsAt, target.MemberID, target.SpaceID)...)
	}
	return b
}

// busyChange is claims that go and claims that come. A person or a space that stays where it was keeps its claim.
type busyChange struct {
	people, spaces []uuid.UUID // dates whose people's or spaces' claims go
	claims         []claim.Claim
}

func (b *busyChange) add(st step) {
	again := st.was.State != st.is.State || !st.was.sameTime(st.is)
	people := again || !equal(st.was.MemberID, st.is.MemberID)
	spaces := again || !equal(st.was.SpaceID, st.is.SpaceID)
	for _, c := range st.is.claims() {
		if people && c.MemberID != uuid.Nil || spaces && c.SpaceID != uuid.Nil {
			b.claims = append(b.claims, c)
		}
	}
	if st.was.State != Scheduled {
		return
	}
	if people && st.was.MemberID != nil {
		b.people = append(b.people, st.was.ID)
	}
	if spaces && st.was.SpaceID != nil {
		b.spaces = append(b.spaces, st.was.ID)
	}
}

// makeBusy releases claims and looks at what is in the way of the new ones. The rows it returns are to be written when
// their dates are there; those that clash are forced.
func makeBusy(ctx context.Context, tx *pg.Tx, b busyChange, k *keeping) ([]claim.Clash, []claim.Row, error) {
	if len(b.people)+len(b.spaces) > 0 {
		gone, err := claim.WithdrawTx(ctx, tx, b.people, b.spaces)
		if err != nil {
			return nil, nil, err
		}
		k.before.Claims = gone
	}
	return lookAround(ctx, tx, b.claims)
}

// lookAround locks what claims name and finds everything in their way, time off and blocks too.
func lookAround(ctx context.Context, tx *pg.Tx, claims []claim.Claim) ([]claim.Clash, []claim.Row, error) {
	if len(claims) == 0 {
		return nil, nil, nil
	}
	parts, err := claim.LockClaimedTx(ctx, tx, claims)
	if err != nil {
		return nil, nil, err
	}
	rows, err := claim.Expand(claims, parts)
	if err != nil {
		return nil, nil, err
	}
	clashes, err := claim.ClashesOf(ctx, tx, rows, claims)
	if err != nil {
		return nil, nil, err
	}
	claim.Force(rows, clashes)
	away, err := claim.AwayOf(ctx, tx, claims)
	return append(clashes, away...), rows, err
}

// refusal is why the edit is not to be done; it comes with the plan.
func (e edit) refusal(w work, p Plan, clashes []claim.Clash, booked map[uuid.UUID]Booked) error {
	var taken, full []string
	for _, st := range w.steps {
		_, some := booked[st.was.ID]
		switch {
		case st.is.State == Cancelled && st.was.State == Scheduled:
			if some {
				taken = append(taken, st.was.LocalDate.String())
			}
		case st.is.Capacity < st.was.seats():
			full = append(full, st.was.LocalDate.String())
		}
	}
	refuse := func(f *fault.Error) error { return f.With("plan", p) }
	switch {
	case len(full) > 0:
		return refuse(ErrDatesTooFull.With("dates", capped(full)))
	case len(taken) > 0 && (e.onBooked == "" || e.onBooked == RefuseBooked):
		return refuse(ErrDatesBooked.With("dates", capped(taken)))
	case len(clashes) > 0 && !e.allow:
		return refuse(fault.From(claim.Refusal(clashes)))
	}
	return nil
}

func capped(dates []string) []string { return dates[:min(len(dates), PageMax)] }

// save writes the series and its dates. New versions are such that none is given twice: not even after an undo.
func save(ctx context.Context, tx *pg.Tx, e *edit, w work, k *keeping) error {
	spent, err := undoneVersions(ctx, tx, e.before.ID)
	if err != nil {
		return err
	}
	e.written(w.to)
	if e.split {
		e.rest.Version = max(e.rest.Version, spent[e.rest.ID]+1)
		if err := insertSeries(ctx, tx, e.target); err != nil {
			return err
		}
		if err := saveSeries(ctx, tx, e.rest); err != nil {
			return err
		}
		k.after.Series[e.rest.ID], k.after.Split = e.rest.Version, &e.target.ID
	} else {
		e.target.Version = max(e.target.Version, spent[e.target.ID]+1)
		if err := saveSeries(ctx, tx, e.target); err != nil {
			return err
		}
	}
	k.after.Series[e.target.ID] = e.target.Version
	for _, st := range slices.Concat(w.steps, w.displaced) {
		k.after.Dates[st.is.ID] = max(st.was.Version, spent[st.is.ID]) + 1
	}
	for _, d := range w.insert {
		k.after.Added = append(k.after.Added, d.id)
	}
	return saveDates(ctx, tx, *e, w, k.after.Dates)
}

// tellBookings lets bookings, waitlists and customers follow their dates, and writes into the plan what that came to.
func (s *Service) tellBookings(ctx context.Context, tx *pg.Tx, sc tenancy.Scope, e edit, w work, booked map[uuid.UUID]Booked, p *Plan) error {
	var gone, goneBooked, moved, stay []uuid.UUID
	var notices []Notice
	for _, st := range w.steps {
		_, some := booked[st.was.ID]
		if st.is.State == Scheduled {
			stay = append(stay, st.was.ID)
		}
		n := Notice{DateID: st.was.ID, Was: st.was.StartsAt, Reason: e.why.Reason}
		switch {
		case st.was.State == Scheduled && st.is.State == Cancelled:
			gone = append(gone, st.was.ID)
			if some {
				goneBooked = append(goneBooked, st.was.ID)
			}
			continue // who is booked hears of the booking
		case !some:
			continue
		}
		moved = append(moved, st.was.ID)
		n.Kind = NoticeMoved
		notices = append(notices, n)
		p.Notices += len(booked[st.was.ID].Bookings)
	}
	if err := s.leave(ctx, tx, sc, leaving{dates: gone, booked: goneBooked, on: e.onBooked, why: e.why, to: w.nearest()}, p); err != nil {
		return err
	}
	if len(moved) > 0 && s.bookings.RetimeBookedTx != nil {
		if err := s.bookings.RetimeBookedTx(ctx, tx, moved); err != nil {
			return err
		}
	}
	if err := s.bookings.lookAgain(ctx, tx, stay...); err != nil {
		return err
	}
	if !e.why.Notify {
		p.Notices = 0
		return nil
	}
	return s.notify(ctx, tx, notices)
}

func (s *Service) notify(ctx context.Context, tx *pg.Tx, notices []Notice) error {
	if len(notices) == 0 || s.bookings.NoticeTx == nil {
		return nil
	}
	return s.bookings.NoticeTx(ctx, tx, notices)
}
