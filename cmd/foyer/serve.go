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

// Run serves until the process is told to stop. It is for production: no simulator, no adjustable clock, nothing
// under /dev.
func (s serveCommand) Run(p *program) error {
	c, err := readConfig(p.getenv, p.environ)
	if err != nil {
		return err
	}
	c.Addr = cmp.Or(s.Addr, c.Addr)
	if p.getenv("GOGC") == "" {
		debug.SetGCPercent(gcPercent)
	}
	if p.getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(memoryLimit)
	}
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
	x, err := buildProduct(p.ctx, parts{config: c, database: d, clock: clock.System{}, log: log, address: ln.Addr(), worker: withWorker,
		warm: c.MaxConns / 2, drain: drainTime})
	if err != nil {
		return err
	}
	defer x.close()
	for _, w := range x.warnings {
		log.Warn(w)
	}
	log.Info("serving", "address", ln.Addr().String(), "base_url", x.baseURL, "build", build)
	return x.run(p.ctx, ln, log)
}

type workCommand struct{}

// Run runs jobs and sweeps until the process is told to stop.
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

// gcPercent is GOGC of a serving process. It holds a few MB, so that Go's default of 100 would collect dozens of
// times a second under load, and take a tenth of the time, and a fifth of the start.
const gcPercent = 300

// memoryLimit is the size from which garbage is collected more often than by gcPercent, in bytes: thousands of
// requests at once hold hundreds of MB, and three times as much garbage on top has reached 1.2 GB.
const memoryLimit = 640 << 20

// A process that was told to end has ended after shutdownTime, with any requests in flight: supervisors kill after 30
// seconds. drainTime of it is for idle connections.
const (
	shutdownTime = 25 * time.Second
	drainTime    = 5 * time.Second
)

// run serves on ln, when there is one, and works, when the product was built with a worker, until ctx ends or
// something does that cannot be mended here. Then requests and jobs in flight end, and nothing new begins.
func (x *product) run(ctx context.Context, ln net.Listener, log *slog.Logger) (err error) {
	failed := make(chan error, 2)
	around, stop := context.WithCancel(context.WithoutCancel(ctx)) // for requests and jobs until they have ended
	var shared sync.WaitGroup
	defer func() { stop(); shared.Wait() }()
	if x.keep != nil {
		shared.Go(func() {
			if err := x.keep(around); err != nil {
				failed <- err
			}
		})
	}
	shared.Go(func() { x.changes.Run(around, x.db) })
	shared.Go(func() { x.settle(around, log) })
	var w *jobs.Worker
	if x.jobDB != nil {
		if w, err = jobs.Start(ctx, x.jobDB, x.jobs, log); err != nil {
			return err
		}
	}
	if ln != nil {
		go func() { failed <- x.web.Serve(ln) }()
	}
	select {
	case <-ctx.Done():
	case err = <-failed:
	}
	leaving, cancel := context.WithTimeout(around, shutdownTime)
	defer cancel()
	var webErr, jobsErr error
	var ending sync.WaitGroup
	if ln != nil {
		ending.Go(func() { webErr = x.leave(leaving) })
	}
	if w != nil {
		ending.Go(func() { jobsErr = w.Stop(leaving) })
	}
	ending.Wait()
	return errors.Join(err, webErr, jobsErr)
}

// leave ends the serving: first it drains idle connections, then it stops.
func (x *product) leave(ctx context.Context) error {
	drain, cancel := context.WithTimeout(ctx, x.drain)
	defer cancel()
	x.web.Drain(drain)
	return x.web.Shutdown(ctx)
}

// settle waits until the warm connections are open, releases memory that only the start needed, and logs that the
// process is ready: from then on a request has its usual cost. Requests are answered before, too.
func (x *product) settle(ctx context.Context, log *slog.Logger) {
	err := x.db.AllWarm(ctx)
	if ctx.Err() != nil {
		return
	}
	if err != nil {
		log.Warn("some statements cannot be planned before they are sent", "error", err)
	}
	debug.FreeOSMemory() // wiring leaves garbage behind that an idle server would carry for minutes
	dropPages()
	log.Info("ready")
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
