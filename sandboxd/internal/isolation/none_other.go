//go:build !unix

package isolation

import "errors"

func newNone(*Options) (Launcher, error) {
	return nil, errors.New("isolation none needs a Unix system: use docker")
}
