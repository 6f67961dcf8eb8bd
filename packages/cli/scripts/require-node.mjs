// Loaded with --import before the CLI's source, because Node.js versions that can't run TypeScript would otherwise fail
// with ERR_UNKNOWN_FILE_EXTENSION. This file is JavaScript so that those versions can run it.
import { readFileSync } from 'node:fs';

const { engines } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
const required = engines.node.replace('>=', '');
const [running, minimum] = [process.versions.node, required].map(text => text.split('.').map(Number));
const isSupported = running[0] > minimum[0] || (running[0] === minimum[0] && running[1] >= (minimum[1] ?? 0));

if (!isSupported) {
  console.error(
    `This project requires Node.js ${required} or later, but you're running Node.js ${process.versions.node}. A suitable version is installed automatically only on Linux (x64 and arm64). On this machine, install Node.js ${required} or later.`,
  );
  process.exit(1);
}
