package schedule

import (
	"context"
	"maps"
	"slices"

	"github.com/google/uuid"

	"foyer/app/claim"
	"foyer/app/fault"
	"foyer/app/paging"
	"foyer/app/pg"
	"foyer/app/tenancy"
)

// carryOut carries out an edit of a series whose row is locked. Its lock order is that of the product: holds,
// bookings, people, spaces, dates. It sends the same number of statements however many dates there are.
func (s *Service) carryOut(ctx context.Context, tx *pg.Tx, sc tenancy.Scope, e edit) (Edited, error) {
	w, err := s.lockWork(ctx, tx, e)
	if err != nil {
		return Edited{}, err
	}
	c, err := s.prepare(ctx, tx, w, e.target, e.onBooked)
	if err != nil {
		return Edited{}, err
	}
	c.plan.Split = e.split
	if err := e.refusal(c); err != nil {
		return Edited{}, err
	}
	if err := c.save(ctx, tx, &e); err != nil {
		return Edited{}, err
	}
	if err := s.tell(ctx, tx, sc, c, e.onBooked, e.why); err != nil {
		return Edited{}, err
	}
	if _, err := s.tellTeam(ctx, tx, c.work, e.why.team()); err != nil {
		return Edited{}, err
	}
	c.after.Silent = e.why.Silent
	edit, err := c.keep(ctx, tx, seriesRef{e.before.OfferingID, e.before.ID})
	return Edited{e.target, edit}, err
}

// lockWork locks everything that the edit concerns and computes the work. The reading before the locks only selects
// the rows to lock.
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

// change is work with its effects on people and busy time, and the records for undoing it.
type change struct {
	work
	plan    Plan
	clashes []claim.Clash
	claims  []claim.Row // to be written when their dates exist; conflicting ones are forced
	before  keptBefore
	after   keptAfter
}

// prepare reads the bookings of the dates, which are locked, releases their claims and reads the conflicts of the new
// ones. target is the series of dates that are to be made; they get their ids here.
func (s *Service) prepare(ctx context.Context, tx *pg.Tx, w work, target Series, on OnBooked) (*change, error) {
	booked, err := s.bookedOn(ctx, tx, w)
	if err != nil {
		return nil, err
	}
	c := &change{work: w, plan: w.plan(), after: keptAfter{
		Series: map[uuid.UUID]int64{}, Dates: map[uuid.UUID]int64{}, Bookings: booked,
	}}
	for _, st := range slices.Concat(w.steps, w.displaced) {
		c.before.Dates = append(c.before.Dates, st.was.Row)
	}
	c.hit(on)
	if err := c.nameChanges(ctx, tx); err != nil {
		return nil, err
	}
	busy := c.busyChange(target)
	if len(busy.people)+len(busy.spaces) > 0 {
		if c.before.Claims, err = claim.WithdrawTx(ctx, tx, busy.people, busy.spaces); err != nil {
			return nil, err
		}
	}
	c.clashes, c.claims, err = claim.CheckTx(ctx, tx, busy.claims)
	c.plan.Conflicts = claim.ConflictDetails(c.clashes)
	return c, err
}

// bookedOn reads the bookings of the dates that are rescheduled or removed. A seat on offer counts, too.
func (s *Service) bookedOn(ctx context.Context, tx *pg.Tx, w work) (map[uuid.UUID][]uuid.UUID, error) {
	var ids []uuid.UUID
	out := map[uuid.UUID][]uuid.UUID{}
	for _, st := range w.steps {
		if st.was.State == Scheduled && (st.is.State == Cancelled || !st.was.sameTime(st.is)) {
			ids = append(ids, st.was.ID)
			if st.was.seats() > 0 {
				out[st.was.ID] = nil
			}
		}
	}
	if len(ids) == 0 {
		return out, nil
	}
	list, err := s.bookings.BookedTx(ctx, tx, ids)
	maps.Copy(out, list)
	return out, err
}

