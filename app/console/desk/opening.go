package desk

import (
	"time"

	"foyer/app/console/ui"
)

// Opening links the screens of a studio's setup steps (ui.Screen.Step) to each other while the caller is setting it
// up. steps returns all of them, and all is the path of their list below the business.
func (d *Desk) Opening(all string, steps func(c *Call) ([]ui.Step, error)) {
	d.opening.all, d.opening.steps = all, steps
}

type opening struct {
	all   string
	steps func(c *Call) ([]ui.Step, error)
}

// openingCookie holds the studio being set up in this browser.
const openingCookie = "opening"

// Opens remembers that the caller is setting up this studio; false: that they have finished.
func (c *Call) Opens(yes bool) {
	if yes {
		c.Desk.web.Cookies.Set(c.Ctx, openingCookie, c.Workspace.Business.ID.String(), 30*24*time.Hour)
	} else if c.opens() {
		c.Desk.web.Cookies.Clear(c.Ctx, openingCookie)
	}
}

// NextStep returns the address after a completed step: during the setup that of the next open step. Empty: the screen
// of the step itself.
func (c *Call) NextStep(step string) string {
	if c.Desk.opening.steps == nil || !c.opens() {
		return ""
	}
	steps, err := c.Desk.opening.steps(c)
	if err != nil {
		return "" // the step is done: its screen shows the next one
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

// lead adds the setup steps to the shell of a screen that is one of them.
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
