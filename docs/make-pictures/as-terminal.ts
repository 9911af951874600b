/** Loaded before a command that is recorded: it prints as on a terminal, in colours. */
process.stdout.isTTY = true;
process.stderr.isTTY = true;