// hit notes in the plan the dates with bookings that are rescheduled or removed.
func (c *change) hit(on OnBooked) {
	for _, st := range c.steps {
		bookings, some := c.after.Bookings[st.was.ID]
		if !some {
			continue
		}
		d := BookedDate{ID: st.was.ID, StartsAt: st.was.StartsAt, Bookings: max(len(bookings), 1), Outcome: "moved"}
		if st.is.State == Cancelled {
			d.Outcome = map[OnBooked]string{CancelBooked: "cancelled", RescheduleBooked: "rescheduled"}[on]
			if d.Outcome == "" {
				d.Outcome = "refused"
			}
		}
		c.plan.Hit = append(c.plan.Hit, d)
	}
}

// refusal is why the edit is not to be done; it comes with the plan.
func (e edit) refusal(c *change) error {
	var taken, full []string
	for _, st := range c.steps {
		_, some := c.after.Bookings[st.was.ID]
		switch {
		case st.is.State == Cancelled && st.was.State == Scheduled:
			if some {
				taken = append(taken, st.was.LocalDate.String())
			}
		case st.is.Capacity < st.was.seats():
			full = append(full, st.was.LocalDate.String())
		}
	}
	refuse := func(f *fault.Error) error { return f.With("plan", c.plan) }
	switch {
	case len(full) > 0:
		return refuse(ErrDatesTooFull.With("dates", capped(full)))
	case len(taken) > 0 && (e.onBooked == "" || e.onBooked == RefuseBooked):
		return refuse(ErrDatesBooked.With("dates", capped(taken)))
	case len(c.clashes) > 0 && !e.allow:
		return refuse(fault.From(claim.Refusal(c.clashes)))
	}
	return nil
}

func capped(dates []string) []string { return dates[:min(len(dates), paging.Max)] }

// save writes the series, its dates and their claims, and keeps the rows as they were. New versions are never used
// twice, not even after an undo.
func (c *change) save(ctx context.Context, tx *pg.Tx, e *edit) (err error) {
	if c.before.Series, err = rawSeries(ctx, tx, e.before.ID); err != nil {
		return err
	}
	spent, err := undoneVersions(ctx, tx, e.before.ID)
	if err != nil {
		return err
	}
	e.written(c.to)
	if e.split {
		e.rest.Version = max(e.rest.Version, spent[e.rest.ID]+1)
		c.after.Series[e.rest.ID], c.after.Split = e.rest.Version, &e.target.ID
		if err := insertSeries(ctx, tx, e.target); err != nil {
			return err
		}
		err = saveSeries(ctx, tx, e.rest)
	} else {
		e.target.Version = max(e.target.Version, spent[e.target.ID]+1)
		err = saveSeries(ctx, tx, e.target)
	}
	if err != nil {
		return err
	}
	c.after.Series[e.target.ID] = e.target.Version
	for _, d := range c.insert {
		c.after.Added = append(c.after.Added, d.id)
	}
	c.number(spent)
	if err := saveDates(ctx, tx, e.target, c.work); err != nil {
		return err
	}
	return c.claim(ctx, tx)
}

// number assigns the dates versions that they have never had, and keeps them.
func (c *change) number(spent map[uuid.UUID]int64) {
	for _, steps := range [][]step{c.steps, c.displaced} {
		for i := range steps {
			st := &steps[i]
			st.is.Version = max(st.was.Version, spent[st.is.ID]) + 1
			c.after.Dates[st.is.ID] = st.is.Version
		}
	}
}

// claim writes the claims and keeps their ids.
func (c *change) claim(ctx context.Context, tx *pg.Tx) error {
	for i := range c.claims {
		c.claims[i].ID = pg.NewID()
		c.after.Claims = append(c.after.Claims, c.claims[i].ID)
	}
	return claim.InsertTx(ctx, tx, c.claims)
}

