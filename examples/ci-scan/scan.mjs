// Scans a storefront for a CI job: node scan.mjs https://your-shop.example
// Ends with 1 when something on the page is an error, and with 2 when the page cannot be scanned.

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
    console.log(line.replaceAll(/\s+/g, ' ')); // One line each: the page may not add lines to the log of the job.
    // GitHub shows only alerts of files in the repository, and refuses the whole log for an https address.
    const { host, pathname } = new URL(artifactLocation.uri);
    artifactLocation.uri = `${host.replace(':', '_')}${pathname.replace(/\/$/, '/index.html')}`;
  }
  writeFileSync('storefront.sarif', JSON.stringify(log));
}
