package doctor

import (
	"context"
	"runtime"

	"github.com/agentsandbox/agent-sandbox/abx/internal/cmdutil"
	"github.com/agentsandbox/agent-sandbox/abx/internal/config"
)

func checkVersion(_ context.Context, f *cmdutil.Factory) Finding {
	return ok("abx %s, %s, %s/%s", f.Version, runtime.Version(), runtime.GOOS, runtime.GOARCH)
}

func checkConfiguration(_ context.Context, f *cmdutil.Factory) Finding {
	file, err := f.Settings()
	if err != nil {
		return failure("mend the file, or pass --config FILE", "%v", err)
	}
	if _, err := f.Config(); err != nil {
		return failure("mend or unset it", "%v", err)
	}
	if file.Path() == "" {
		return ok("no file: there is no home directory to keep one in")
	}
	return ok("%s", file.Path())
}

func checkKey(_ context.Context, f *cmdutil.Factory) Finding {
	cfg, err := f.Config()
	if err != nil {
		return failure("mend the configuration first", "not known")
	}
	key := cfg.Get(config.APIKey)
	if key.Value == "" {
		return warning("set ABX_SANDBOX_API_KEY or run `abx config set api_key`; --local needs none", "no API key for a remote backend")
	}
	return ok("from %s, %d characters", key.Origin, len(key.Value))
}
