package config

// Origin says where a value comes from.
type Origin string

// Origins, strongest first.
const (
	FromFlag        Origin = "flag"
	FromEnvironment Origin = "environment"
	FromFile        Origin = "file"
	FromDefault     Origin = "default"
	Unset           Origin = "unset"
)

// Value is an effective setting.
type Value struct {
	Value  string
	Origin Origin
}

// Overrides are settings given as flags.
type Overrides map[Key]string

// Sources are the places that Resolve looks at; nil ones are empty.
type Sources struct {
	Flags  Overrides
	Getenv func(string) string
	File   *File
}

// Config is the effective configuration.
type Config struct{ values map[Key]Value }

// Resolve takes each setting from the strongest source that has it. An empty
// environment variable counts as unset. A malformed value is an error that
// names its origin, not a reason to look further.
func Resolve(src *Sources) (*Config, error) {
	c := &Config{values: map[Key]Value{}}
	for _, k := range Keys() {
		v := src.lookup(k)
		if v.Origin != Unset {
			if err := k.Validate(v.Value); err != nil {
				return nil, &ValueError{Origin: v.Origin, Key: k, Err: err}
			}
		}
		c.values[k] = v
	}
	return c, nil
}

func (src *Sources) lookup(k Key) Value {
	if v, ok := src.Flags[k]; ok {
		return Value{v, FromFlag}
	}
	if src.Getenv != nil {
		if v := src.Getenv(k.Env()); v != "" {
			return Value{v, FromEnvironment}
		}
	}
	if v, ok := src.File.Get(k); ok {
		return Value{v, FromFile}
	}
	if v := definitions[k].fallback; v != "" {
		return Value{v, FromDefault}
	}
	return Value{Origin: Unset}
}

// Get is the effective value of k.
func (c *Config) Get(k Key) Value { return c.values[k] }

// ValueError is a setting whose value has the wrong form.
type ValueError struct {
	Origin Origin
	Key    Key
	Err    error
}

// Error implements error.
func (e *ValueError) Error() string {
	if e.Origin == FromEnvironment {
		return "environment variable " + e.Key.Env() + ": " + e.Err.Error()
	}
	return string(e.Origin) + ": " + e.Err.Error()
}

// Unwrap gives the cause.
func (e *ValueError) Unwrap() error { return e.Err }
