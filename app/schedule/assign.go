package schedule

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/google/uuid"

	"foyer/app/claim"
	"foyer/app/fault"
	"foyer/app/pg"
	"foyer/app/tenancy"
	"foyer/policy"
)

// AssignMax is the maximum number of dates in one assignment.
const AssignMax = 200

// OnBusy is the handling of dates on which the instructor is busy or away.
type OnBusy string

// The values of OnBusy.
const (
	RefuseBusy   OnBusy = "refuse"   // nothing changes; also the default
	SkipBusy     OnBusy = "skip"     // these dates stay as they are
	OverrideBusy OnBusy = "override" // assigned despite the conflict: needs booking.override and a reason
)

// All lists them.
func (OnBusy) All() []OnBusy { return []OnBusy{RefuseBusy, SkipBusy, OverrideBusy} }

// AssignInput assigns an instructor to several dates of an offering.
type AssignInput struct {
	OfferingID    uuid.UUID
	OccurrenceIDs []uuid.UUID // 1 to AssignMax, each once
	MemberID      uuid.UUID   // an active member of the team
	OnBusy        OnBusy
	Reason        string
	Silent        SubstituteSilence
}

// Validate checks the input.
func (in AssignInput) Validate() error {
	var c fault.Checks
	c.That(len(in.OccurrenceIDs) >= 1 && len(in.OccurrenceIDs) <= AssignMax, "occurrenceIds", fmt.Sprintf("Choose 1 to %d dates.", AssignMax))
	c.That(in.OnBusy == "" || slices.Contains(in.OnBusy.All(), in.OnBusy), "onBusy", "Use refuse, skip or override.")
	c.That(in.OnBusy != OverrideBusy || in.Reason != "", "reason", "Enter a reason for overriding the conflicts.")
	seen := map[uuid.UUID]bool{}
	for i, id := range in.OccurrenceIDs {
		c.That(!seen[id], fmt.Sprintf("occurrenceIds[%d]", i), "Choose each date once.")
		seen[id] = true
	}
	checkCarry(&c, "", in.Reason)
	return c.Err()
}

// AssignOutcome is the outcome of an assignment for one date.
type AssignOutcome string

// The outcomes.
const (
	AssignDone AssignOutcome = "assigned"
	AssignSame AssignOutcome = "unchanged" // it was theirs already
	AssignBusy AssignOutcome = "busy"      // the instructor is busy or away then: the date is unchanged
)

// All lists them.
func (AssignOutcome) All() []AssignOutcome {
	return []AssignOutcome{AssignDone, AssignSame, AssignBusy}
}

// AssignedDate is one of the dates, with its outcome.
type AssignedDate struct {
	ID        uuid.UUID
	StartsAt  time.Time
	EndsAt    time.Time
	Outcome   AssignOutcome
	Conflicts []claim.ConflictDetail // the instructor's conflicts then
}

// Assigned is the result of an assignment.
type Assigned struct {
	MemberID     uuid.UUID
	Instructor   string         // their name
	Dates        []AssignedDate // by their start
	Notices      int            // messages that are sent
	RecordedEdit                // EditID is Nil when the dates are of several series, or none has changed
}

// Effects returns the instructor, the outcome of each date, and the number of notices.
func (a Assigned) Effects() any { return []any{a.MemberID, a.Dates, a.Notices} }

// Assign assigns an instructor to dates of an offering. The dates keep the instructor when their series is edited. It
// needs booking.manage at the location, or for the caller's own dates when all of these are. OnBusy decides about
// dates on which the instructor is busy or away. Everyone concerned is notified unless excepted, in one message for
// several dates.
//
// Conflicts:
//   - claim.ErrStaffBusy, with details.conflicts and, for each such date, its id in details.occurrenceIds
//   - ErrBegun, ErrDateCancelled, with the same details
//   - catalog.ErrArchived
func (s *Service) Assign(ctx context.Context, sc tenancy.Scope, in AssignInput) (Assigned, error) {
	return begin(ctx, s, sc, policy.BookingManage, in.Validate(), in.Reason, func(tx *pg.Tx) (Assigned, error) {
		dates, err := in.lock(ctx, tx, sc)
		if err != nil {
			return Assigned{}, err
		}
		if err := openAll(dates, tx.Now()); err != nil {
			return Assigned{}, err
		}
		return s.assign(ctx, tx, sc, in, dates)
	})
}

// lock reads the dates and locks them after their people and spaces and the new instructor. It checks the caller's
// grants.
func (in AssignInput) lock(ctx context.Context, tx *pg.Tx, sc tenancy.Scope) ([]oneDate, error) {
	dates, err := datesOf(ctx, tx, in.OfferingID, in.OccurrenceIDs)
	if err != nil {
		return nil, err
	}
	if len(dates) != len(in.OccurrenceIDs) {
		// A missing date is no one's own: only a caller who may change all dates of the location learns that it is
		// missing.
		return nil, cmp.Or[error](policy.RequireRow(sc, policy.BookingManage, sc.Location, false), fault.Missing())
	}
	rows := []written{{MemberID: &in.MemberID}}
	for _, d := range dates {
		own := d.PersonID != nil && *d.PersonID == sc.Person()
		if err := policy.RequireRow(sc, policy.BookingManage, d.LocationID, own); err != nil {
			return nil, err
		}
		rows = append(rows, d.written)
	}
	if in.OnBusy == OverrideBusy {
		if err := policy.RequireAt(sc, policy.BookingOverride, dates[0].LocationID); err != nil {
			return nil, err
		}
	}
	g, err := groundOf(ctx, tx, CreateSeriesInput{OfferingID: in.OfferingID, MemberID: &in.MemberID})
	if err != nil {
		return nil, err
	}
	if g.Instructor == nil {
		return nil, fault.Invalid("memberId", "There is no such active member of the team.")
	}
	members, spaces := edit{}.resources(rows)
	if _, err := claim.LockTx(ctx, tx, members, spaces); err != nil {
		return nil, err
	}
	return dates, relock(ctx, tx, dates)
}

