"""GPU Bites: Markdown bites, their snippets and facts, read once and turned into pages, exports and problems."""
