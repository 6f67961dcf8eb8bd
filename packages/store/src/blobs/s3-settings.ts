import { StoreError } from '../errors.ts';
import { locateBucket, type S3Names, type S3Options } from './s3-backend.ts';

const SETTINGS = {
  endpoint: 'S3_ENDPOINT',
  bucket: 'S3_BUCKET',
  region: 'S3_REGION',
  accessKeyId: 'S3_ACCESS_KEY_ID',
  secretAccessKey: 'S3_SECRET_ACCESS_KEY',
} satisfies S3Names;

/**
 * Reads the S3 settings from the environment. If `S3_BUCKET` is set, `S3_ENDPOINT`, `S3_ACCESS_KEY_ID`, and
 * `S3_SECRET_ACCESS_KEY` are required. `S3_REGION` defaults to us-east-1. Empty variables are treated as unset.
 *
 * @returns the settings, or undefined if `S3_BUCKET` is unset, in which case the store keeps PDFs in the data folder
 * @throws StoreError with `config_invalid`, which names missing or invalid variables but never shows a value
 * @example
 * const store = await openStore({ dataDir: './data', s3: readS3Settings(process.env), clock: Date.now });
 */
export function readS3Settings(env: Readonly<Record<string, string | undefined>>): S3Options | undefined {
  const read = (part: keyof S3Options): string => env[SETTINGS[part]]?.trim() ?? '';
  if (read('bucket') === '') return undefined;
  const missing = (['endpoint', 'accessKeyId', 'secretAccessKey'] as const).filter(part => read(part) === '');
  if (missing.length > 0) {
    const names = missing.map(part => SETTINGS[part]).join(', ');
    throw new StoreError('config_invalid', `S3_BUCKET is set, so ${names} must be set too.`);
  }
  const options: S3Options = {
    endpoint: read('endpoint'),
    bucket: read('bucket'),
    region: read('region') || 'us-east-1',
    accessKeyId: read('accessKeyId'),
    secretAccessKey: read('secretAccessKey'),
  };
  locateBucket(options, SETTINGS);
  return options;
}
