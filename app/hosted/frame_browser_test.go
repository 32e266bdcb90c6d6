package hosted_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gofiber/fiber/v2"

	"foyer/app/apptest"
	"foyer/app/apptest/browser"
)

// control is a page that sets a cookie as widely as possible, and lists those it received.
func control(c *fiber.Ctx) error {
	c.Cookie(&fiber.Cookie{Name: "control", Value: "kept", Path: "/", Secure: true, SameSite: fiber.CookieSameSiteNoneMode})
	c.Set(fiber.HeaderContentType, fiber.MIMETextHTMLCharsetUTF8)
	return c.SendString("<!doctype html><title>Control</title><p>" + string(c.Request().Header.Peek("Cookie")) + "</p>")
}

// website is a page of the studio's own, on another site than the booking service, with the snippet of the frame.
// more are further attributes of the frame.
func (s *shop) website(t testing.TB, path, more string) string {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = fmt.Fprintf(w, `<!doctype html><html lang="en"><meta name="viewport" content="width=device-width"><title>Harbour Yoga</title>
<script>heard = []; addEventListener("message", e => heard.push(e.data))</script>
<h1>Harbour Yoga</h1>
<script src="%[1]s/embed.js" async></script>
<iframe data-svc src="%[1]s%[2]s" title="Book a class" allow="payment" style="width:100%%;height:48px;border:0" %[3]s></iframe>
<p>12 Quay Street</p>`, s.URL, path, more)
	}))
	t.Cleanup(server.Close)
	return strings.Replace(server.URL, "127.0.0.1", "localhost", 1)
}

// framed opens the studio's website in a browser that keeps no cookies for frames, proves that, and steps into the
// frame.
func (s *shop) framed(t testing.TB, path, more string, o browser.Options) (host, frame *looker) {
	t.Helper()
	o.NoForeignCookies = true
	p := browser.New(t, o)
	p.Goto(s.website(t, path, more))
	browser.Eval[bool](p, fmt.Sprintf(`(document.body.insertAdjacentHTML("beforeend", '<iframe id="control" src="%s/__control"></iframe>'), true)`, s.URL))
	cookies := p.Frame(s.URL + "/__control")
	cookies.Goto(s.URL + "/__control?again")
	if got := browser.Eval[string](cookies, "document.querySelector('p').innerText"); got != "" {
		t.Fatalf("the browser keeps the cookies %q for the frame: this proves nothing", got)
	}
	browser.Eval[bool](p, `(document.getElementById("control").remove(), true)`)
	host = &looker{Page: p, s: s, t: t}
	return host, host.frame()
}

// frame steps into the frame of the studio's website.
func (l *looker) frame() *looker {
	l.t.Helper()
	return &looker{Page: l.Page.Frame(l.s.URL + "/harbour"), s: l.s, t: l.t, host: l}
}

// Click is the browser's, once the frame is as tall as its page. The page around it hears of the height after the new
// page was painted, on a busy machine long after, and the button would move away under the pointer. A bank's page in
// the frame tells nobody its height.
func (l *looker) Click(sel string) {
	l.t.Helper()
	if l.host != nil && !strings.Contains(l.URL(), "/__sim/") {
		l.Wait(sel)
		for end := time.Now().Add(30 * time.Second); ; time.Sleep(5 * time.Millisecond) {
			outside, inside := l.host.heights(l)
			if outside == inside {
				break
			}
			if time.Now().After(end) {
				l.t.Fatalf("%s: the frame is %d tall, and what is in it %d", l.URL(), outside, inside)
			}
		}
	}
	l.Page.Click(sel)
}

// heights are those of the frame on the page around it and of the page in it.
func (l *looker) heights(frame *looker) (outside, inside int) {
	l.t.Helper()
	return browser.Eval[int](l.Page, `document.querySelector("iframe").offsetHeight`),
		browser.Eval[int](frame.Page, `Math.ceil(document.documentElement?.getBoundingClientRect().height ?? 0)`)
}

// as returns the height of the frame on the page around it, once it fits its content and stays so. E118.
func (l *looker) as(frame *looker) int {
	l.t.Helper()
	var outside, inside int
	for end := time.Now().Add(30 * time.Second); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		outside, inside = l.heights(frame)
		if outside == inside && outside != 48 {
			time.Sleep(300 * time.Millisecond)
			if later := browser.Eval[int](l.Page, `document.querySelector("iframe").offsetHeight`); later != outside {
				l.t.Errorf("%s: the frame grew on from %d to %d", frame.URL(), outside, later)
			}
			return outside
		}
	}
	l.t.Fatalf("%s: the frame is %d tall, and what is in it %d", frame.URL(), outside, inside)
	return 0
}

