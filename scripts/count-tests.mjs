// The closing lines of a test run, from jest's report: its summary, then `N passed, N failed` alone on a line.
import { readFileSync } from 'node:fs';
import { say } from './lib/say.mjs';

const [path, otherFailures] = process.argv.slice(2);

/** A suite that could not run has no failed test of its own, so it counts as one. */
function counts() {
  try {
    const report = JSON.parse(readFileSync(path, 'utf8'));
    return {
      passed: report.numPassedTests,
      failed: report.numFailedTests + report.numRuntimeErrorTestSuites,
      skipped: report.numPendingTests + report.numTodoTests,
      total: report.numTotalTests,
    };
  } catch {
    return { passed: 0, failed: 1, skipped: 0, total: 0 };
  }
}

const { passed, skipped, total, ...found } = counts();
// Something failed outside of jest's tests when the run failed and no test did.
const failed = found.failed === 0 && otherFailures !== '0' ? 1 : found.failed;
say(`Tests: ${failed} failed, ${skipped} skipped, ${passed} passed, ${total} total`);
say(
  skipped === 0
    ? `${passed} passed, ${failed} failed`
    : `${passed} passed, ${failed} failed, ${skipped} skipped`,
);
process.exitCode = failed === 0 && passed > 0 ? 0 : 1;
