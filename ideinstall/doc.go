// Package ideinstall registers an MCP server in the configuration of IDEs and
// other MCP clients, and takes it out again, without harming anything else in
// those files.
//
// A [Target] describes one client: where its file lies on each system, under
// which key servers stand, and how it spells an entry. [PlanInstall] and
// [PlanUninstall] read the files and compute the change; nothing is written
// before [Plan.Apply]. [Inspect] tells what a file says today.
//
// Files are edited by splicing bytes. Comments, order, indentation, line
// endings, numbers and escapes of everything else stay as they were, and a
// result that does not prove harmless is refused. A
// file is replaced by a rename, through links, with its owner and mode, under a
// lock, after a backup, and only if it is still what the plan was made from.
//
// The package reads no environment of its own: everything comes from [Env],
// which [System] fills for this process and tests fill for any system.
//
// # Environment variables read through Env.Getenv
//
//	XDG_CONFIG_HOME     configuration root on Linux; ignored when relative
//	XDG_STATE_HOME      backups and locks; default ~/.local/state
//	APPDATA             configuration root on Windows
//	LOCALAPPDATA        packaged apps, backups and locks on Windows
//	CLAUDE_CONFIG_DIR   directory of Claude Code's .claude.json
//	CODEX_HOME          directory of Codex's config.toml
//	COPILOT_HOME        directory of Copilot CLI's mcp-config.json
//	CLINE_DIR, CLINE_MCP_SETTINGS_PATH   Cline CLI
package ideinstall
