package main

import (
	"bytes"
	"cmp"
	"crypto/hkdf"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"net/netip"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/caarlos0/env/v11"

	"foyer/app/accounting/ledgeronline"
	"foyer/app/pg/embedded"
	"foyer/app/sealed"
)

// Config is the environment, read once. docs/settings.md lists every line of it; a test holds the two together.
type Config struct {
	Addr    string `env:"FOYER_ADDR" envDefault:":8080"`
	BaseURL string `env:"BASE_URL"`
	DataDir string `env:"FOYER_DATA_DIR"`
	Secret  string `env:"FOYER_SECRET"`
	// SealKeys are read by sealed.Parse.
	SealKeys string `env:"FOYER_SEAL_KEYS"`

	DatabaseURL      string `env:"DATABASE_URL"`
	DatabaseJobURL   string `env:"DATABASE_JOB_URL"`
	DatabaseOwnerURL string `env:"DATABASE_OWNER_URL"`
	// DatabaseBackupURL is the address for "foyer backup".
	DatabaseBackupURL string `env:"DATABASE_BACKUP_URL"`
	MaxConns          int    `env:"DATABASE_MAX_CONNS" envDefault:"16"`

	SMTPURL  string `env:"SMTP_URL"`
	MailFrom string `env:"MAIL_FROM" envDefault:"Foyer <no-reply@localhost>"`

	StripeKey            string   `env:"STRIPE_SECRET_KEY"`
	StripePublishableKey string   `env:"STRIPE_PUBLISHABLE_KEY"`
	StripeWebhookSecrets []string `env:"STRIPE_WEBHOOK_SECRETS" envSeparator:","`
	// StripePlatformSecrets are of the endpoint for the platform's own account.
	StripePlatformSecrets []string `env:"STRIPE_PLATFORM_WEBHOOK_SECRETS" envSeparator:","`
	StripeAPIBase         string   `env:"STRIPE_API_BASE"`
	ReturnLostFees        bool     `env:"RETURN_PLATFORM_FEE_ON_LOST_DISPUTE" envDefault:"true"`

	// Of the accounting provider; ledgeronline.Settings describes them.
	LedgerAuthorizeURL string `env:"LEDGER_ONLINE_AUTHORIZE_URL"`
	LedgerTokenURL     string `env:"LEDGER_ONLINE_TOKEN_URL"`
	LedgerRevokeURL    string `env:"LEDGER_ONLINE_REVOKE_URL"`
	LedgerAPIBase      string `env:"LEDGER_ONLINE_API_BASE"`
	LedgerAppBase      string `env:"LEDGER_ONLINE_APP_BASE"`
	LedgerClientID     string `env:"LEDGER_ONLINE_CLIENT_ID"`
	LedgerClientSecret string `env:"LEDGER_ONLINE_CLIENT_SECRET"`
	LedgerRedirectURI  string `env:"LEDGER_ONLINE_REDIRECT_URI"`
	LedgerScope        string `env:"LEDGER_ONLINE_SCOPE"`
	LedgerMinorVersion int    `env:"LEDGER_ONLINE_MINOR_VERSION"`

	// ApplePayFile is the path of the file by which Apple verifies the domain for Apple Pay.
	ApplePayFile string `env:"APPLE_PAY_DOMAIN_FILE"`

	// Photos are in a folder, or in a bucket when S3Endpoint is set.
	PhotosDir    string `env:"FOYER_PHOTOS_DIR"`
	PhotosDirect bool   `env:"FOYER_PHOTOS_DIRECT"`
	S3Endpoint   string `env:"FOYER_S3_ENDPOINT"`
	S3Bucket     string `env:"FOYER_S3_BUCKET"`
	S3Region     string `env:"FOYER_S3_REGION" envDefault:"us-east-1"`
	S3AccessKey  string `env:"FOYER_S3_ACCESS_KEY"`
	S3SecretKey  string `env:"FOYER_S3_SECRET_KEY"`

	TrustedProxies           []string `env:"TRUSTED_PROXIES" envSeparator:","`
	StorefrontRateMax        int      `env:"STOREFRONT_RATE_LIMIT_MAX" envDefault:"480"`
	StorefrontRateWindowMS   int      `env:"STOREFRONT_RATE_LIMIT_WINDOW_MS" envDefault:"60000"`
	StorefrontWriteRateMax   int      `env:"STOREFRONT_WRITE_RATE_LIMIT_MAX" envDefault:"60"`
	ChallengesPerAddress     int      `env:"CHALLENGES_PER_ADDRESS_MAX" envDefault:"10"`
	ChallengesPerVisitor     int      `env:"CHALLENGES_PER_VISITOR_MAX" envDefault:"100"`
	WrongCodesPerAddressADay int      `env:"WRONG_CODES_PER_ADDRESS_MAX" envDefault:"50"`
}

