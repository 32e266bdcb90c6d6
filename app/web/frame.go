package web

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"

	"foyer/app/clock"
	"foyer/app/web/op"
)

// FieldTicket is the parameter of an address, and the hidden field of a form, with the ticket of a page in a frame.
// It replaces a cookie.
const FieldTicket = "_ticket"

// How long a ticket is good: a while after it was printed, and in all, however often it is printed anew.
const (
	ticketIdle = 2 * time.Hour
	ticketLife = 12 * time.Hour
)

// maxTicket is the maximum length of a ticket, in bytes.
const maxTicket = 4096

// Frames lets pages work in a frame on another site. Browsers store no cookies for such a page, so its state travels
// in the page itself: as a ticket in its links and forms, sealed, and valid for a short time (E127).
//
// Between Enter and the end of the request Cookies reads and writes the ticket and leaves the browser's cookies
// alone, in both directions. So a page that any site may frame never acts on credentials that the browser adds by
// itself, and a click stolen by the surrounding page has only the authority of the frame's own visit.
//
// A ticket stands for a session, like a cookie, but can be in an address. Therefore: only a request that a page of
// ours started may use one, by the browser's own report, so an address that was copied, shared or planted on another
// site comes without; it is no credential of the API, and nothing outside the frame reads it; and pages with a ticket
// send no Referer (see package hosted).
type Frames struct {
	key   []byte
	clock clock.Clock
}

// NewFrames makes the frames of a deployment.
func NewFrames(secret []byte, c clock.Clock) *Frames {
	return &Frames{key: op.Derive(secret, "frame"), clock: c}
}

// Enter makes the request one of the frame, with the ticket in its address or its form. A ticket that has expired, or
// came from another site, is ignored.
func (f *Frames) Enter(c *fiber.Ctx) *Jar {
	text := c.Query(FieldTicket)
	if text == "" && c.Method() == fiber.MethodPost {
		text = c.FormValue(FieldTicket)
	}
	if c.Get("Sec-Fetch-Site") != "same-origin" { // a browser without the header counts as another site
		text = ""
	}
	j, _ := f.open(text, forPages)
	c.Locals(jarKey{}, j)
	return j
}

// EnterBy is Enter with a pass for the path of the request (Jar.Pass), from any site. If the pass is invalid, ok is
// false and the request is unchanged. The caller ensures that a pass is used once.
func (f *Frames) EnterBy(c *fiber.Ctx, pass string) (ok bool) {
	j, ok := f.open(pass, forPath+c.Path())
	if ok {
		c.Locals(jarKey{}, j)
	}
	return ok
}

// JarOf returns the state of the frame of a request; nil outside a frame.
func JarOf(c *fiber.Ctx) *Jar {
	j, _ := c.Locals(jarKey{}).(*Jar)
	return j
}

type jarKey struct{}

// Jar holds for a frame the values that cookies hold in a window. It belongs to one request and is printed into its
// answer.
type Jar struct {
	frames *Frames
	sealed
	text string // the ticket of the current values; empty until it is needed
}

// sealed is the content of a ticket.
type sealed struct {
	Began   int64  `json:"b"` // seconds
	Until   int64  `json:"u"`
	Changed int64  `json:"c"` // see Version
	Kept    []kept `json:"k"`
}

// kept is the value of one cookie.
type kept struct {
	Name  string `json:"n"`
	Value string `json:"v"`
	Until int64  `json:"u,omitempty"` // seconds; 0: as long as the ticket
}

// Text is the ticket as the page carries it on; empty while there is nothing to remember.
func (j *Jar) Text() string {
	if len(j.Kept) > 0 && j.text == "" {
		j.text = j.seal(forPages, ticketIdle)
	}
	return j.text
}

// Pass returns a ticket for one path only, valid for life. It is for a payment processor that redirects the visitor
// back to that path.
func (j *Jar) Pass(path string, life time.Duration) string { return j.seal(forPath+path, life) }

// Version rises with every change, over all tickets that come from each other. It is no secret.
func (j *Jar) Version() int64 { return j.Changed }