// tell updates bookings and waitlists to their dates, notifies the customers, and writes the effects into the plan.
func (s *Service) tell(ctx context.Context, tx *pg.Tx, sc tenancy.Scope, c *change, on OnBooked, why Because) error {
	l := leaving{on: on, why: why, to: c.nearest()}
	var moved, stay []uuid.UUID
	for _, st := range c.steps {
		id := st.was.ID
		_, some := c.after.Bookings[id]
		if st.is.State == Scheduled {
			stay = append(stay, id)
		}
		switch {
		case st.was.State == Scheduled && st.is.State == Cancelled: // the customers are notified about the booking
			l.dates = append(l.dates, id)
			if some {
				l.booked = append(l.booked, id)
			}
		case some:
			moved = append(moved, id)
		}
	}
	if err := s.leave(ctx, tx, sc, l, &c.plan); err != nil {
		return err
	}
	if err := s.follow(ctx, tx, moved, stay); err != nil {
		return err
	}
	if why.Silent {
		return nil
	}
	n, err := s.notify(ctx, tx, c.notices(why.Reason)...)
	c.plan.Notices += n
	return err
}

// tellTeam notifies the instructors who lose dates and those who get them, unless they are excepted, and returns how
// many.
func (s *Service) tellTeam(ctx context.Context, tx *pg.Tx, w work, silent SubstituteSilence) (int, error) {
	type reader struct {
		id   uuid.UUID
		kind NoticeKind
	}
	readers := map[reader]bool{}
	var notices []Notice
	add := func(st step, kind NoticeKind, member *uuid.UUID) {
		if member != nil {
			notices = append(notices, Notice{Kind: kind, DateID: st.is.ID, MemberID: member, Was: st.was.StartsAt})
			readers[reader{*member, kind}] = true
		}
	}
	for _, st := range w.steps {
		if st.was.State != Scheduled || st.is.State != Scheduled || equal(st.was.MemberID, st.is.MemberID) {
			continue
		}
		if !silent.Original {
			add(st, NoticeUnassigned, st.was.MemberID)
		}
		if !silent.Substitute {
			add(st, NoticeGiven, st.is.MemberID)
		}
	}
	_, err := s.notify(ctx, tx, notices...)
	return len(readers), err
}

// team returns the members of the team who are not notified.
func (b Because) team() SubstituteSilence {
	return SubstituteSilence{Original: b.Silent, Substitute: b.Silent}
}

// notices returns the notices to customers of the dates.
func (w work) notices(reason string) []Notice {
	var out []Notice
	for _, st := range w.steps {
		if n, is := st.notice(reason); is {
			out = append(out, n)
		}
	}
	return out
}

// notice returns the notice to customers of a date with another time, instructor or space; is is false when there is
// nothing to report. A new instructor or space is no news where none was named before.
func (st step) notice(reason string) (n Notice, is bool) {
	if st.was.State != Scheduled || st.is.State != Scheduled {
		return n, false
	}
	n = Notice{
		DateID: st.was.ID, Was: st.was.StartsAt, Reason: reason,
		Instructor: st.was.MemberID != nil && !equal(st.was.MemberID, st.is.MemberID),
		Room:       st.was.SpaceID != nil && !equal(st.was.SpaceID, st.is.SpaceID),
	}
	switch {
	case !st.was.sameTime(st.is):
		n.Kind = NoticeRescheduled
	case n.Instructor:
		n.Kind = NoticeSubstituted
	case n.Room:
		n.Kind = NoticeRoom
	}
	return n, n.Kind != ""
}

// follow updates the bookings of rescheduled dates to the new times, and has waitlists run.
func (s *Service) follow(ctx context.Context, tx *pg.Tx, moved, waiting []uuid.UUID) error {
	if len(moved) > 0 {
		if err := s.bookings.RetimeBookedTx(ctx, tx, moved); err != nil {
			return err
		}
	}
	if len(waiting) == 0 {
		return nil
	}
	return s.bookings.RoundTx(ctx, tx, waiting)
}

// notify sends notices and returns how many messages go to customers.
func (s *Service) notify(ctx context.Context, tx *pg.Tx, notices ...Notice) (int, error) {
	if len(notices) == 0 {
		return 0, nil
	}
	return s.bookings.NoticeTx(ctx, tx, notices)
}