// TestPurchaseInTheFrame is the whole purchase on a page of another site in a browser without third-party cookies:
// from the schedule to the receipt, with the bank's question on the way, and on to the customer's bookings. The frame
// is always as tall as its page, larger and smaller. E117, E118, E124, E127, E148.
func TestPurchaseInTheFrame(t *testing.T) {
	t.Parallel()
	s := open(t)
	s.class(t, "Sunrise Vinyasa", 12)
	host, l := s.framed(t, "/harbour?embed=1", "", browser.Options{})
	tall := host.as(l)
	l.Click("main .row .btn")
	if got := l.Text(".pick .when"); !strings.Contains(got, "Thursday, June 11") {
		t.Fatalf("the chosen time is %q", got)
	}
	host.as(l)
	l.Click(".pick form button")
	small := host.as(l)
	if small >= tall {
		t.Errorf("the schedule is %d tall, the sign-in %d", tall, small)
	}
	l.signIn("ana@example.com")
	l.Fill("#name", "Ana Ruiz")
	l.Click("main form button")
	host.as(l)
	l.order().Click(".order .acts a") // to the cart, for one more
	l.Click("main .items ~ .acts a")
	if host.as(l) <= small {
		t.Error("the frame did not grow again")
	}
	l.Click("main .day:nth-of-type(3) .row .btn")
	l.Click(".pick form button")
	if got := l.Text("form[action*='/pay/card'] button"); got != "Pay $44.00" {
		t.Fatalf("%s: the button says %q", l.URL(), got)
	}
	l.pays(apptest.CardDeclined)
	if got := l.Text("[role=alert]"); !strings.Contains(got, "Your bank declined the card") {
		t.Fatalf("after the decline: %q", got)
	}
	l.pays(apptest.CardChecked)
	l.Click("button[value=authorise]")
	if got := l.Text("h1"); got != "You’re booked" {
		t.Fatalf("%s says %q", l.URL(), got)
	}
	host.as(l)
	l.Click("main a[href^='/my?']")
	if got := l.Text(".lead"); !strings.Contains(got, "ana@example.com") {
		t.Errorf("my bookings say %q", got)
	}
	if codes := len(s.codes("ana@example.com")); codes != 1 {
		t.Errorf("%d codes were needed", codes)
	}
	if n := s.count(t, "bookings where state = 'confirmed'"); n != 2 {
		t.Errorf("%d seats are booked", n)
	}
	if browser.Eval[bool](host.Page, `heard.some(m => m.type !== "svc:resize" || Object.keys(m).some(k => !["type", "height", "navigated"].includes(k)))`) {
		t.Errorf("the page around it heard %s", browser.Eval[string](host.Page, "JSON.stringify(heard)"))
	}
	host.quiet()
}

// TestFrameHasTheGroundOfItsHost: a step is as tall as its content, also a short one after a long one, and has no
// background of its own. A website with a dark background gets a page for that, or a background that fits the page's
// colours: the text stays readable. E118.
func TestFrameHasTheGroundOfItsHost(t *testing.T) {
	t.Parallel()
	s := open(t)
	s.class(t, "Sunrise Vinyasa", 12)
	host, l := s.framed(t, "/harbour?embed=1", "", browser.Options{})
	ground := func() string {
		return browser.Eval[string](l.Page, `[document.documentElement, document.body, document.querySelector("main")].map(e => getComputedStyle(e).backgroundColor).join()`)
	}
	content := func() int {
		return browser.Eval[int](l.Page, `Math.ceil(Math.max(...[...document.body.children].map(e => e.getBoundingClientRect().bottom)))`)
	}
	const none = "rgba(0, 0, 0, 0)"
	var tall []int
	for _, next := range []string{"main .row .btn", ".pick form button", ""} {
		if got := ground(); got != none+","+none+","+none {
			t.Errorf("%s has the ground %s", l.URL(), got)
		}
		tall = append(tall, host.as(l))
		if got := content(); got != tall[len(tall)-1] {
			t.Errorf("%s: the frame is %d tall, and what is in it %d", l.URL(), tall[len(tall)-1], got)
		}
		if next != "" {
			l.Click(next)
		}
	}
	if tall[2] >= tall[0] || tall[2] >= tall[1] {
		t.Errorf("the schedule and a class are %d and %d tall, the sign-in %d", tall[0], tall[1], tall[2])
	}
	scheme := func() string {
		return browser.Eval[string](host.Page, `document.querySelector("iframe").style.colorScheme`)
	}
	if got := scheme(); got != "light" {
		t.Errorf("on a website without a ground the frame is told %q", got)
	}
	browser.Eval[bool](host.Page, `(document.body.style.background = "oklch(20% .02 60)", true)`)
	l.Goto(l.URL())
	host.as(l)
	if got := scheme(); got != "dark" {
		t.Errorf("on a dark website the frame is told %q", got)
	}
	if *shots != "" {
		host.FullPage(filepath.Join(*shots, "frame-on-dark.png"))
		browser.Eval[bool](host.Page, `(document.body.style.background = "#dfe8d8", document.querySelector("iframe").style.colorScheme = "light", true)`)
		host.FullPage(filepath.Join(*shots, "frame-on-green.png"))
	}
	host.quiet()
}

