package dev

import (
	"errors"
	"strconv"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"
)

// step is a button that advances the clock.
type step struct{ By, Words string }

var steps = []step{
	{"2m", "2 minutes"}, {"10m", "10 minutes"}, {"1h", "1 hour"}, {"1d", "1 day"}, {"7d", "1 week"}, {"-1h", "1 hour back"},
}

func (d *site) clock(c *fiber.Ctx) error {
	return d.show(c, "clock.html", page{Title: "Clock", Steps: steps})
}

// mostStops is the maximum number of stops of a long advance: one of some weeks stops once a day.
const mostStops = 60

// advance advances the clock by the field "by" and runs all due work before it answers. A long advance stops every
// day for that, so that work with a deadline, like the capture of an authorized payment, is done before it expires.
func (d *site) advance(c *fiber.Ctx) error {
	if err := sameSite(c); err != nil {
		return err
	}
	by, err := parseMove(c.FormValue("by"))
	if err != nil {
		c.Status(fiber.StatusBadRequest)
		return d.show(c, "clock.html", page{Title: "Clock", Steps: steps, Advance: c.FormValue("by"), Wrong: err.Error()})
	}
	for left, stop := by, max(day, by/mostStops); left != 0; {
		next := min(left, stop)
		d.Clock.Advance(next)
		if err := d.Sweep(c.UserContext()); err != nil {
			return err
		}
		left -= next
	}
	return c.Redirect("/dev/clock", fiber.StatusSeeOther)
}

var errMove = errors.New("enter a duration, such as 10m, 1h30m, 7d or -1h, of at most ten years")

const (
	day     = 24 * time.Hour
	maxMove = 10 * 366 * day
)

// parseMove parses a duration as time.ParseDuration does, and days: "7d", "-1d12h".
func parseMove(s string) (time.Duration, error) {
	s = strings.TrimSpace(s)
	rest, back := strings.CutPrefix(s, "-")
	var by time.Duration
	if days, after, ok := strings.Cut(rest, "d"); ok {
		n, err := strconv.ParseUint(days, 10, 16)
		if err != nil || n > uint64(maxMove/day) {
			return 0, errMove
		}
		by, rest = time.Duration(n)*day, after
	}
	if rest != "" {
		d, err := time.ParseDuration(rest)
		if err != nil || d < 0 {
			return 0, errMove
		}
		by += d
	}
	if by == 0 || by > maxMove {
		return 0, errMove
	}
	if back {
		by = -by
	}
	return by, nil
}
