package ownership_test

import "testing"

func owner(*testing.T, string) (uid, gid int) { return -1, -1 }