// TestFrameWithoutScript books a free class with no script at all inside the frame, at a fixed size.
func TestFrameWithoutScript(t *testing.T) {
	t.Parallel()
	s := open(t)
	talk := s.class(t, "Open House", 1, priced(0))
	host, l := s.framed(t, "/harbour/open-house?embed=1&time="+talk.Dates[0].ID.String(),
		`sandbox="allow-forms allow-same-origin allow-downloads"`, browser.Options{})
	browser.Eval[bool](host.Page, `(document.querySelector("iframe").style.height = "1600px", true)`)
	l.host = nil // nobody tells the page around it how tall it is
	l.Click(".pick form button")
	l.signIn("ana@example.com")
	l.Fill("#name", "Ana Ruiz")
	l.Click("main form button")
	l.Click("form[action$='/pay'] button")
	if got := l.Text("h1"); got != "You’re booked" {
		t.Fatalf("%s says %q", l.URL(), got)
	}
	if n := s.count(t, "bookings where state = 'confirmed'"); n != 1 {
		t.Errorf("%d seats are booked", n)
	}
}

// TestFrameThroughHistory reloads a page of the frame and goes back in it: the visit stays as it was, and every page
// announces itself as another one. E125.
func TestFrameThroughHistory(t *testing.T) {
	t.Parallel()
	s := open(t)
	s.class(t, "Sunrise Vinyasa", 3)
	host, l := s.framed(t, "/harbour?embed=1", "", browser.Options{})
	l.Click("main .row .btn")
	l.Click(".pick form button")
	l.signIn("ana@example.com")
	l.Fill("#name", "Ana Ruiz")
	l.Click("main form button")
	if got := l.Text("h1"); got != "Pay" {
		t.Fatalf("%s says %q", l.URL(), got)
	}
	l.eval("location.reload()")
	if got := l.Text("h1"); got != "Pay" {
		t.Fatalf("reloaded, %s says %q", l.URL(), got)
	}
	moves := func() int { return browser.Eval[int](host.Page, "heard.filter(m => m.navigated).length") }
	before := moves()
	l.eval("history.go(-5)")
	if got := l.Text(".bar"); !strings.Contains(got, "1 class") {
		t.Fatalf("back at the first page, %s has the bar %q", l.URL(), got)
	}
	host.as(l)
	if moves() <= before {
		t.Error("the page around the frame did not hear of the way back")
	}
	l.Click("main .day:nth-of-type(3) .row .btn")
	l.Click(".pick form button")
	if got := l.Text("form[action*='/pay/card'] button"); got != "Pay $44.00" {
		t.Fatalf("%s: the button says %q", l.URL(), got)
	}
	host.Goto(host.URL()) // the whole page, and so the frame from its first page on
	l = host.frame()
	if got := l.Text(".bar"); !strings.Contains(got, "2 classes") {
		t.Errorf("on the page loaded anew the bar says %q", got)
	}
}

// eval runs a statement and waits for where it leads.
func (l *looker) eval(statement string) {
	l.t.Helper()
	browser.Eval[bool](l.Page, "(document.left = true, setTimeout(() => "+statement+"), true)")
	l.is("!document.left && document.readyState === 'complete'", statement+" leads to a page")
	l.Wait("h1")
}
