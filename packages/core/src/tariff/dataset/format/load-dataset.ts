import * as z from 'zod';
import type { Dataset } from '../dataset.ts';
import { indexDataset } from '../dataset-index.ts';
import { hashOf } from './hash.ts';
import { referenceProblems } from './references.ts';
import { createSchemas, DATASET_FORMAT, SCHEMAS } from './schemas.ts';

/**
 * Error thrown for a data set that can't be loaded. `reason` is `not_json` for text that isn't JSON, `newer_format` and
 * `older_format` for a different major version of the format, `damaged` for a wrong hash, and `invalid` for any other
 * problem.
 */
export class DatasetError extends Error {
  override name = 'DatasetError';
  readonly reason: 'not_json' | 'newer_format' | 'older_format' | 'damaged' | 'invalid';
  /** Each problem with its path in the data set. */
  readonly problems: readonly string[];

  constructor(reason: DatasetError['reason'], message: string, problems: readonly string[] = []) {
    super(message);
    this.reason = reason;
    this.problems = problems;
  }
}

/** Maximum number of problems in an error message. `DatasetError.problems` contains all problems. */
const MAX_SHOWN = 5;

/** Schemas that allow unknown fields, for data sets with a newer minor version of the format. */
let lenient: ReturnType<typeof createSchemas> | undefined;

/**
 * Loads a data set. Validates the data, checks its hash, and builds the indexes for lookups. Functions such as `lookup`
 * and `assess` accept the result as their `dataset` option.
 *
 * @param json a data set as JSON text or as a parsed value
 * @throws DatasetError if the data set can't be loaded; see `DatasetError.reason`
 * @example
 * const changed = { ...DATASET, version: '2026.12.1' };
 * const dataset = loadDataset({ ...changed, sha256: hashOf(changed) });
 * lookup(['7318.15.2061'], { asOf: '2026-11-21', dataset }).list.version // '2026.12.1'
 */
export function loadDataset(json: unknown): Dataset {
  try {
    const value = typeof json === 'string' ? parse(json) : json;
    const isNewerMinor = checkFormat(value);
    if (isNewerMinor) lenient ??= createSchemas(z.object as unknown as typeof z.strictObject);
    const result = (isNewerMinor ? lenient! : SCHEMAS).dataset.safeParse(value);
    if (!result.success) {
      throw invalid(result.error.issues.map(({ path, message }) => `${path.join('.') || 'data set'}: ${message}`));
    }
    const problems = referenceProblems(result.data);
    if (problems.length > 0) throw invalid(problems);
    const expected = hashOf(value as object);
    if (expected !== result.data.sha256) {
      throw new DatasetError(
        'damaged',
        `Data set ${result.data.version} is damaged: its content doesn't match its SHA-256 hash. Download it again.`,
      );
    }
    // Keep the field order, so that the data set has the same hash when it's written again.
    const dataset = isNewerMinor
      ? result.data
      : typeof json === 'string'
        ? (value as Dataset)
        : clone(value as Dataset);
    indexDataset(dataset);
    return dataset;
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw invalid(['data set: the values are nested too deeply']);
  }
}

function clone(dataset: Dataset): Dataset {
  return JSON.parse(JSON.stringify(dataset));
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new DatasetError(
      'not_json',
      "The data set isn't valid JSON. The file might be incomplete. Download it again.",
    );
  }
}

/** Checks the major version of the format, and returns whether its minor version is newer than the library's. */
function checkFormat(value: unknown): boolean {
  const format = typeof value === 'object' && value !== null && 'format' in value ? value.format : undefined;
  const [, major, minor] = (typeof format === 'string' && /^(\d+)\.(\d+)$/.exec(format)) || [];
  if (major === undefined) throw invalid(['format: must be a version such as 1.0']);
  const [ownMajor, ownMinor] = DATASET_FORMAT.split('.').map(Number) as [number, number];
  if (Number(major) > ownMajor) {
    throw new DatasetError(
      'newer_format',
      `The data set has format ${format}, but this version of @compliance/core supports formats up to ${ownMajor}.x. Upgrade @compliance/core.`,
    );
  }
  if (Number(major) < ownMajor) {
    throw new DatasetError(
      'older_format',
      `The data set has format ${format}, but this version of @compliance/core supports format ${ownMajor}.x. Use a newer data set.`,
    );
  }
  return Number(minor) > ownMinor;
}

function invalid(problems: readonly string[]): DatasetError {
  const shown = problems.slice(0, MAX_SHOWN);
  const more = problems.length > MAX_SHOWN ? [`and ${problems.length - MAX_SHOWN} more problems`] : [];
  return new DatasetError('invalid', `The data set is invalid:\n  ${[...shown, ...more].join('\n  ')}`, problems);
}
