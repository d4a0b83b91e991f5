package ideinstall

import "github.com/agentsandbox/agent-sandbox/ideinstall/internal/conf"

// inputID is the id of the question that VS Code asks for the secret.
const inputID = "abx-secret"

// entry builds what a client's file says about the server.
func (sh *shape) entry(s *Server, secret *resolvedSecret) conf.Object {
	var o conf.Object
	if sh.kind != "" {
		o = append(o, conf.Member{Key: "type", Value: sh.kind})
	}
	if s.Transport == TransportHTTP {
		o = append(o, conf.Member{Key: sh.url, Value: s.URL})
		o = append(o, sh.authorization(secret)...)
	} else {
		o = append(o, sh.program(s)...)
		o = append(o, sh.environment(secret)...)
	}
	return append(o, sh.extra...)
}

func (sh *shape) program(s *Server) conf.Object {
	if sh.argv {
		return conf.Object{{Key: "command", Value: append([]string{s.Command}, s.Args...)}}
	}
	args := s.Args
	if args == nil {
		args = []string{}
	}
	return conf.Object{{Key: "command", Value: s.Command}, {Key: "args", Value: args}}
}

func (sh *shape) environment(secret *resolvedSecret) conf.Object {
	switch {
	case secret.mode == SecretNone:
		return nil
	case secret.mode == SecretEnv && sh.envList != "":
		return conf.Object{{Key: sh.envList, Value: []string{secret.variable}}}
	}
	return conf.Object{{Key: sh.env, Value: conf.Object{{Key: secret.variable, Value: secret.text}}}}
}

func (sh *shape) authorization(secret *resolvedSecret) conf.Object {
	switch {
	case secret.mode == SecretNone:
		return nil
	case secret.mode == SecretEnv && sh.bearerEnv != "":
		return conf.Object{{Key: sh.bearerEnv, Value: secret.variable}}
	}
	return conf.Object{{Key: sh.headers, Value: conf.Object{{Key: "Authorization", Value: "Bearer " + secret.text}}}}
}

// inputs is the element of VS Code's "inputs" that ${input:id} refers to.
func (secret *resolvedSecret) input() conf.Object {
	return conf.Object{
		{Key: "type", Value: "promptString"},
		{Key: "id", Value: inputID},
		{Key: "description", Value: secret.variable},
		{Key: "password", Value: true},
	}
}
