"""Programs of assistants, and the reference programs of the protocol."""

from tests.npm_programs import Program

_BEFORE = "2026-11-27"

CLAUDE_CODE = Program("@anthropic-ai/claude-code", "2.1.332", "cli-wrapper.cjs", _BEFORE)
CODEX = Program("@openai/codex", "0.171.0", "bin/codex.js", _BEFORE)
GEMINI = Program("@google/gemini-cli", "0.61.0", "bundle/gemini.js", _BEFORE)
MCPB = Program("@anthropic-ai/mcpb", "2.1.2", "dist/cli/cli.js", _BEFORE)
INSPECTOR = Program("@modelcontextprotocol/inspector", "2.12.0", "clients/launcher/build/index.js", _BEFORE)
CONFORMANCE = Program("@modelcontextprotocol/conformance", "0.1.16", "dist/index.js", _BEFORE)
