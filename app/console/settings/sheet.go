package settings

import (
	"context"
	"strings"

	"foyer/app/business"
	"foyer/app/console/desk"
	"foyer/app/console/ui"
	"foyer/app/cssguard"
)

// sheetForm is a location's stylesheet in the editor.
type sheetForm struct {
	business.Location
	Sheet  business.Stylesheet
	Lines  []string          // of the field
	Wrong  *cssguard.Finding // first error
	Better []cssguard.Finding
}

// showSheet is the editor of the CSS of a location's embeds on every site.
func (s *screens) showSheet(c *desk.Call) (ui.Screen, error) {
	l, err := s.place(c)
	if err != nil {
		return ui.Screen{}, err
	}
	sheet, err := s.Business.Stylesheet(c.Context(), c.Scope, l.ID)
	if err != nil {
		return ui.Screen{}, err
	}
	v := sheetForm{Location: l, Sheet: sheet, Better: sheet.Warnings}
	css := sheet.CSS
	if c.UI.Posted != nil {
		css = sheetIn(c.UI.Posted.Get("css"))
		v.Better, v.Wrong = cssguard.Check(css)
	}
	v.Lines = strings.Split(css, "\n")
	screen := aPlace(c, l, "/look")
	screen.Title, screen.Lead = c.UI.T("Embed stylesheet"), l.Name
	screen.Up = up(c, l.Name, "/settings/places/"+l.ID.String()+"/look")
	screen.Tabs, screen.Script, screen.Body = nil, "catalog.js", sheetBody(c, v)
	return screen, nil
}

// sheetIn normalizes the line ends of a stylesheet from a form.
func sheetIn(text string) string { return strings.ReplaceAll(text, "\r\n", "\n") }

func (s *screens) putSheet(c *desk.Call, ctx context.Context) (desk.Done, error) {
	id, err := c.ID("location")
	if err != nil {
		return desk.Done{}, err
	}
	sheet, err := s.Business.SaveStylesheet(ctx, c.Scope, business.SaveStylesheetInput{LocationID: id, CSS: sheetIn(c.FormValue("css")), Version: c.Version()})
	done := desk.Done{Said: c.UI.T("Saved. Websites show it within a minute.")}
	if len(sheet.Warnings) > 0 {
		done.Said = c.UI.N(len(sheet.Warnings), "Saved. {n} line can be improved.", "Saved. {n} lines can be improved.")
	}
	return done, err
}

// around returns the lines near a finding, with the number of the first.
func (v sheetForm) around(line int) (first int, lines []string) {
	from, to := max(0, line-3), min(len(v.Lines), line+2)
	if from >= to {
		return 1, nil
	}
	for _, l := range v.Lines[from:to] {
		if len(l) > 200 {
			l = l[:200] + "…"
		}
		lines = append(lines, strings.ToValidUTF8(l, ""))
	}
	return from + 1, lines
}
