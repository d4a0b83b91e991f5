// Package config resolves abx's settings. A value comes, in this order, from a
// flag, the environment, the configuration file or a default, and remembers
// which of them it was.
package config

import (
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// Key names a setting, as written in the configuration file.
type Key string

// The settings.
const (
	Region     Key = "region"      // Alibaba Cloud region, such as cn-hangzhou
	APIKey     Key = "api_key"     // secret
	BaseURL    Key = "base_url"    // URL of the control plane
	Domain     Key = "domain"      // sandboxes are <port>-<id>.<domain>
	SandboxURL Key = "sandbox_url" // one URL for every sandbox, instead of the domain
	Template   Key = "template"    // template when a call names none
	Backend    Key = "backend"     // fc, e2b or local
)

type definition struct {
	env      string
	fallback string
	secret   bool
	validate func(string) error
}

var definitions = map[Key]definition{
	Region:     {env: "ALIBABA_CLOUD_REGION_ID", fallback: "cn-hangzhou", validate: matching(`^[a-z0-9-]+$`, "a region id such as cn-hangzhou")},
	APIKey:     {env: "ABX_SANDBOX_API_KEY", secret: true, validate: isSecret},
	BaseURL:    {env: "ABX_SANDBOX_BASE_URL", validate: isURL},
	Domain:     {env: "ABX_SANDBOX_DOMAIN", validate: matching(`^[A-Za-z0-9.-]+(:[0-9]+)?$`, "a host name such as cn-hangzhou.e2b.fc.aliyuncs.com")},
	SandboxURL: {env: "ABX_SANDBOX_URL", validate: isURL},
	Template:   {env: "ABX_DEFAULT_TEMPLATE", fallback: "code-interpreter-v1", validate: matching(`^[A-Za-z0-9][A-Za-z0-9._/:-]*$`, "a template name such as code-interpreter-v1")},
	Backend:    {env: "ABX_BACKEND", fallback: "fc", validate: oneOf("fc", "e2b", "local")},
}

// Keys lists every setting in the order in which they are shown.
func Keys() []Key {
	return []Key{Backend, Region, APIKey, BaseURL, Domain, SandboxURL, Template}
}

// ParseKey accepts the name of a setting.
func ParseKey(name string) (Key, error) {
	if k := Key(name); slices.Contains(Keys(), k) {
		return k, nil
	}
	return "", fmt.Errorf("unknown setting %q: the settings are %s", name, names())
}

// Secret says whether the value must never be shown.
func (k Key) Secret() bool { return definitions[k].secret }

// Env is the environment variable that sets k.
func (k Key) Env() string { return definitions[k].env }

// Validate checks the form of a value; the error names the setting and the
// form, and does not repeat a secret.
func (k Key) Validate(value string) error {
	err := definitions[k].validate(value)
	if err == nil {
		return nil
	}
	if k.Secret() {
		return fmt.Errorf("%s: want %w", k, err)
	}
	return fmt.Errorf("%s %q: want %w", k, value, err)
}

func names() string {
	var all []string
	for _, k := range Keys() {
		all = append(all, string(k))
	}
	return strings.Join(all, ", ")
}

// matching compiles its pattern on first use: every process of a local sandbox
// pays for what packages do at start.
func matching(pattern, form string) func(string) error {
	re := sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(pattern) })
	return func(s string) error {
		if !re().MatchString(s) {
			return fmt.Errorf("%s", form)
		}
		return nil
	}
}

func oneOf(values ...string) func(string) error {
	return func(s string) error {
		if !slices.Contains(values, s) {
			return fmt.Errorf("one of %s", strings.Join(values, ", "))
		}
		return nil
	}
}

var printable = matching(`^[\x21-\x7e]+$`, "printable characters without spaces")

// isSecret refuses what a desktop application passes on when it does not expand
// a reference to a variable.
func isSecret(s string) error {
	if strings.HasPrefix(s, "${") {
		return fmt.Errorf("the key itself: what arrived is a reference that nothing has expanded")
	}
	return printable(s)
}

func isURL(s string) error {
	u, err := url.Parse(s)
	if err != nil || u.Host == "" || u.User != nil || (u.Scheme != "https" && u.Scheme != "http") {
		return fmt.Errorf("a URL such as https://api.example.com, without user name")
	}
	return nil
}
