package agent_test

// alive cannot be told here.
func alive(int) bool { return false }