// readConfig reads the environment. A secret may come as NAME_FILE, the name of a file that holds it.
func readConfig(getenv func(string) string, environ []string) (Config, error) {
	vars := env.ToMap(environ)
	for _, name := range secretNames {
		file := vars[name+"_FILE"]
		if file == "" {
			continue
		}
		if vars[name] != "" {
			return Config{}, fmt.Errorf("both %s and %s_FILE are set", name, name)
		}
		body, err := os.ReadFile(file)
		if err != nil {
			return Config{}, fmt.Errorf("%s_FILE: %w", name, err)
		}
		vars[name] = strings.TrimSpace(string(body))
	}
	c, err := env.ParseAsWithOptions[Config](env.Options{Environment: vars})
	if err != nil {
		return c, err
	}
	if c.DataDir == "" {
		c.DataDir = embedded.DefaultDataDir(getenv)
	}
	return c, c.validate()
}

// secretNames lists the settings that may also be given as a file.
var secretNames = []string{"FOYER_SECRET", "FOYER_SEAL_KEYS", "DATABASE_URL", "DATABASE_JOB_URL", "DATABASE_OWNER_URL",
	"DATABASE_BACKUP_URL", "SMTP_URL", "STRIPE_SECRET_KEY", "STRIPE_WEBHOOK_SECRETS", "STRIPE_PLATFORM_WEBHOOK_SECRETS",
	"LEDGER_ONLINE_CLIENT_SECRET", "FOYER_S3_ACCESS_KEY", "FOYER_S3_SECRET_KEY"}

func (c Config) validate() error {
	var errs []error
	if c.BaseURL != "" {
		u, err := url.Parse(c.BaseURL)
		if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" || strings.Trim(u.Path, "/") != "" {
			errs = append(errs, errors.New("BASE_URL must be http(s)://host with no path"))
		}
	}
	for _, p := range c.TrustedProxies {
		if _, err := netip.ParsePrefix(p); err != nil {
			errs = append(errs, fmt.Errorf("TRUSTED_PROXIES: %q is not a prefix such as 10.0.0.0/8", p))
		}
	}
	for name, n := range map[string]int{
		"DATABASE_MAX_CONNS": c.MaxConns, "STOREFRONT_RATE_LIMIT_MAX": c.StorefrontRateMax,
		"STOREFRONT_RATE_LIMIT_WINDOW_MS": c.StorefrontRateWindowMS, "STOREFRONT_WRITE_RATE_LIMIT_MAX": c.StorefrontWriteRateMax,
		"CHALLENGES_PER_ADDRESS_MAX": c.ChallengesPerAddress, "CHALLENGES_PER_VISITOR_MAX": c.ChallengesPerVisitor,
		"WRONG_CODES_PER_ADDRESS_MAX": c.WrongCodesPerAddressADay,
	} {
		if n < 1 {
			errs = append(errs, fmt.Errorf("%s must be at least 1", name))
		}
	}
	if c.DatabaseURL != "" && c.Secret == "" {
		errs = append(errs, errors.New("with DATABASE_URL, FOYER_SECRET must be set (32 random bytes as hex: openssl rand -hex 32)"))
	}
	if c.DatabaseURL != "" && c.SealKeys == "" {
		errs = append(errs, errors.New("with DATABASE_URL, FOYER_SEAL_KEYS must be set "+
			"(a key is 32 random bytes as hex: openssl rand -hex 32)"))
	}
	if c.SealKeys != "" {
		if _, err := sealed.Parse(c.SealKeys); err != nil {
			errs = append(errs, fmt.Errorf("FOYER_SEAL_KEYS: %w", err))
		}
	}
	if _, err := c.applePay(); err != nil {
		errs = append(errs, err)
	}
	errs = append(errs, c.ledger(cmp.Or(c.BaseURL, "http://localhost")).Validate(), c.validatePhotos())
	if c.Secret != "" && len(c.Secret) < 32 {
		errs = append(errs, errors.New("FOYER_SECRET is shorter than 32 characters"))
	}
	return errors.Join(errs...)
}

