"""Entry point for FC: the MCP server is the binary beside this file.

The process replaces itself by it, so signals, standard streams and the
environment (ABX_MCP_AUTH_TOKEN, ABX_SANDBOX_API_KEY, ABX_SANDBOX_BASE_URL,
ABX_SANDBOX_DOMAIN, ABX_DEFAULT_TEMPLATE) are the server's own. Put whatever
must happen before the server starts above the last line.
"""

import os
import pathlib

BOOTSTRAP = pathlib.Path(__file__).resolve().parent / "bootstrap"

if __name__ == "__main__":
    os.execv(BOOTSTRAP, [str(BOOTSTRAP)])
