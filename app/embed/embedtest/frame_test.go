package embedtest_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"foyer/app/apptest/browser"
)

// framePage is a page of the booking frame as the product's: its sheet, its script, and the mark.
func framePage(body string) string {
	return `<!doctype html><html lang="en"><title>Booking</title><link rel="stylesheet" href="/app.css"><script type="module" src="/app.js"></script>` +
		`<body class="embed" data-frame><main id="main" class="in">` + body + `</main></body></html>`
}

// room is a page of the frame with a block of a height. The test reaches into it by message, which the product never
// hears: {block} sets the height, {empty} takes everything away, {back} is a return from the browser's cache, {go} a
// link.
func room(height int) answer {
	return html(framePage(fmt.Sprintf(`<p id="block" style="height:%dpx">Book here</p>`, height)) + `<script>
		const main = document.querySelector("main");
		addEventListener("message", ({data}) => {
			if ("block" in data) block.style.height = data.block + "px";
			if ("empty" in data) document.body.replaceChildren(...(data.empty ? [] : [main]));
			if ("back" in data) dispatchEvent(new PageTransitionEvent("pageshow", {persisted: true}));
			if ("go" in data) location.href = data.go;
		})</script>`)
}

const (
	hear        = `<script>heard = []; addEventListener("message", e => heard.push(e.data))</script>`
	embedScript = `<script src="{base}/embed.js" async></script>`
	frameOnly   = `<iframe data-svc src="{base}/frame" title="Book" style="display:block;width:100%;height:48px;border:0"></iframe>`
)

// tell sends a message into the first frame.
func (v *visit) tell(message string) {
	v.t.Helper()
	v.run("frames[0].postMessage(" + message + ", '*')")
}

// tall waits until the first frame is so high that its page fits, which is as high as a block and the page's edges.
func (v *visit) tall(block int) {
	v.t.Helper()
	v.becomes(fmt.Sprintf(`(h => h === heard.at(-1)?.height && h >= %d && h < %[1]d + 80)(document.querySelector("iframe").offsetHeight)`, block))
}

// draws lets the browser draw a number of times: animations advance each time.
func (v *visit) draws(times int) {
	v.t.Helper()
	eval[bool](v, fmt.Sprintf(`new Promise(done => { let n = %d; const next = () => n-- ? requestAnimationFrame(next) : done(true); next() })`, times))
}

// TestFrameIsAsTallAsItsPage: it grows and shrinks with its content, and comes to rest. E117, E118, E123, E124.
func TestFrameIsAsTallAsItsPage(t *testing.T) {
	t.Parallel()
	o := newOrigin(t).say("/frame", room(300))
	v := open(t, o, hear+embedScript+frameOnly, browser.Options{Width: 1000, Height: 600})
	v.tall(300)
	if got := eval[string](v, "JSON.stringify(heard[0])"); !strings.HasPrefix(got, `{"type":"svc:resize","height":`) || !strings.HasSuffix(got, `,"navigated":true}`) {
		t.Errorf("its first words are %s", got)
	}
	for _, height := range []int{900, 120, 2400, 40} {
		v.tell(fmt.Sprintf("{block: %d}", height))
		v.tall(height)
	}
	v.Resize(500, 600)
	v.rests()
	n := eval[int](v, "heard.length")
	v.draws(20)
	if got := eval[int](v, "heard.length"); got != n {
		t.Errorf("it does not come to rest: %d words became %d", n, got)
	}
	if !eval[bool](v, `heard.slice(1).every(m => m.type === "svc:resize" && Object.keys(m).join() === "type,height" && Number.isInteger(m.height))`) {
		t.Errorf("it said %s", eval[string](v, "JSON.stringify(heard)"))
	}
}

// TestPlaceholder: until a page speaks, the frame has the height it was pasted with. E123.
func TestPlaceholder(t *testing.T) {
	t.Parallel()
	gate := make(chan struct{})
	page := room(300)
	page.wait = gate
	o := newOrigin(t).say("/frame", page)
	v := website(t, o, map[string]string{"/": hear + embedScript + `<main></main>`})
	v.come(browser.Options{})
	v.run(v.fill("document.querySelector('main').innerHTML = `" + frameOnly + "`"))
	v.rests()
	if got := eval[int](v, `document.querySelector("iframe").offsetHeight`); got != 48 {
		t.Errorf("it is %d px high", got)
	}
	close(gate)
	v.tall(300)
}

// TestScriptAfterTheFrame: the page in the frame is there long before the script that listens, and reports its height
// again, but only its first message reports that the customer navigated. E117, E124.
func TestScriptAfterTheFrame(t *testing.T) {
	t.Parallel()
	o := newOrigin(t).say("/frame", room(300))
	v := open(t, o, hear+frameOnly)
	v.becomes("heard.length > 1")
	v.run(v.fill(`document.head.append(Object.assign(document.createElement("script"), {src: "{base}/embed.js"}))`))
	v.tall(300)
	v.rests()
	n := eval[int](v, "heard.length")
	v.draws(20)
	if eval[int](v, "heard.length") != n || eval[int](v, "heard.filter(m => m.navigated).length") != 1 {
		t.Errorf("it said %s", eval[string](v, "JSON.stringify(heard)"))
	}
}

