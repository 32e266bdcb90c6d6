package mcp

import (
	_ "embed"
	"net/url"
	"slices"
	"strings"
	"sync"

	"github.com/gofiber/fiber/v2"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"foyer/app/web"
	"foyer/app/web/op"
)

// Paths of the documents from which programs learn what this server is.
const (
	CardPath  = "/.well-known/mcp.json" // A6
	GuidePath = "/llms.txt"             // A7
)

// guideText is the guide for agents; {base} is the base address. A test compares its operations with the registry.
//
//go:embed llms.txt
var guideText string

// description says what this server is, in its card.
const description = "Schedule, bookings, customers, payments and settings of a studio: " +
	"a tool for each operation of its REST API."

// card is the document of CardPath. Its members are those of the protocol's server cards, and where to read on.
type card struct {
	Name             string         `json:"name"`
	Title            string         `json:"title"`
	Description      string         `json:"description"`
	Version          string         `json:"version"` // of the tools
	ProtocolVersions []string       `json:"protocolVersions"`
	Remotes          []remote       `json:"remotes"`
	Authentication   authentication `json:"authentication"`
	Documentation    string         `json:"documentation"`
	Guide            string         `json:"guide"`
}

type remote struct {
	Type        string `json:"type"`
	URL         string `json:"url"`
	Description string `json:"description"`
}

type authentication struct {
	Required bool         `json:"required"`
	Schemes  []credential `json:"schemes"`
}

// credential is a kind of credential.
type credential struct {
	Type             string `json:"type"`
	Description      string `json:"description"`
	ResourceMetadata string `json:"resourceMetadata,omitempty"`
}

// cardOf is the card of the server at a base address.
func cardOf(base string) card {
	return card{
		Name: cardName(base), Title: "Foyer", Description: description, Version: toolsVersion,
		ProtocolVersions: sdk.SupportedProtocolVersions(),
		Remotes: []remote{
			{"streamable-http", base + Path, "All tools."},
			{"streamable-http", base + Path + "?tools=compact",
				"The most used tools, and three that find, describe and run any other."},
		},
		Authentication: authentication{Required: true, Schemes: []credential{
			{"oauth2", "OAuth 2.1 with PKCE, for a person.", base + resourceMetadata},
			{"bearer", "An API key (bk_…) or a session token, in the header Authorization.", ""},
		}},
		Documentation: base + "/docs/api", Guide: base + GuidePath,
	}
}

// cardName is the name of a server among all servers: the host in reverse, as the protocol's registry has it.
func cardName(base string) string {
	u, err := url.Parse(base)
	if err != nil {
		return "foyer"
	}
	parts := strings.Split(u.Hostname(), ".")
	slices.Reverse(parts)
	return strings.Join(parts, ".") + "/foyer"
}

// discovery mounts the public documents. Pages of any website may read them: they are the same for everybody.
func (m *surface) discovery() {
	anywhere := web.Header{Name: fiber.HeaderAccessControlAllowOrigin, Value: "*"}
	serve := func(path, contentType string, body func() ([]byte, error)) {
		made := sync.OnceValues(func() (*web.Cached, error) {
			text, err := body()
			if err != nil {
				return nil, err
			}
			return web.NewCached(contentType, text, anywhere)
		})
		m.web.App().Get(path, func(c *fiber.Ctx) error {
			page, err := made()
			if err != nil {
				return err
			}
			return page.Send(c, "public, max-age=300")
		})
	}
	serve(CardPath, op.JSONType, func() ([]byte, error) { return encoded(cardOf(m.web.Base())) })
	serve(GuidePath, fiber.MIMETextPlainCharsetUTF8, func() ([]byte, error) {
		return []byte(strings.ReplaceAll(guideText, "{base}", m.web.Base())), nil
	})
}
