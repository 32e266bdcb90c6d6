package hosted_test

import (
	"testing"
	"time"

	"foyer/app/apptest/browser"
)

func TestZZ(t *testing.T) {
	s := open(t)
	talk := s.class(t, "Open House", 1, priced(0))
	_, l := s.framed(t, "/harbour/open-house?embed=1&time="+talk.Dates[0].ID.String(),
		`sandbox="allow-forms allow-same-origin allow-downloads"`, browser.Options{})
	l.Click(".pick form button")
	l.Fill("#email", "ana@example.com")
	t.Log("filled", browser.Eval[string](l.Page, "document.querySelector('#email').value + ' ' + document.activeElement.id + location.pathname"))
	l.Click("main form button")
	time.Sleep(3 * time.Second)
	t.Log("clicked", browser.Eval[string](l.Page, "location.pathname + ' ' + document.querySelector('h1').innerText"), len(s.codes("ana@example.com")))
	if len(s.codes("ana@example.com")) == 0 {
		l.FullPage("/tmp/e/zz.png")
		t.Log(browser.Eval[string](l.Page, "document.body.outerHTML"))
		t.Fatal("none")
	}
}
