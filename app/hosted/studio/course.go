package studio

import (
	"slices"

	"github.com/a-h/templ"
	"github.com/gofiber/fiber/v2"

	"foyer/app/checkout"
	"foyer/app/hosted/kit"
	"foyer/app/schedule"
	"foyer/app/view"
)

// fieldCourse is the field of the form that books a course: its offering.
const fieldCourse = "course"

// course is the page of a course: all upcoming dates, and the one button that books them. The date in the address
// makes no difference.
func (h *site) course(c *fiber.Ctx, o *offer) (templ.Component, error) {
	dates, err := schedule.CourseOf(c.UserContext(), h.DB.View(o.at.Tenant), o.page.ID)
	if err != nil {
		return nil, err
	}
	o.shell.CSRF = h.TokenOf(c)
	v := Course{About: o.about(), Total: o.times.Course.Total, Spots: o.times.Course.Spots}
	v.Trouble = o.Tr.In(o.shell.Words)
	v.Who = same(dates, func(d schedule.Detail) string { return d.Instructor })
	v.Where = same(dates, func(d schedule.Detail) string { return d.Space })
	for _, d := range dates {
		date := view.CourseDate{Start: d.StartsAt, Minutes: view.Minutes(d.StartsAt, d.EndsAt)}
		if d.Spots() == 0 {
			date.State = o.shell.C("date", "Full")
		}
		v.Dates = append(v.Dates, date)
	}
	switch o.times.Course.Bookable(o.times.Location, o.page.PriceAmount, o.page.Rules, h.Clock.Now()) {
	case "":
		v.Form = kit.FormTo(o.path, view.Param{Name: fieldCourse, Value: o.page.ID.String()})
		if v.People = o.people(v.Spots, checkout.AddItemInput{CourseID: o.page.ID}); v.People.Most < 1 {
			v.Form, v.People, v.Note = view.Form{}, nil, inCart(o.shell.Words)
		}
	case schedule.ObstaclePaused:
		v.Note = takesNone(o.shell.Words, o.studio)
	case schedule.ObstaclePayment:
		v.Note = o.noPayment()
	case schedule.ObstacleFull:
		v.Note = o.shell.T("This course is full: some of its dates have no spots left.")
	default:
		v.Note = o.shell.T("This course cannot be booked online right now.")
	}
	return CoursePage(o.shell, v), nil
}

// same is the value that all dates of a list share; empty when they differ.
func same[T any](dates []T, of func(T) string) string {
	if len(dates) == 0 || slices.ContainsFunc(dates, func(d T) bool { return of(d) != of(dates[0]) }) {
		return ""
	}
	return of(dates[0])
}
