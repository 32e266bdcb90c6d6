package hosted

import (
	"errors"
	"slices"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"

	"foyer/app/booking"
	"foyer/app/catalog"
	"foyer/app/checkout"
	"foyer/app/schedule"
	"foyer/app/view"
)

// fieldCourse is the field of the form that books a course: its offering.
const fieldCourse = "course"

// course renders the page of a course: all dates that are to come, and the one button that books them. Which date an address
// names makes no difference.
func (h *site) course(c *fiber.Ctx, at place, s *studio, p catalog.Page, t schedule.Times, tr *view.Trouble) error {
	path := s.home() + "/" + p.Slug
	sh := h.shell(c, s, carried(c, view.FieldRef))
	sh.Self, sh.CSRF = h.o.BaseURL+path, h.token(c)
	dates, err := schedule.CourseOf(c.UserContext(), h.o.DB.View(at.tenant), p.ID)
	if err != nil {
		return err
	}
	v := view.Course{
		Name: p.Name, Text: p.Description, Price: view.PriceAt(p.PriceAmount, t.Place), Minutes: p.DurationMinutes, Asks: p.Approval,
		Policy: p.Rules.CourseSummary(p.Currency, sh.Locale), Total: t.Course.Total, Spots: t.Course.Spots, Trouble: tr,
	}
	v.Who, v.Where = throughout(dates)
	for _, d := range dates {
		date := view.CourseDate{Start: d.StartsAt, Minutes: view.Minutes(d.StartsAt, d.EndsAt)}
		if d.Spots() == 0 {
			date.State = "Full"
		}
		v.Dates = append(v.Dates, date)
	}
	switch t.Course.Bookable(t.Place, p.Rules, h.o.Clock.Now()) {
	case "":
		v.Form = formTo(path, view.Param{Name: fieldCourse, Value: p.ID.String()})
	case schedule.ObstaclePaused:
		v.Note = s.Business.Name + " takes no bookings online at the moment."
	case schedule.ObstacleFull:
		v.Note = "It is full: not every date has a spot left."
	default:
		v.Note = "It cannot be booked online now."
	}
	if v.Bar, err = h.bar(c, sh, s); err != nil {
		return err
	}
	c.Set(fiber.HeaderCacheControl, shared)
	return show(troubled(c, tr), sh, view.CoursePage(sh, v))
}

// throughout is the instructor and where, when it is the same on every date.
func throughout(dates []schedule.Detail) (who, where string) {
	for i, d := range dates {
		if i == 0 {
			who, where = d.Instructor, d.Space
		}
		if d.Instructor != who {
			who = ""
		}
		if d.Space != where {
			where = ""
		}
	}
	return who, where
}

// addCourse is add for a course.
func (h *site) addCourse(c *fiber.Ctx, at place) error {
	offering, err := uuid.Parse(c.FormValue(fieldCourse))
	if err != nil {
		return h.showListing(c, at, listed{tr: notOffered})
	}
	b, err := h.fill(c, at, checkout.AddItemInput{CourseID: offering})
	if tr, ok := refusedDate(err); ok {
		return h.showListing(c, at, listed{tr: tr})
	}
	if err != nil {
		return err
	}
	line := b.courseItem(offering)
	if line == nil {
		return b.see(c, "")
	}
	full := line.Full()
	if !full {
		err = b.hold(c, nil)
		full = errors.Is(err, booking.ErrFull) && isOn(*line, about(err))
	}
	if !full {
		return b.onwards(c, err)
	}
	if _, err := b.Checkout.RemoveItem(c.UserContext(), b.Scope, b.Token, line.ItemID); err != nil {
		return err
	}
	return h.showListing(c, at, listed{tr: &view.Trouble{Title: "This course has just filled up",
		Text: "Not every date has a spot left, and nothing was booked."}})
}

// courseItem is the line of the cart with that course for the customer themself; nil when there is none.
func (b *basket) courseItem(offering uuid.UUID) *checkout.Line {
	i := slices.IndexFunc(b.Cart.Lines, func(l checkout.Line) bool {
		return l.Course && l.OfferingID == offering && l.Attendee == ""
	})
	if i < 0 {
		return nil
	}
	return &b.Cart.Lines[i]
}

// isOn tells whether a line is for a date, by its id.
func isOn(l checkout.Line, occurrence string) bool {
	return l.OccurrenceID.String() == occurrence ||
		slices.ContainsFunc(l.Dates, func(d checkout.LineDate) bool { return d.OccurrenceID.String() == occurrence })
}

// courseDates are the dates of a line, if it is a course.
func courseDates(l checkout.Line) []view.CourseDate {
	var out []view.CourseDate
	for _, d := range l.Dates {
		out = append(out, view.CourseDate{Start: d.StartsAt, Minutes: view.Minutes(d.StartsAt, d.EndsAt)})
	}
	return out
}

// endedDates are dates by their starts, as long as the course's next one.
func endedDates(starts []time.Time, length int) []view.CourseDate {
	var out []view.CourseDate
	for _, at := range starts {
		out = append(out, view.CourseDate{Start: at, Minutes: length})
	}
	return out
}

// goneCourse is why a course in a cart cannot be booked; empty when it can, as far as is known without holding it.
func goneCourse(l checkout.Line) string {
	switch {
	case l.Problem == booking.ErrStarted.Reason || l.Problem == "" && len(l.Dates) == 0:
		return "This course is over."
	case l.Problem != "":
		return "This course cannot be booked online now."
	case l.Full():
		return "This course is full now: not every date has a spot left."
	}
	return ""
}