// relock locks dates in the order of their ids and reads them again. One with other people or another space meanwhile
// is stale: their locks would come too late.
func relock(ctx context.Context, tx *pg.Tx, dates []oneDate) error {
	ids := make([]uuid.UUID, len(dates))
	for i, d := range dates {
		ids[i] = d.ID
	}
	rows, err := lockDates(ctx, tx, ids)
	if err != nil {
		return err
	}
	for i := range dates {
		d := &dates[i]
		at := slices.IndexFunc(rows, func(w written) bool { return w.ID == d.ID })
		if at < 0 {
			return errGone
		}
		if now := rows[at]; !equal(now.MemberID, d.MemberID) || !equal(now.SpaceID, d.SpaceID) {
			return fault.ErrStale.With("version", now.Version)
		}
		d.written = rows[at]
	}
	slices.SortFunc(dates, func(a, b oneDate) int { return a.StartsAt.Compare(b.StartsAt) })
	return nil
}

// openAll returns the reason why one of the dates cannot be changed, with all dates it applies to.
func openAll(dates []oneDate, now time.Time) error {
	var first *fault.Error
	var ids []uuid.UUID
	for _, d := range dates {
		f := fault.From(d.open(now))
		if f == nil {
			continue
		}
		if first == nil {
			first = f
		}
		if f.Reason == first.Reason {
			ids = append(ids, d.ID)
		}
	}
	if first == nil {
		return nil
	}
	return first.With("occurrenceIds", ids)
}

// assign assigns the dates, which are locked and open, to the instructor.
func (s *Service) assign(ctx context.Context, tx *pg.Tx, sc tenancy.Scope, in AssignInput, dates []oneDate) (Assigned, error) {
	out := Assigned{MemberID: in.MemberID}
	w := in.work(dates)
	clashes, err := clashesOf(ctx, tx, w)
	if err != nil {
		return out, err
	}
	busy := map[uuid.UUID][]claim.Clash{}
	for _, k := range clashes {
		busy[k.Claim.OccurrenceID] = append(busy[k.Claim.OccurrenceID], k)
	}
	if len(busy) > 0 && in.OnBusy != SkipBusy && in.OnBusy != OverrideBusy {
		return out, fault.From(claim.Refusal(clashes)).With("occurrenceIds", busyIn(dates, busy))
	}
	if in.OnBusy == SkipBusy {
		w.steps = slices.DeleteFunc(w.steps, func(st step) bool { return busy[st.is.ID] != nil })
	}
	out.Dates = in.outcomes(dates, busy)
	if err := s.hand(ctx, tx, sc, in, w, &out); err != nil {
		return out, err
	}
	names, err := namesOf(ctx, tx, []uuid.UUID{in.MemberID})
	out.Instructor = names[in.MemberID]
	return out, err
}

// work is the dates that get the instructor.
func (in AssignInput) work(dates []oneDate) (w work) {
	for _, d := range dates {
		if is := d.written; !equal(is.MemberID, &in.MemberID) {
			is.MemberID = &in.MemberID
			is.differ(FieldMemberID)
			w.steps = append(w.steps, step{d.written, is})
		}
	}
	return w
}

// clashesOf returns the conflicts of the work.
func clashesOf(ctx context.Context, tx *pg.Tx, w work) ([]claim.Clash, error) {
	clashes, _, err := claim.CheckTx(ctx, tx, w.busyChange(Series{}).claims)
	return clashes, err
}

func busyIn(dates []oneDate, busy map[uuid.UUID][]claim.Clash) (ids []uuid.UUID) {
	for _, d := range dates {
		if busy[d.ID] != nil {
			ids = append(ids, d.ID)
		}
	}
	return ids
}

// outcomes returns the outcome of each date.
func (in AssignInput) outcomes(dates []oneDate, busy map[uuid.UUID][]claim.Clash) []AssignedDate {
	out := make([]AssignedDate, len(dates))
	for i, d := range dates {
		out[i] = AssignedDate{ID: d.ID, StartsAt: d.StartsAt, EndsAt: d.EndsAt, Outcome: AssignDone, Conflicts: claim.ConflictDetails(busy[d.ID])}
		switch {
		case equal(d.MemberID, &in.MemberID):
			out[i].Outcome = AssignSame
		case in.OnBusy == SkipBusy && busy[d.ID] != nil:
			out[i].Outcome = AssignBusy
		}
	}
	return out
}

// hand writes the work, sends the notices, and records it for undoing when it is of one series.
func (s *Service) hand(ctx context.Context, tx *pg.Tx, sc tenancy.Scope, in AssignInput, w work, out *Assigned) error {
	if len(w.steps) == 0 {
		return nil
	}
	c, err := s.prepare(ctx, tx, w, Series{}, "")
	if err != nil {
		return err
	}
	if err := c.saveDate(ctx, tx); err != nil {
		return err
	}
	if err := s.tell(ctx, tx, sc, c, "", Because{Silent: in.Silent.Customers}); err != nil {
		return err
	}
	team, err := s.tellTeam(ctx, tx, c.work, in.Silent)
	if err != nil {
		return err
	}
	out.Notices = c.plan.Notices + team
	if series := c.series(); len(series) == 1 {
		c.after.Silent = in.Silent.Original || in.Silent.Substitute
		out.RecordedEdit, err = c.keep(ctx, tx, seriesRef{in.OfferingID, series[0]})
		return err
	}
	out.Plan = c.plan
	return nil
}
