// Scans a storefront in a CI job. Usage: node scan.mjs https://your-shop.example
//
// Exits with code 1 if at least one finding is an error, or with code 2 if the page can't be scanned.

import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';

const args = ['scan', ...process.argv.slice(2), '--sarif', '--html-report', 'storefront.html'];
const { status, stdout } = spawnSync('compliance', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
process.exitCode = status ?? 2;

if (process.exitCode < 2) {
  const log = JSON.parse(stdout);
  for (const { level, message, locations } of log.runs[0].results) {
    const { artifactLocation, region } = locations[0].physicalLocation;
    const line = `${level}: ${message.text} (${artifactLocation.uri} line ${region.startLine})`;
    // Print each finding on one line so that the page can't inject lines into the job log.
    console.log(line.replaceAll(/\s+/g, ' '));
    // GitHub shows alerts only for files in the repository and rejects logs whose locations are HTTPS URLs.
    const { host, pathname } = new URL(artifactLocation.uri);
    artifactLocation.uri = `${host.replace(':', '_')}${pathname.replace(/\/$/, '/index.html')}`;
  }
  writeFileSync('storefront.sarif', JSON.stringify(log));
}
