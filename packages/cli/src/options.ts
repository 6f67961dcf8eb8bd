import type { JourneyStep } from '@compliance/core/pixel';
import { SUPPORTED_LANGUAGES, type Translation, translationOf } from '@compliance/translations';
import { InvalidArgumentError, Option } from 'commander';

/** Scopes that an API key can have. */
export const KEY_SCOPES = ['pixel', 'render', 'entry', 'tariff', 'all'];

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

/** Journey steps, in the order in which they run. */
const STEPS: readonly JourneyStep[] = ['product', 'add_to_cart', 'cart', 'search'];

/** Returns the `--journey` option, which accepts `all` or a list of steps. */
export function journeyOption(description: string): Option {
  return new Option(
    '--journey <steps>',
    `${description}: "all", or a comma-separated list of ${STEPS.join(', ')}`,
  ).argParser(text => {
    const wanted = text === 'all' ? [...STEPS] : text.split(',').map(step => step.trim());
    const unknown = wanted.find(step => !STEPS.some(known => known === step));
    if (unknown !== undefined)
      throw new InvalidArgumentError(`Use "all", or a comma-separated list of ${STEPS.join(', ')}.`);
    return STEPS.filter(step => wanted.includes(step));
  });
}

/** Returns the `--lang` option, which accepts a supported language tag. For English, the option's value is null. */
export function languageOption(description: string): Option {
  return new Option('--lang <language>', `${description}: ${SUPPORTED_LANGUAGES.join(', ')} (default: en)`).argParser(
    (tag): Translation | null => {
      const translation = translationOf(tag);
      if (translation === null)
        throw new InvalidArgumentError(`supported languages are ${SUPPORTED_LANGUAGES.join(', ')}.`);
      return translation.locale === 'en' ? null : translation;
    },
  );
}
