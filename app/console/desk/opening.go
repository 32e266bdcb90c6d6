package desk

import (
	"time"

	"foyer/app/console/ui"
)

// Opening has the screens of the steps of an opening (ui.Screen.Step) lead on to the next one, for whoever is at it: steps are all of
// them, and all is the page below the business that lists them.
func (d *Desk) Opening(all string, steps func(c *Call) ([]ui.Step, error)) {
	d.opening.all, d.opening.steps = all, steps
}

type opening struct {
	all   string
	steps func(c *Call) ([]ui.Step, error)
}

// openingCookie remembers which studio somebody is opening on this browser.
const openingCookie = "opening"

// Opens remembers that the caller is at the opening of this studio; false: that they have come to its end.
func (c *Call) Opens(yes bool) {
	if yes {
		c.Desk.web.Cookies.Set(c.Ctx, openingCookie, c.Workspace.Business.ID.String(), 30*24*time.Hour)
	} else if c.opens() {
		c.Desk.web.Cookies.Clear(c.Ctx, openingCookie)
	}
}

// NextStep is the address to go on with once a step is done: for whoever is at the opening that of the step behind it that is not done
// yet. Empty: the screen that the step was done on.
func (c *Call) NextStep(step string) string {
	if c.Desk.opening.steps == nil || !c.opens() {
		return ""
	}
	steps, err := c.Desk.opening.steps(c)
	if err != nil {
		return "" // the step is done: its screen says what is next
	}
	o := ui.Opening{Steps: steps, Now: step}
	if next, ok := o.Next(); ok {
		return next.Href
	}
	return ""
}

func (c *Call) opens() bool {
	return c.Desk.web.Cookies.Get(c.Ctx, openingCookie) == c.Workspace.Business.ID.String()
}

// lead puts the way through the opening into the shell of a screen that is one of its steps.
func (c *Call) lead(step string) error {
	if step == "" || c.UI.Sheet || c.Desk.opening.steps == nil || !c.opens() {
		return nil
	}
	steps, err := c.Desk.opening.steps(c)
	if err == nil && len(steps) > 0 {
		c.UI.Opening = &ui.Opening{Steps: steps, Now: step, All: c.To(c.Desk.opening.all)}
	}
	return err
}
