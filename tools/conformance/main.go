// Conformance has the suite of the Model Context Protocol judge what carries it in the product: it serves the tools,
// resources and prompts that the suite calls, with the same library, bridge and check of the origin as the product's
// POST /mcp, runs a command with the address in MCP_URL, and ends with it.
//
//	go run ./conformance node node/conformance.mjs
//
// What is served follows the server of the library's own conformance runs (conformance/everything-server of go-sdk):
// the suite asks for these names and texts.
package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/exec"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"foyer/app/mcp/bridge"
)

// changesEvery is how often the watched resource changes.
const changesEvery = 3 * time.Second

func main() {
	err := run(os.Args[1:])
	var failed *exec.ExitError
	switch {
	case errors.As(err, &failed):
		os.Exit(1) // the command said why
	case err != nil:
		fmt.Fprintln(os.Stderr, "conformance:", err)
		os.Exit(1)
	}
}

func run(command []string) error {
	if len(command) == 0 {
		return errors.New("name a command")
	}
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	// The suite takes only the name localhost for a local server.
	base := fmt.Sprintf("http://localhost:%d", ln.Addr().(*net.TCPAddr).Port)
	app := serve(ctx, base)
	go func() { // until the program ends
		if err := app.Listener(ln); err != nil {
			fmt.Fprintln(os.Stderr, "conformance:", err)
		}
	}()
	c := exec.CommandContext(ctx, command[0], command[1:]...)
	c.Env = append(os.Environ(), "MCP_URL="+base+"/mcp")
	c.Stdout, c.Stderr = os.Stdout, os.Stderr
	return c.Run()
}

// serve returns the server at a base address.
func serve(ctx context.Context, base string) *fiber.App {
	silent := slog.New(slog.DiscardHandler) // the suite makes every mistake that a client can make
	s := mcp.NewServer(&mcp.Implementation{Name: "foyer-conformance", Version: "1.0.0"}, &mcp.ServerOptions{
		Logger:             silent,
		CompletionHandler:  complete,
		SubscribeHandler:   func(context.Context, *mcp.SubscribeRequest) error { return nil },
		UnsubscribeHandler: func(context.Context, *mcp.UnsubscribeRequest) error { return nil },
	})
	addTools(s)
	addAsking(s)
	addResources(s)
	addPrompts(s)
	go change(ctx, s)

	// As in app/mcp and app/web.
	b := bridge.New(mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return s },
		&mcp.StreamableHTTPOptions{Stateless: true, Logger: silent, PropagateRequestCancellation: true}),
		slog.New(slog.NewTextHandler(os.Stderr, nil)))
	app := fiber.New(fiber.Config{Immutable: true, DisableStartupMessage: true, WriteTimeout: 30 * time.Second})
	app.All("/mcp", func(c *fiber.Ctx) error {
		if bridge.ForeignOrigin(c, base) {
			return c.SendStatus(fiber.StatusForbidden)
		}
		return b.Serve(c)
	})
	return app
}

// change announces changes of the watched resource until ctx ends.
func change(ctx context.Context, s *mcp.Server) {
	beat := time.NewTicker(changesEvery)
	defer beat.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-beat.C:
			if err := s.ResourceUpdated(ctx, &mcp.ResourceUpdatedNotificationParams{URI: watched}); err != nil {
				fmt.Fprintln(os.Stderr, "conformance: a change was not announced:", err)
			}
		}
	}
}

func complete(context.Context, *mcp.CompleteRequest) (*mcp.CompleteResult, error) {
	return &mcp.CompleteResult{Completion: mcp.CompletionResultDetails{Values: []string{}}}, nil
}
