// Fake Docker for a machine without containers. Runs the image's program, which is already in /app, with the
// settings in the Dockerfile and in compose.yaml, as the container's user, with a read-only file system. The database and
// the bucket are servers on this machine, whose URLs are in GUIDE_SERVERS.
import { execFileSync } from 'node:child_process';
import { chownSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { type Confinement, runConfined, startConfined } from './confine.ts';
import { remember, stopService, untilReady } from './processes.ts';

const CONTAINER_USER = 1000;
const MAIN = '/usr/bin/node /app/dist/main.js';
const DATA = '/data';

const ONLY_STORES = ['compose', 'up', '--detach', '--wait', 'database', 'pdfs'].join(' ');

const args = process.argv.slice(2);
const text = args.join(' ');

if (/^build --tag compliance \.$/.test(text)) {
  if (!existsSync('Dockerfile') || !existsSync('/app/dist/main.js')) throw new Error('There is no image to build.');
} else if (args[0] === 'run') {
  const [, volume, image, ...rest] = args.slice(args.indexOf('--user') + 2);
  const [from, to] = volume!.split(':') as [string, string];
  if (image !== 'compliance') throw new Error(`Unknown image ${image}.`);
  mkdirSync(to, { recursive: true });
  execFileSync('mount', ['--bind', from, to]);
  execFileSync('/usr/bin/node', ['/app/dist/main.js', ...rest], { stdio: 'inherit', cwd: '/' });
} else if (/^compose up (--build )?--detach --wait$/.test(text)) {
  await stopService('app');
  remember('app', startConfined(`${MAIN} serve`, container(), '/var/log/app.log'));
  await untilReady('http://127.0.0.1:8787');
} else if (text.startsWith('compose exec app compliance ')) {
  run(args.slice(4));
} else if (text.startsWith('compose run --rm app ')) {
  run(args.slice(4));
} else if (text !== ONLY_STORES) {
  throw new Error(`docker ${text} isn't supported.`);
}

function run(command: string[]): void {
  const words = command.map(word => `'${word}'`).join(' ');
  process.exitCode = runConfined(`${MAIN} ${words}`, container()).status ?? 1;
}

/** Returns the confinement of the app container. */
function container(): Confinement {
  const compose = readFileSync('compose.yaml', 'utf8');
  const app = /^ {2}app:\n([\s\S]*?)^ {2}\w/m.exec(compose)![1]!;
  if (!/^ {4}read_only: true$/m.test(app) || !/cap_drop: \[ALL\]/.test(app)) throw new Error("The app isn't confined.");
  const settings = parseEnv(readFileSync('.env', 'utf8'));
  const declared = [.../^ {4}environment:\n((?: {6}.*\n)+)/m.exec(app)![1]!.matchAll(/^ {6}(\w+): "?(.*?)"?$/gm)];
  const env = declared.map(([, name, value]) => [
    name,
    value!.replace(/\$\{(\w+)[^}]*\}/g, (_, variable) => {
      if (!settings[variable]) throw new Error(`.env doesn't set ${variable}.`);
      return settings[variable];
    }),
  ]);
  const image = [...readFileSync('Dockerfile', 'utf8').matchAll(/^ENV (.*)$/gm)].flatMap(([, pairs]) =>
    pairs!.split(' ').map(pair => pair.split('=')),
  );
  const servers = JSON.parse(process.env.GUIDE_SERVERS!) as Record<string, string>;
  if (!existsSync(DATA)) {
    mkdirSync(DATA, { mode: 0o700 });
    chownSync(DATA, CONTAINER_USER, CONTAINER_USER);
  }
  return {
    user: String(CONTAINER_USER),
    env: { ...Object.fromEntries(image), ...Object.fromEntries(env), ...servers },
    writable: [DATA],
    mounts: [[join(process.cwd(), 'backups'), '/backups']],
  };
}
