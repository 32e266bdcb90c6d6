package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"runtime/debug"
	"strings"
	"sync"
	"time"

	"foyer/app/clock"
	"foyer/app/jobs"
	"foyer/migrate"
)

type serveCommand struct {
	WithWorker bool   `help:"Run the worker in this process too."`
	Migrate    bool   `help:"Apply missing migrations first (needs DATABASE_OWNER_URL, or the embedded server)."`
	Addr       string `help:"Address to listen on; FOYER_ADDR when empty."`
}

// Run serves until the process is told to stop. It is production: no simulator, no moving clock, nothing under /dev.
func (s serveCommand) Run(p *program) error {
	c, err := readConfig(p.getenv, p.environ)
	if err != nil {
		return err
	}
	c.Addr = cmp.Or(s.Addr, c.Addr)
	log := slog.New(slog.NewJSONHandler(p.stderr, nil))
	d, err := openDatabase(p.ctx, c, p, func(line string) { log.Info(line) })
	if err != nil {
		return err
	}
	own := c.DatabaseURL == ""
	if s.Migrate || own {
		err = migrateDatabase(p.ctx, d, func(line string) { log.Info(line) })
	} else {
		err = migrate.Check(p.ctx, d.app)
	}
	if err == nil {
		err = s.serve(p, c, d, log, s.WithWorker || own)
	}
	return errors.Join(err, d.stop(context.WithoutCancel(p.ctx)))
}

func (serveCommand) serve(p *program, c Config, d database, log *slog.Logger, withWorker bool) error {
	ln, err := net.Listen("tcp", c.Addr)
	if err != nil {
		return err
	}
	defer ln.Close()
	x, err := buildProduct(p.ctx, parts{config: c, database: d, clock: clock.System{}, log: log, address: ln.Addr(), worker: withWorker})
	if err != nil {
		return err
	}
	defer x.close()
	for _, w := range x.warnings {
		log.Warn(w)
	}
	if p.getenv("GOGC") == "" {
		debug.SetGCPercent(gcPercent)
	}
	log.Info("serving", "address", ln.Addr().String(), "base_url", x.baseURL, "build", build)
	return x.run(p.ctx, ln, log)
}

type workCommand struct{}

// Run works until the process is told to stop.
func (workCommand) Run(p *program) error {
	c, err := readConfig(p.getenv, p.environ)
	if err != nil {
		return err
	}
	log := slog.New(slog.NewJSONHandler(p.stderr, nil))
	d, err := openDatabase(p.ctx, c, p, func(line string) { log.Info(line) })
	if err != nil {
		return err
	}
	x, err := buildProduct(p.ctx, parts{config: c, database: d, clock: clock.System{}, log: log, worker: true})
	if err == nil {
		defer x.close()
		log.Info("working", "build", build)
		err = x.run(p.ctx, nil, log)
	}
	return errors.Join(err, d.stop(context.WithoutCancel(p.ctx)))
}

// gcPercent is how much a serving process may allocate, in percent of what it holds, before garbage is collected. It holds a
// few MB, so that Go's 100 would collect dozens of times a second under load, and a tenth of the time would go there.
const gcPercent = 300

// shutdownTime is how long requests and jobs in flight may take to end.
const shutdownTime = 25 * time.Second

// run serves on ln, when there is one, and works, when the product was built with a worker, until ctx ends.
func (x *product) run(ctx context.Context, ln net.Listener, log *slog.Logger) (err error) {
	failed := make(chan error, 1)
	sharing, stop := context.WithCancel(ctx)
	var shared sync.WaitGroup
	shared.Go(func() { x.changes.Run(sharing, x.db) })
	defer func() { stop(); shared.Wait() }()
	if x.jobDB != nil {
		w, err := jobs.Start(ctx, x.jobDB, x.jobs, log)
		if err != nil {
			return err
		}
		defer func() {
			stop, cancel := context.WithTimeout(context.WithoutCancel(ctx), shutdownTime)
			defer cancel()
			err = errors.Join(err, w.Stop(stop))
		}()
	}
	debug.FreeOSMemory() // wiring leaves garbage behind that an idle server would carry for minutes
	if ln != nil {
		go func() { failed <- x.web.Serve(ln) }()
		defer func() {
			stop, cancel := context.WithTimeout(context.WithoutCancel(ctx), shutdownTime)
			defer cancel()
			err = errors.Join(err, x.web.Shutdown(stop))
		}()
	}
	select {
	case <-ctx.Done():
		return nil
	case err := <-failed:
		return err
	}
}

// addressURL is where a listener can be reached on this machine, for deployments that do not set BASE_URL.
func addressURL(a net.Addr) string {
	host, port, err := net.SplitHostPort(a.String())
	if err != nil {
		return "http://localhost"
	}
	if ip := net.ParseIP(host); ip == nil || ip.IsUnspecified() || ip.IsLoopback() {
		host = "localhost"
		if ip != nil && ip.Equal(net.IPv4(127, 0, 0, 1)) {
			host = "127.0.0.1"
		}
	}
	return strings.TrimSuffix(fmt.Sprintf("http://%s", net.JoinHostPort(host, port)), ":80")
}
