import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { closest, distance } from 'fastest-levenshtein';
import { z } from 'zod';
import { CliError, fileError } from '../cli-error.ts';
import { keyOf, SETTING_NAMES, SETTINGS } from './settings.ts';

/** Files that contain settings. */
export interface SettingsFiles {
  /** File with environment variables. */
  readonly envFile?: string | undefined;
  /** JSON configuration file. */
  readonly config?: string | undefined;
}

const NAMES = new Map(SETTING_NAMES.map(name => [keyOf(name), name]));

const CONFIG = z.strictObject(
  Object.fromEntries([...NAMES].map(([key, name]) => [key, SETTINGS[name].schema.optional()])),
  'Enter an object, such as { "port": 8787 }.',
);

/**
 * Adds the settings from files to the environment, where all commands read them. The environment takes precedence over
 * the environment file, which takes precedence over the configuration file. Empty variables count as unset.
 *
 * @throws CliError if a file can't be read, or if the configuration file has unknown keys or invalid values
 * @example loadSettings({ config: 'compliance.config.json' }, process.env)
 */
export function loadSettings({ envFile, config }: SettingsFiles, env: NodeJS.ProcessEnv): void {
  if (envFile !== undefined) addMissing(env, parseEnv(readText(envFile)));
  const file = config ?? env.COMPLIANCE_CONFIG;
  if (file) addMissing(env, readConfig(file));
}

function addMissing(env: NodeJS.ProcessEnv, settings: NodeJS.Dict<string>): void {
  for (const [name, value] of Object.entries(settings)) if (value) env[name] ||= value;
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw fileError(`Can't read the settings in ${file}`, error);
  }
}

/** Reads a configuration file and returns its settings as environment variables. */
function readConfig(file: string): Record<string, string> {
  const config = parse(file, readText(file));
  const { success, error } = CONFIG.safeParse(config);
  if (!success) throw new CliError(`${file} isn't a valid configuration file:\n${problemsOf(error).join('\n')}`, 2);
  return Object.fromEntries(Object.entries(config as object).map(([key, value]) => [NAMES.get(key)!, String(value)]));
}

function parse(file: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The parser's message quotes the file, which can contain secrets.
    throw new CliError(`${file} isn't valid JSON. Enter an object, such as { "port": 8787 }.`, 2);
  }
}

/** Describes each problem on a separate line, omitting the values because they can be secrets. */
function problemsOf({ issues }: z.ZodError): string[] {
  return issues.flatMap(issue =>
    issue.code === 'unrecognized_keys'
      ? issue.keys.map(key => `  ${key}: Unknown setting.${suggestion(key)}`)
      : [`  ${issue.path.length > 0 ? `${issue.path.join('.')}: ` : ''}${issue.message}`],
  );
}

function suggestion(key: string): string {
  const words = key
    .toLowerCase()
    .replace(/^compliance_?/, '')
    .replaceAll(/[-_]/g, '');
  const nearest = closest(
    words,
    [...NAMES.keys()].map(name => name.toLowerCase()),
  );
  // If more than three letters, or more than half of the letters, differ, the key is probably not a misspelling. Two
  // transposed letters count as two differences.
  if (distance(words, nearest) > Math.min(3, words.length / 2))
    return ' The README of @compliance/cli lists all settings.';
  return ` Did you mean ${[...NAMES.keys()].find(name => name.toLowerCase() === nearest)}?`;
}
