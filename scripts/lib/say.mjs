// How the commands speak: progress on stdout, and a failure as one line with exit code 1.

/** A failure that a person can mend; its message is one line that says what is wrong and what to do. */
export class Failure extends Error {}

// A reader who closes the pipe early must not end a command that still has processes to stop.
process.stdout.on('error', () => {});

/** Prints a line of progress. */
export function say(line) {
  process.stdout.write(`${line}\n`);
}

/** Runs a command's main function; a Failure becomes its one line, anything else a stack trace. */
export async function main(run) {
  try {
    await run();
  } catch (error) {
    process.stderr.write(`${error instanceof Failure ? `weir: ${error.message}` : error.stack}\n`);
    process.exitCode = 1;
  }
}
