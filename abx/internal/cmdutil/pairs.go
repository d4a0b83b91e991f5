package cmdutil

import "strings"

// Pairs reads the values of a repeatable NAME=VALUE flag.
func Pairs(flag string, words []string) (map[string]string, error) {
	if len(words) == 0 {
		return nil, nil //nolint:nilnil // no pairs and no error
	}
	pairs := map[string]string{}
	for _, word := range words {
		name, value, ok := strings.Cut(word, "=")
		if !ok || name == "" {
			return nil, FlagErrorf("%s %q: want NAME=VALUE", flag, word)
		}
		pairs[name] = value
	}
	return pairs, nil
}
