import { InvalidArgumentError, Option } from 'commander';

/** Product areas that an API key can access. */
export const KEY_SCOPES = ['pixel', 'entry', 'tariff', 'all'];

/** Options shared by all commands that use the store and support JSON output. */
export interface StoreCommandOptions {
  data: string;
  json?: boolean;
}

/** Returns the `--json` option. */
export function jsonOption(description = 'print JSON'): Option {
  return new Option('--json', description);
}

/** Returns the `--output-file` option for a command that issues a key. */
export function keyFileOption(): Option {
  return new Option(
    '--output-file <file>',
    'write the key to a new file that only you can read, and don’t print it',
  ).conflicts('json');
}

/** Returns the `--limit` option, which accepts a number from 1 to 1000. */
export function limitOption(): Option {
  return new Option('--limit <number>', 'maximum number of results').argParser(count(1000)).default(50);
}

/** Returns a parser for a whole number from 1 to `max`. */
export function count(max: number): (text: string) => number {
  return text => {
    const number = Number(text);
    if (!/^\d{1,4}$/.test(text) || number < 1 || number > max)
      throw new InvalidArgumentError(`Enter a number from 1 to ${max}.`);
    return number;
  };
}
