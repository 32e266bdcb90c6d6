package main

import (
	"foyer/app/mcp"
)

// mcpCommand connects a desktop assistant, which starts it, with a server.
type mcpCommand struct {
	Compact    bool   `help:"List the most used tools only, and three that reach all others."`
	LocationID string `name:"location-id" placeholder:"ID" help:"Limit the assistant to one location."`
}

// Help returns the longer help of the command.
func (mcpCommand) Help() string {
	return "Set FOYER_URL to the address of the server, and FOYER_API_KEY to an API key of the business. The key is " +
		"never an argument, because other programs of the machine can read those. In the settings of the assistant:\n\n" +
		`{"mcpServers": {"foyer": {"command": "foyer", "args": ["mcp"], ` +
		`"env": {"FOYER_URL": "https://book.example.org", "FOYER_API_KEY": "bk_..."}}}}`
}

// Run passes messages on until the assistant closes its side, or the process is told to end.
func (c mcpCommand) Run(p *program) error {
	s := mcp.Stdio{
		URL: p.getenv("FOYER_URL"), Key: p.getenv("FOYER_API_KEY"), Compact: c.Compact, LocationID: c.LocationID,
		In: p.stdin, Out: p.stdout,
	}
	return s.Run(p.ctx)
}