// TestEmptyFrameComesBack: height 0 removes the frame from the page, and later content is visible. E122.
func TestEmptyFrameComesBack(t *testing.T) {
	t.Parallel()
	o := newOrigin(t).say("/frame", room(30))
	v := open(t, o, hear+embedScript+`<div>`+frameOnly+`</div>`)
	v.tall(30)
	for range 2 {
		v.tell("{empty: true}")
		v.becomes(`document.querySelector("iframe").offsetHeight === 0 && document.querySelector("div").offsetHeight === 0`)
		if got := eval[int](v, "heard.at(-1).height"); got != 0 {
			t.Errorf("it said %d", got)
		}
		time.Sleep(300 * time.Millisecond) // long enough for a browser to stop laying the frame out
		v.tell("{empty: false}")
		v.tall(30)
	}
}

// TestFrameOutOfSight: a browser does not lay out content far below, yet the frame has its height when the visitor
// comes there. E118, E122.
func TestFrameOutOfSight(t *testing.T) {
	t.Parallel()
	o := newOrigin(t).say("/frame", room(30))
	v := open(t, o, hear+embedScript+`<p style="height:9000px">Our studio</p>`+frameOnly)
	v.tall(30)
	v.tell("{block: 500}")
	v.tall(500)
	v.tell("{empty: true}")
	v.becomes(`document.querySelector("iframe").offsetHeight === 0`)
	v.tell("{empty: false}")
	v.tall(500)
}

// TestSeveralFrames each have their own height, also one that is added later, and one that is not ours is left alone.
// E124.
func TestSeveralFrames(t *testing.T) {
	t.Parallel()
	o := newOrigin(t).say("/frame", room(100)).say("/frame/2", room(200)).say("/frame/3", room(300))
	v := open(t, o, hear+embedScript+frameOnly+strings.ReplaceAll(frameOnly, "/frame", "/frame/2")+
		`<iframe src="{base}/frame/3" style="height:77px;border:0"></iframe>`)
	v.becomes(`heard.length >= 3 && document.querySelectorAll("iframe[data-svc]")[1].offsetHeight >= 200`)
	v.run(v.fill("document.body.insertAdjacentHTML('beforeend', `" + strings.ReplaceAll(frameOnly, "/frame", "/frame/3") + "`)"))
	v.becomes(`document.querySelectorAll("iframe")[3].offsetHeight >= 300`)
	heights := eval[[]int](v, `[...document.querySelectorAll("iframe")].map(f => f.offsetHeight)`)
	if heights[0] < 100 || heights[0] >= 180 || heights[1] < 200 || heights[1] >= 280 || heights[2] != 77 {
		t.Errorf("the frames are %v high", heights)
	}
}

// TestHostBelievesItsFramesOnly. E120: valid messages of another origin, of the service from another window, or of
// the page itself have no effect; invalid heights have none, and others stay within bounds.
func TestHostBelievesItsFramesOnly(t *testing.T) {
	t.Parallel()
	say := `<script>addEventListener("message", ({data}) => parent.postMessage(data, "*"))</script>`
	o := newOrigin(t).say("/frame", html(say)).say("/other", html(say))
	stranger := newOrigin(t).say("/", html(say))
	v := open(t, o, hear+embedScript+frameOnly+`<iframe src="`+stranger.URL+`/"></iframe><iframe src="{base}/other"></iframe>`)
	height := func() string {
		v.rests()
		return eval[string](v, `document.querySelector("iframe").style.height`)
	}
	for _, who := range []string{"window", "frames[1]", "frames[2]"} {
		v.run(who + `.postMessage({type: "svc:resize", height: 500}, "*")`)
		if got := height(); got != "48px" {
			t.Fatalf("%s made it %s", who, got)
		}
	}
	v.run(`dispatchEvent(new MessageEvent("message", {data: {type: "svc:resize", height: 500}, origin: "` + stranger.URL + `", source: frames[0]}))`)
	if got := height(); got != "48px" {
		t.Fatalf("another origin in the frame's place made it %s", got)
	}
	for _, c := range [][2]string{
		{`{type: "svc:resize", height: 500}`, "500px"},
		{`{type: "resize", height: 400}`, "500px"},
		{`{height: 400}`, "500px"},
		{`"svc:resize"`, "500px"},
		{`null`, "500px"},
		{`{type: "svc:resize"}`, "500px"},
		{`{type: "svc:resize", height: "400"}`, "500px"},
		{`{type: "svc:resize", height: NaN}`, "500px"},
		{`{type: "svc:resize", height: Infinity}`, "500px"},
		{`{type: "svc:resize", height: [400]}`, "500px"},
		{`{type: "svc:resize", height: -20}`, "0px"},
		{`{type: "svc:resize", height: 1e9}`, "100000px"},
		{`{type: "svc:resize", height: 0}`, "0px"},
		{`{type: "svc:resize", height: 12.5}`, "12.5px"},
	} {
		v.run(`frames[0].postMessage(` + c[0] + `, "*")`)
		if got := height(); got != c[1] {
			t.Errorf("%s made it %s", c[0], got)
		}
	}
	if said := v.Complaints(); len(said) > 0 {
		t.Errorf("the browser complains: %q", said)
	}
}

