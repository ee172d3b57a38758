"""What the built site costs and how fast the tools are, beside the budgets: `make bench` prints it."""
