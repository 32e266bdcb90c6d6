package embedded

import (
	"errors"
	"io"
	"os"
	"os/user"
	"path/filepath"
	"time"
)

// config is Options with every default and setting filled in. The exported fields travel to the holder process as JSON.
type config struct {
	DataDir  string // absolute, symbolic links resolved
	CacheDir string
	Runtime  string // XDG_RUNTIME_DIR
	Bin      string // FOYER_PG_BIN
	User     string // FOYER_PG_USER
	Fast     bool
	Detach   bool
	Linger   time.Duration

	log      io.Writer
	progress func(string)
}

func (c config) lockFile() string  { return c.DataDir + ".lock" }
func (c config) usersFile() string { return c.DataDir + ".users" }
func (c config) logFile() string   { return c.DataDir + ".log" }

// settle fills in the defaults and reads the settings.
func settle(o Options) config {
	getenv := o.Getenv
	if getenv == nil {
		getenv = os.Getenv
	}
	c := config{
		CacheDir: o.CacheDir, Fast: o.Fast, Detach: o.Detach, Linger: o.Linger, log: o.Log, progress: o.Progress,
		Runtime: getenv("XDG_RUNTIME_DIR"), Bin: getenv("FOYER_PG_BIN"), User: getenv("FOYER_PG_USER"),
	}
	if c.Linger <= 0 {
		c.Linger = time.Minute
	}
	if c.log == nil {
		c.log = io.Discard
	}
	if c.progress == nil {
		c.progress = func(string) {}
	}
	if c.CacheDir == "" {
		c.CacheDir = defaultCacheDir(getenv)
	}
	// The programs run in another directory than we.
	c.CacheDir = absolute(c.CacheDir)
	if c.Bin != "" && c.Bin != "npm" {
		c.Bin = absolute(c.Bin)
	}
	return c
}

func absolute(dir string) string {
	if abs, err := filepath.Abs(dir); err == nil {
		return abs
	}
	return dir
}

// resolve settles the options, makes what is missing above the data directory, and gives the directory its one name.
func resolve(o Options) (config, error) {
	c := settle(o)
	if o.DataDir == "" {
		return config{}, errors.New("no data directory was given")
	}
	dir := absolute(o.DataDir)
	if err := makeParents(filepath.Dir(dir)); err != nil {
		return config{}, err
	}
	// A running server is recognised by the path it was started with, so there must be one name per directory.
	parent, err := filepath.EvalSymlinks(filepath.Dir(dir))
	if err != nil {
		return config{}, err
	}
	c.DataDir = filepath.Join(parent, filepath.Base(dir))
	if target, err := filepath.EvalSymlinks(c.DataDir); err == nil {
		c.DataDir = target
	}
	return c, nil
}

// makeParents makes dir and what is missing above it: for this account alone, or, as root, open for passing through
// whatever the umask, because the server runs as another account and must reach its data.
func makeParents(dir string) error {
	if _, err := os.Stat(dir); err == nil {
		return nil
	}
	if err := makeParents(filepath.Dir(dir)); err != nil {
		return err
	}
	mode := os.FileMode(0o700)
	if os.Geteuid() == 0 {
		mode = 0o755
	}
	if err := os.Mkdir(dir, mode); err != nil && !errors.Is(err, os.ErrExist) {
		return err
	}
	return os.Chmod(dir, mode)
}

// DefaultDataDir is where the product keeps its data when nothing else is set: /var/lib/foyer for root (whose home no
// other account can enter), else foyer below $XDG_DATA_HOME or ~/.local/share. It is the product's directory: the
// server's own data directory belongs in a folder below it.
func DefaultDataDir(getenv func(string) string) string {
	if os.Geteuid() == 0 {
		return "/var/lib/foyer"
	}
	return filepath.Join(userDir(getenv, "XDG_DATA_HOME", ".local/share"), "foyer")
}

func defaultCacheDir(getenv func(string) string) string {
	if os.Geteuid() == 0 {
		return "/var/cache/foyer"
	}
	return filepath.Join(userDir(getenv, "XDG_CACHE_HOME", ".cache"), "foyer")
}

// userDir follows the XDG base directory rules, which ignore a setting that is not an absolute path.
func userDir(getenv func(string) string, setting, below string) string {
	if dir := getenv(setting); filepath.IsAbs(dir) {
		return dir
	}
	home := getenv("HOME")
	if home == "" {
		if u, err := user.Current(); err == nil {
			home = u.HomeDir
		}
	}
	return filepath.Join(home, below)
}
