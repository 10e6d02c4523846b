// `npm run docs`: writes the pages that come from schemas; with --check only says which of them are stale.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { metricsPage } from './docs/metrics-page.ts';
import { settingsPage } from './docs/settings-page.ts';

const PAGES = { 'docs/settings.md': settingsPage, 'docs/metrics.md': metricsPage };

const checking = process.argv.includes('--check');
for (const [path, generate] of Object.entries(PAGES)) {
  const file = fileURLToPath(new URL(`../../${path}`, import.meta.url));
  const text = generate();
  if (!checking) writeFileSync(file, text);
  else if (contentOf(file) !== text) {
    process.stderr.write(`${path} is stale: run npm run docs\n`);
    process.exitCode = 1;
  }
}

function contentOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