// get returns a value, or "".
func (j *Jar) get(name string) string {
	now := j.frames.clock.Now().Unix()
	for _, k := range j.Kept {
		if k.Name == name && (k.Until == 0 || now < k.Until) {
			return k.Value
		}
	}
	return ""
}

// alike is the number of values kept per kind, by the name before a "_": the newest ones. A ticket has to stay short.
const alike = 3

func (j *Jar) set(name, value string, age time.Duration) {
	j.clear(name)
	k := kept{Name: name, Value: value}
	if age > 0 && age < ticketLife {
		k.Until = j.frames.clock.Now().Add(age).Unix()
	}
	j.Kept = append(j.Kept, k)
	j.changed()
	kind, _, several := strings.Cut(name, "_")
	if names := j.names(kind + "_"); several && len(names) > alike {
		j.clear(names[0])
	}
}

func (j *Jar) clear(name string) {
	for i, k := range j.Kept {
		if k.Name == name {
			j.Kept = append(j.Kept[:i:i], j.Kept[i+1:]...)
			j.changed()
			return
		}
	}
}

func (j *Jar) changed() {
	j.text, j.Changed = "", max(j.Changed+1, j.frames.clock.Now().UnixMilli())
}

// names are those that begin with prefix, the oldest first.
func (j *Jar) names(prefix string) []string {
	var out []string
	for _, k := range j.Kept {
		if strings.HasPrefix(k.Name, prefix) {
			out = append(out, k.Name)
		}
	}
	return out
}

// Purposes of a ticket. A ticket opens only under the purpose that it was sealed for.
const (
	forPages = "pages"
	forPath  = "path " // and the path
)

// seal writes the ticket: a salt, then the values of the jar, encrypted and authenticated together with the purpose.
// Each has a key of its own, derived from the salt, so that no two are ever sealed under one key and nonce.
func (j *Jar) seal(purpose string, life time.Duration) string {
	now := j.frames.clock.Now()
	s := j.sealed
	s.Until = min(now.Add(life).Unix(), time.Unix(s.Began, 0).Add(ticketLife).Unix())
	plain, err := json.Marshal(s)
	if err != nil {
		panic("web: a ticket: " + err.Error()) // strings and numbers are always JSON
	}
	salt := make([]byte, tokenBytes, tokenBytes+len(plain)+2*tokenBytes)
	rand.Read(salt)
	return base64.RawURLEncoding.EncodeToString(j.frames.aead(salt).Seal(salt, nonce, plain, []byte(purpose)))
}

// open opens a ticket. If it is invalid for the purpose, it returns an empty jar, and false.
func (f *Frames) open(text, purpose string) (*Jar, bool) {
	now := f.clock.Now()
	j := &Jar{frames: f, sealed: sealed{Began: now.Unix()}}
	if len(text) > maxTicket {
		return j, false
	}
	raw, err := base64.RawURLEncoding.DecodeString(text)
	if err != nil || len(raw) <= tokenBytes {
		return j, false
	}
	plain, err := f.aead(raw[:tokenBytes]).Open(nil, nonce, raw[tokenBytes:], []byte(purpose))
	if err != nil {
		return j, false
	}
	var s sealed
	if json.Unmarshal(plain, &s) != nil || now.Unix() >= s.Until || now.Unix() < s.Began-maxSkew {
		return j, false
	}
	j.sealed = s
	return j, true
}

// maxSkew is by how many seconds the clocks of two servers may differ.
const maxSkew = 60

// nonce can be the same for all: every ticket has its own key.
var nonce = make([]byte, 12)

func (f *Frames) aead(salt []byte) cipher.AEAD {
	m := hmac.New(sha256.New, f.key)
	m.Write(salt)
	block, err := aes.NewCipher(m.Sum(nil))
	if err != nil {
		panic("web: a ticket: " + err.Error()) // the key has 32 bytes
	}
	aead, err := cipher.NewGCM(block)
	if err != nil {
		panic("web: a ticket: " + err.Error())
	}
	return aead
}
