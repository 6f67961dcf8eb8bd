import { readFile } from 'node:fs/promises';
import type { AssessFacts } from '@compliance/core/tariff';
import { CliError, fileError } from '../cli-error.ts';

/** Options that specify facts about an article. */
export interface FactOptions {
  facts?: string;
  value?: string;
  fact: string[];
  other: string[];
}

/**
 * Reads the facts about an article from the facts file and the options. Options take precedence over the file. The
 * library validates the fact names and values.
 */
export async function readFactOptions({ facts: file, value, fact, other }: FactOptions): Promise<AssessFacts> {
  const facts = file === undefined ? {} : await readFactsFile(file);
  if (value !== undefined) facts.customs_value = value.replace(/^\$|,/g, '');
  for (const option of fact) {
    const { name, text } = splitOption('--fact', option, 'steel_weight_pct=80');
    setFact(facts, name, text);
  }
  if (other.length > 0) facts.other_duties = other.map(parseOtherDuty);
  return facts as AssessFacts;
}

/** Collects the values of a repeatable option. */
export function collectOption(value: string, previous: string[]): string[] {
  return [...previous, value];
}

async function readFactsFile(file: string): Promise<Record<string, unknown>> {
  let parsed: unknown;
  try {
    parsed = JSON.parse(await readFile(file, 'utf8'));
  } catch (error) {
    throw fileError(`Can't read the facts in ${file}`, error);
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) {
    throw new CliError(`${file} must contain a JSON object with facts, such as { "customs_value": 10000 }.`);
  }
  return { ...parsed };
}

function splitOption(option: string, text: string, example: string): { name: string; text: string } {
  const [, name, value] = /^([^=]+)=(.+)$/s.exec(text) ?? [];
  if (name === undefined || value === undefined)
    throw new CliError(`${option} ${text}: enter a name and a value, such as ${example}.`, 2);
  return { name: name.trim(), text: value.trim() };
}

/** Sets a fact, or one of its fields if the name contains a dot, such as `us_origin_pct.steel`. */
function setFact(facts: Record<string, unknown>, name: string, text: string): void {
  const [field, part] = name.split(/\.(.*)/s) as [string, string | undefined];
  if (part === undefined) {
    define(facts, field, parseValue(field, text));
    return;
  }
  const known = Object.hasOwn(facts, field) ? facts[field] : {};
  const object = typeof known === 'object' && known !== null ? { ...known } : {};
  define(object, part, parseValue(part, text));
  define(facts, field, object);
}

/** Defines an own property even if the object inherits a property with the same name. */
function define(object: object, name: string, value: unknown): void {
  Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true });
}

/**
 * Parses true, false, null, a number, or a comma-separated list, and returns any other text unchanged. Amounts remain
 * strings so that no digits are lost.
 */
function parseValue(name: string, text: string): unknown {
  if (name.endsWith('_value')) return text.replace(/^\$|,/g, '');
  if (/^(true|false|null|-?\d+(\.\d+)?)$/.test(text)) return JSON.parse(text.replace(/^(-?)0+(?=\d)/, '$1'));
  return text.includes(',') ? text.split(',').map(each => each.trim()) : text;
}

/** Parses a duty such as `301=25`, `301=25%`, or `AD=$120.50`. */
function parseOtherDuty(option: string): object {
  const { name, text } = splitOption('--other', option, '301=25');
  const [, amount, percentage] = /^(?:\$(\d+(?:\.\d+)?)|(\d+(?:\.\d+)?)%?)$/.exec(text) ?? [];
  if (amount === undefined && percentage === undefined) {
    throw new CliError(`--other ${option}: enter a percentage, such as 301=25, or an amount, such as AD=$120.50.`, 2);
  }
  return amount === undefined ? { program: name, rate_pct: Number(percentage) } : { program: name, amount };
}
