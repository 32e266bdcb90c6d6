// Command foyer is the whole product in one binary.
//
//	foyer dev       everything on this machine: own Postgres, simulated cards, mail in a mailbox, a demo studio
//	foyer serve     the server, for production
//	foyer work      the worker, for production
//	foyer migrate   brings the database to this build; "migrate roles" prints the roles to create first
//	foyer backup    writes the database and the photos into one file
//	foyer restore   restores such a file
//	foyer invite    creates an invite link for a new business
//	foyer photos    compares the photos with their files ("photos check")
//	foyer fee       prints or sets the platform fee of a studio's card payments
//	foyer mcp       connects a desktop assistant with a server
//	foyer openapi   prints the API's description
//	foyer doctor    checks the settings against the outside
//	foyer bench     measures the product against its database
//	foyer bench-growth  measures how a request's cost grows with the number of businesses
//	foyer version   prints the build
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
	_ "time/tzdata" // zones must be the same everywhere, also in images without any

	"github.com/alecthomas/kong"

	"foyer/app/api"
)

// build is the deployment's build number, stamped with -ldflags "-X main.build=123".
var build = "dev"

// commands is the command line.
type commands struct {
	Dev     devCommand     `cmd:"" help:"Run everything on this machine, with a demo studio."`
	Serve   serveCommand   `cmd:"" help:"Run the server."`
	Work    workCommand    `cmd:"" help:"Run the worker: mail, payments, dates, expiring holds."`
	Migrate migrateCommand `cmd:"" help:"Bring the database to this build."`
	Backup  backupCommand  `cmd:"" help:"Write the database and the photos into one file."`
	Restore restoreCommand `cmd:"" help:"Restore a backup into an empty database."`
	Invite  inviteCommand  `cmd:"" help:"Create an invite link for a new business."`
	Photos  photosCommand  `cmd:"" help:"Manage the files of photos."`
	Fee     feeCommand     `cmd:"" help:"Print or set the platform fee of a studio's card payments."`
	Mcp     mcpCommand     `cmd:"" help:"Connect a desktop assistant with a server."`
	Openapi openapiCommand `cmd:"" help:"Print the API's description."`
	Health  healthCommand  `cmd:"" help:"Check whether the server of this machine is ready."`
	Doctor  doctorCommand  `cmd:"" help:"Check the settings and connections."`
	Bench   benchCommand   `cmd:"" help:"Measure the product against its database."`
	Version versionCommand `cmd:"" help:"Print the build."`

	BenchGrowth benchGrowthCommand `cmd:"" help:"Measure how the cost of a request grows with the number of businesses."`
}

// program is the environment of commands: everything outside the process.
type program struct {
	ctx     context.Context
	getenv  func(string) string
	environ []string
	stdin   io.Reader
	stdout  io.Writer
	stderr  io.Writer
}

// say prints a line before a long step.
func (p *program) say(line string) { fmt.Fprintln(p.stderr, line) }

func main() { os.Exit(live()) }

// live runs the process until the command ends, or until it is told to end.
func live() int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second signal ends it at once
	return run(ctx, os.Args[1:], os.Getenv, os.Environ(), os.Stdout, os.Stderr)
}

// run is live without the process around it: tests call it. It returns the exit code: 0, 1 for a failure, 2 for a wrong
// command line.
func run(ctx context.Context, args []string, getenv func(string) string, environ []string, stdout, stderr io.Writer) int {
	var c commands
	exit := -1
	parser, err := kong.New(&c, kong.Name("foyer"), kong.Description("The booking platform for studios."),
		kong.Writers(stdout, stderr), kong.Exit(func(code int) { exit = code }), kong.UsageOnError())
	if err != nil {
		fmt.Fprintln(stderr, "foyer:", err)
		return 1
	}
	parsed, err := parser.Parse(args)
	if exit >= 0 { // --help has been answered
		return exit
	}
	if err != nil {
		fmt.Fprintln(stderr, "foyer:", err)
		return 2
	}
	p := &program{ctx: ctx, getenv: getenv, environ: environ, stdin: os.Stdin, stdout: stdout, stderr: stderr}
	if err := parsed.Run(p); err != nil && !errors.Is(err, context.Canceled) {
		fmt.Fprintln(stderr, "foyer:", err)
		return 1
	}
	return 0
}

type versionCommand struct{}

func (versionCommand) Run(p *program) error {
	_, err := fmt.Fprintln(p.stdout, build)
	return err
}

type openapiCommand struct{}

// Run prints the API's description. It needs no database: the operations are declared, not called.
func (openapiCommand) Run(p *program) error {
	doc, err := api.Document(api.DocumentURL)
	if err != nil {
		return err
	}
	_, err = p.stdout.Write(doc)
	return err
}
