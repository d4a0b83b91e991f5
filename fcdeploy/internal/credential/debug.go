package credential

import (
	"fmt"
	"os"
	"slices"
	"strings"
)

// leaky are the values of DEBUG with which the vendor's modules print every
// request, credentials included. They read it when the process starts.
var leaky = []string{"dara", "tea", "credential"}

// CheckDebug refuses to work in an environment that would print credentials.
func CheckDebug() error {
	for name := range strings.SplitSeq(os.Getenv("DEBUG"), ",") {
		if slices.Contains(leaky, name) {
			return fmt.Errorf("DEBUG=%s makes the SDK of Alibaba Cloud print credentials: unset it", name)
		}
	}
	return nil
}
