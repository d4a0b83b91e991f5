package transfer

import (
	"compress/gzip"
	"errors"
	"io"
	"net/http"
	"strconv"
	"strings"
)

const (
	codingIdentity = "identity"
	codingGzip     = "gzip"
)

var errNoCoding = errors.New("no acceptable encoding found, supported: [gzip]")

// acceptedCoding picks the content coding of a download. Ranges are ranges of
// the file itself, so they are never compressed.
func acceptedCoding(r *http.Request) (string, error) {
	accept := strings.Join(r.Header.Values("Accept-Encoding"), ",")
	if accept == "" || r.Header.Get("Range") != "" {
		return codingIdentity, nil
	}
	weights := qualities(accept)
	zip, plain := weightOf(weights, codingGzip, 0), weightOf(weights, codingIdentity, 1)
	switch {
	case zip > 0 && (zip >= plain || !named(weights, codingIdentity)):
		return codingGzip, nil
	case plain > 0:
		return codingIdentity, nil
	}
	return "", errNoCoding
}

// qualities reads the header into a weight for each coding; one that cannot
// be read counts as 1.
func qualities(accept string) map[string]float64 {
	weights := map[string]float64{}
	for item := range strings.SplitSeq(accept, ",") {
		name, params, _ := strings.Cut(strings.TrimSpace(item), ";")
		name = strings.ToLower(strings.TrimSpace(name))
		if name == "" {
			continue
		}
		weights[name] = 1
		if q, ok := strings.CutPrefix(strings.TrimSpace(params), "q="); ok {
			if weight, err := strconv.ParseFloat(q, 64); err == nil {
				weights[name] = weight
			}
		}
	}
	return weights
}

// weightOf is the weight of a coding, that of "*" if only it is there, or
// fallback.
func weightOf(weights map[string]float64, coding string, fallback float64) float64 {
	if weight, ok := weights[coding]; ok {
		return weight
	}
	if weight, ok := weights["*"]; ok {
		return weight
	}
	return fallback
}

func named(weights map[string]float64, coding string) bool {
	_, ok := weights[coding]
	return ok
}

// decoded is the body of an upload with its content coding taken off.
func decoded(r *http.Request) (io.ReadCloser, error) {
	switch coding := r.Header.Get("Content-Encoding"); strings.ToLower(coding) {
	case "", codingIdentity:
		return r.Body, nil
	case codingGzip:
		plain, err := gzip.NewReader(r.Body)
		if err != nil {
			return nil, fail(http.StatusBadRequest, "error decompressing request body: %w", err)
		}
		return plain, nil
	default:
		return nil, fail(http.StatusBadRequest,
			"error decompressing request body: unsupported Content-Encoding: %s, supported: [gzip]", coding)
	}
}