// ledger returns the settings of the accounting provider; base is the address of this program. They are all empty, or
// complete.
func (c Config) ledger(base string) ledgeronline.Settings {
	s := ledgeronline.Settings{
		AuthorizeURL: c.LedgerAuthorizeURL, TokenURL: c.LedgerTokenURL, RevokeURL: c.LedgerRevokeURL,
		APIBase: c.LedgerAPIBase, AppBase: c.LedgerAppBase,
		ClientID: c.LedgerClientID, ClientSecret: sealed.NewSecret(c.LedgerClientSecret),
		RedirectURI: c.LedgerRedirectURI, Scope: c.LedgerScope, MinorVersion: c.LedgerMinorVersion,
	}
	if s.Configured() && s.RedirectURI == "" {
		s.RedirectURI = strings.TrimSuffix(base, "/") + accountingCallback
	}
	return s
}

// accountingCallback is the path to which the accounting provider redirects.
const accountingCallback = "/accounting/callback"

// applePay returns the verification file for Apple; nil without the setting.
func (c Config) applePay() ([]byte, error) {
	if c.ApplePayFile == "" {
		return nil, nil
	}
	body, err := os.ReadFile(c.ApplePayFile)
	if err == nil && len(bytes.TrimSpace(body)) == 0 {
		err = errors.New("the file is empty")
	}
	if err != nil {
		return nil, fmt.Errorf("APPLE_PAY_DOMAIN_FILE: %w", err)
	}
	return body, nil
}

// rateWindow is the storefront's window as a duration.
func (c Config) rateWindow() time.Duration {
	return time.Duration(c.StorefrontRateWindowMS) * time.Millisecond
}

// secret returns the key everything else is derived from: FOYER_SECRET, or one made once in the data directory.
func (c Config) secret() ([]byte, error) {
	body, err := c.knownSecret()
	if !errors.Is(err, fs.ErrNotExist) {
		return body, err
	}
	fresh := make([]byte, 32)
	rand.Read(fresh)
	return makeOnce(c.secretFile(), hex.EncodeToString(fresh))
}

// knownSecret is the secret that there is already, or an error that is fs.ErrNotExist.
func (c Config) knownSecret() ([]byte, error) {
	if c.Secret != "" {
		return []byte(c.Secret), nil
	}
	return os.ReadFile(c.secretFile())
}

// secretFile is the file of a generated secret.
func (c Config) secretFile() string { return filepath.Join(c.DataDir, "secret") }

// sealKeys returns the keys of sealed values: FOYER_SEAL_KEYS, or one made once in the data directory.
func (c Config) sealKeys() (*sealed.Keys, error) {
	keys, err := c.knownSealKeys()
	if !errors.Is(err, fs.ErrNotExist) {
		return keys, err
	}
	if _, err := makeOnce(c.sealKeysFile(), sealed.NewKey()); err != nil {
		return nil, err
	}
	return c.knownSealKeys()
}

// knownSealKeys returns the existing keys, or an error that is fs.ErrNotExist.
func (c Config) knownSealKeys() (*sealed.Keys, error) {
	if c.SealKeys != "" {
		return sealed.Parse(c.SealKeys)
	}
	body, err := os.ReadFile(c.sealKeysFile())
	if err != nil {
		return nil, err
	}
	keys, err := sealed.Parse(string(body))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", c.sealKeysFile(), err)
	}
	return keys, nil
}

// sealKeysFile is the file of generated keys.
func (c Config) sealKeysFile() string { return filepath.Join(c.DataDir, "seal-keys") }

// makeOnce writes a new file that only its owner can read, and returns its content. If another process makes the file
// first, it returns the content of that one. The file appears complete or not at all: the other process, and this one
// after a crash, would take an empty file for the secret.
func makeOnce(file, content string) (_ []byte, err error) {
	dir := filepath.Dir(file)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	f, err := os.CreateTemp(dir, "."+filepath.Base(file)+"-*") // with mode 0600
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.Remove(f.Name())) }()
	_, err = f.WriteString(content)
	if err := errors.Join(err, f.Sync(), f.Close()); err != nil {
		return nil, err
	}
	if err := os.Link(f.Name(), file); err != nil && !errors.Is(err, fs.ErrExist) {
		return nil, err
	}
	return os.ReadFile(file)
}

// mediaDir is the folder of photos without an object store.
func (c Config) mediaDir() string { return cmp.Or(c.PhotosDir, filepath.Join(c.DataDir, "media")) }

// derive makes a key for one purpose out of the secret, so that none of them reveals another.
func derive(secret []byte, purpose string) []byte {
	key, err := hkdf.Key(sha256.New, secret, nil, "foyer "+purpose, 32)
	if err != nil {
		panic(err) // only for a length beyond HKDF's limit
	}
	return key
}