// TestMovingOnScrollsToTheFrame when its top is above the viewport, on each page's first message and on no other.
// E121.
func TestMovingOnScrollsToTheFrame(t *testing.T) {
	t.Parallel()
	o := newOrigin(t).say("/frame", room(3000)).say("/next", room(2000))
	v := open(t, o, hear+embedScript+`<p style="height:500px">Our studio</p>`+frameOnly+`<p style="height:2000px">Find us</p>`)
	v.tall(3000)
	top := func() int {
		return eval[int](v, `Math.round(document.querySelector("iframe").getBoundingClientRect().top)`)
	}
	if got := eval[int](v, "scrollY"); got != 0 {
		t.Errorf("a frame below moved the page by %d", got)
	}
	v.run("scrollTo(0, 2500)")
	v.tell("{block: 2800}")
	v.tall(2800)
	if got := eval[int](v, "scrollY"); got != 2500 {
		t.Errorf("a change of height moved the page to %d", got)
	}
	v.tell(`{go: "/next"}`)
	v.tall(2000)
	v.becomes(`heard.filter(m => m.navigated).length === 2`)
	v.rests()
	if got := top(); got != 0 {
		t.Errorf("after moving on the frame's top is at %d", got)
	}
	v.run("scrollTo(0, 100)")
	v.tell(`{go: "/frame"}`)
	v.tall(3000)
	if got := eval[int](v, "scrollY"); got != 100 {
		t.Errorf("a frame whose top is seen moved the page to %d", got)
	}
	// The first page of a frame speaks like any other.
	v.run("scrollTo(0, 2500); document.querySelector('iframe').src += '?again'")
	v.becomes(`heard.filter(m => m.navigated).length === 4 && Math.round(document.querySelector("iframe").getBoundingClientRect().top) === 0`)
}

// TestBackInTheFrame: a page that the browser kept whole speaks as if it were new. E125.
func TestBackInTheFrame(t *testing.T) {
	t.Parallel()
	o := newOrigin(t).say("/frame", room(300))
	v := open(t, o, hear+embedScript+frameOnly)
	v.tall(300)
	v.run("heard = []")
	v.tell("{back: true}")
	v.becomes("heard.length > 0")
	if got := eval[string](v, "JSON.stringify(heard[0])"); !strings.HasSuffix(got, `,"navigated":true}`) {
		t.Errorf("it said %s", got)
	}
	v.rests()
	v.tell("{block: 310}")
	v.tall(310)
	if n := eval[int](v, "heard.filter(m => m.navigated).length"); n != 1 {
		t.Errorf("it moved %d times", n)
	}
}

// TestFrameListensToNothing: the page ignores every message of the host; and outside of a frame it sends nothing at
// all, nor does a page that is not meant for one. E119.
func TestFrameListensToNothing(t *testing.T) {
	t.Parallel()
	o := newOrigin(t).say("/frame", html(framePage("<p>Book here</p>"))).say("/plain", html(strings.Replace(framePage("<p>Book here</p>"), " data-frame", "", 1)))
	v := open(t, o, hear+embedScript+frameOnly+`<iframe src="{base}/plain"></iframe>`)
	v.becomes(`document.querySelector("iframe").style.height !== "48px"`)
	v.rests()
	n := eval[int](v, "heard.length")
	v.tell(`{type: "svc:resize", height: 1}`)
	v.tell(`"hello"`)
	v.rests()
	if got := eval[[]string](v, "heard.map(m => m.type)"); len(got) != n || slices.ContainsFunc(got, func(s string) bool { return s != "svc:resize" }) {
		t.Errorf("it said %q", got)
	}
	v.Before(hear[len("<script>") : len(hear)-len("</script>")])
	v.Goto(o.URL + "/frame")
	v.rests()
	if n := eval[int](v, "heard.length"); n != 0 {
		t.Errorf("on its own it said %d things", n)
	}
}

// TestEmbedScriptTwice does nothing twice that can be seen. E124.
func TestEmbedScriptTwice(t *testing.T) {
	t.Parallel()
	o := newOrigin(t).say("/frame", room(300))
	v := open(t, o, hear+embedScript+embedScript+frameOnly)
	v.tall(300)
	v.tell("{block: 200}")
	v.tall(200)
	if said := v.Complaints(); len(said) > 0 {
		t.Errorf("the browser complains: %q", said)
	}
}
