package demo

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"foyer/app/booking"
	"foyer/app/fault"
	"foyer/app/owed"
	"foyer/app/schedule"
	"foyer/app/tenancy"
	"foyer/billing/tender"
)

// guest is a customer of a studio.
type guest struct {
	name, email string
	scope       tenancy.Scope // of a guest with a session; zero before the first sign-in
}

// date is a date of a class, with its bookings as far as the demo made them: there are no others while it runs.
type date struct {
	schedule.PublicOccurrence
	class    int                  // of the plan
	day      int                  // of the history in which it is
	bookings map[string]uuid.UUID // by the address of the guest
}

func (d *date) free() int { return d.Spots - len(d.bookings) }

// habit is a guest who books a class for some weeks at once, at the desk, and then attends every other time.
type habit struct {
	*guest
	attendee string
	class    int
	from     int // the day on which it begins; it is booked the day before
	dates    []*date
	pays     tender.Kind // empty: later
}

// calendar reads the dates of the classes, from the first day of the history to three weeks after the last.
func (s *seeding) calendar(ctx context.Context) error {
	for _, l := range s.locations {
		for from := 0; from < days+21; from += schedule.ScheduleDaysMax {
			t, err := s.Schedule.Schedule(ctx, s.owner.Tenant, l.ID, s.today().AddDays(from), schedule.ScheduleDaysMax)
			if err != nil {
				return err
			}
			for _, day := range t.Days {
				for _, o := range day.Occurrences {
					class := slices.Index(s.offerings, o.OfferingID)
					d := &date{PublicOccurrence: o, class: class, day: int(o.StartsAt.Sub(s.first) / day24), bookings: map[string]uuid.UUID{}}
					if class >= 0 && o.StartsAt.After(s.first) && d.day <= days+21 {
						s.dates = append(s.dates, d)
					}
				}
			}
		}
	}
	slices.SortStableFunc(s.dates, func(a, b *date) int { return a.StartsAt.Compare(b.StartsAt) })
	s.dates = slices.CompactFunc(s.dates, func(a, b *date) bool { return a.ID == b.ID })
	return nil
}

const day24 = 24 * time.Hour

// least is the minimum number of booked seats of a class: a fifth of them.
func (c classPlan) least() int { return (c.capacity + 4) / 5 }

// makeHabits assigns the regulars of classes. Each of their seats has one guest for half of the history and another
// one afterwards, starting on different days, so that they do not all pay on the same one.
func (s *seeding) makeHabits() {
	chance := rand.New(rand.NewPCG(uint64(len(s.plan.name)), 32))
	for i, c := range s.plan.classes {
		core := min(c.least()+1, c.regulars)
		list := make([][2]*habit, c.regulars)
		for r := range list {
			begins := 0
			if r >= core {
				begins = (r - core + 1) * 3 % 17
			}
			for half, from := range []int{begins, days/2 + (r*4+i)%13} {
				h := &habit{guest: s.newGuest(), class: i, from: from, pays: tender.Other}
				switch {
				case c.price == 0 || half == 1 && r == core:
					h.pays = ""
				case (r+half+i)%3 == 0:
					h.pays = tender.Cash
				}
				if c.children != nil {
					first, _, _ := strings.Cut(c.children[(2*r+half)%len(c.children)], " ")
					_, last, _ := strings.Cut(h.name, " ")
					h.attendee = first + " " + last
				}
				list[r][half] = h
				s.habits = append(s.habits, h)
			}
		}
		s.fill(i, c, list, chance)
	}
}

// fill assigns the regulars of a class to its dates: more to some, fewer to others, in turns.
func (s *seeding) fill(i int, c classPlan, list [][2]*habit, chance *rand.Rand) {
	turn := 0
	for _, d := range s.dates {
		if d.class != i {
			continue
		}
		share := c.popular * (0.7 + 0.6*chance.Float64())
		want := max(c.least(), int(math.Round(share*float64(c.capacity))))
		if d.day > days+8 {
			want = int(math.Round(share * float64(c.capacity) / 2))
		}
		for n := 0; n < len(list) && want > 0; n++ {
			h := list[(turn+n)%len(list)][0]
			if next := list[(turn+n)%len(list)][1]; d.day >= next.from {
				h = next
			}
			if d.day >= h.from {
				h.dates = append(h.dates, d)
				want--
			}
		}
		turn += 2
	}
}

// join books a regular into all dates of their habit, and takes the money for them.
func (s *seeding) join(ctx context.Context, h *habit) error {
	dates := slices.DeleteFunc(slices.Clone(h.dates), func(d *date) bool { return !d.StartsAt.After(s.Clock.Now()) || d.free() == 0 })
	if len(dates) == 0 {
		return nil
	}
	in := booking.RecurringInput{Customer: h.who(), OfferingID: s.offerings[h.class], Attendee: h.attendee, OnClash: booking.ClashSkip}
	for _, d := range dates {
		in.OccurrenceIDs = append(in.OccurrenceIDs, d.ID)
	}
	made, err := s.Booking.BookRecurring(ctx, s.owner, in)
	if err != nil {
		return fmt.Errorf("%s: %w", h.name, err)
	}
	take := owed.PaymentInput{Tenders: owed.Pays(h.pays)}
	for _, b := range made.Bookings {
		d := dates[slices.IndexFunc(dates, func(d *date) bool { return d.ID == b.OccurrenceID })]
		d.bookings[h.email] = b.BookingID
		take.BookingIDs = append(take.BookingIDs, b.BookingID)
	}
	if h.pays == "" {
		return nil
	}
	_, err = s.Owed.RecordPayment(ctx, s.owner, take)
	return err
}

// joinAll books the habits that begin tomorrow.
func (s *seeding) joinAll(ctx context.Context, day int) error {
	for _, h := range s.habits {
		if h.from != day+1 {
			continue
		}
		if err := s.join(ctx, h); err != nil {
			return err
		}
	}
	return nil
}

func (g *guest) who() booking.CustomerRef { return booking.CustomerRef{Email: g.email, Name: g.name} }

// newGuest is the next of the named guests.
func (s *seeding) newGuest() *guest {
	n := len(s.guests)
	first, last := firstNames[n%len(firstNames)], lastNames[(n+n/len(firstNames)*7)%len(lastNames)]
	g := &guest{name: first + " " + last, email: fmt.Sprintf("%s.%d@customers.%s", strings.ToLower(first), n+1, s.plan.domain)}
	s.guests = append(s.guests, g)
	return g
}

// soonest is the first date from the clock's time on that a guest can be booked into, and that a condition holds for.
func (s *seeding) soonest(g *guest, ok func(*date) bool) (*date, error) {
	now := s.Clock.Now()
	for _, d := range s.dates {
		if _, in := d.bookings[g.email]; !in && d.StartsAt.After(now.Add(time.Hour)) && d.free() > 0 && ok(d) {
			return d, nil
		}
	}
	return nil, fault.New(fault.NotFound, "no_date", "The demo has no such date.")
}
