package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"syscall"
)

func main() { os.Exit(live()) }

func live() int {
	foyer := flag.String("foyer", "bin/foyer", "the program")
	into := flag.String("into", "docs/pictures", "where pictures go")
	shown := flag.String("doc", "docs/console.md", "the document that shows them")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	var err error
	switch flag.Arg(0) {
	case "pictures":
		err = inDemo(ctx, *foyer, func(d demo, w *window) error { return pictures(d, w, *into, *shown) })
	case "speed":
		err = inDemo(ctx, *foyer, speed)
	default:
		flag.Usage()
		return 2
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "screens:", err)
		return 1
	}
	return 0
}

// inDemo does something in a browser in which the owner of the first demo studio is signed in.
func inDemo(ctx context.Context, foyer string, do func(demo, *window) error) (err error) {
	d, err := startDemo(ctx, foyer)
	if err != nil {
		return err
	}
	defer d.stop()
	w, err := openWindow()
	if err != nil {
		return err
	}
	defer w.close()
	if err := w.signIn(d); err != nil {
		return err
	}
	return do(d, w)
}
