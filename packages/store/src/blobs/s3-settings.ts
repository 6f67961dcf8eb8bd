import { StoreError } from '../errors.ts';
import { locateBucket, type S3Names, type S3Options } from './s3.ts';

const SETTINGS = {
  endpoint: 'S3_ENDPOINT',
  bucket: 'S3_BUCKET',
  region: 'S3_REGION',
  accessKeyId: 'S3_ACCESS_KEY_ID',
  secretAccessKey: 'S3_SECRET_ACCESS_KEY',
} satisfies S3Names;

/**
 * Reads from the environment where PDFs are kept: `S3_BUCKET`, and with it `S3_ENDPOINT`, `S3_ACCESS_KEY_ID` and
 * `S3_SECRET_ACCESS_KEY`; `S3_REGION` is us-east-1 when it is left out. An empty setting is none.
 *
 * @returns undefined without `S3_BUCKET`: PDFs are in the data folder then
 * @throws StoreError `config_invalid` names the settings that are missing or cannot be right, never a value
 * @example
 * const store = await openStore({ dataDir: './data', s3: readS3Settings(process.env), clock: Date.now });
 */
export function readS3Settings(env: Readonly<Record<string, string | undefined>>): S3Options | undefined {
  const read = (part: keyof S3Options): string => env[SETTINGS[part]]?.trim() ?? '';
  if (read('bucket') === '') return undefined;
  const missing = (['endpoint', 'accessKeyId', 'secretAccessKey'] as const).filter(part => read(part) === '');
  if (missing.length > 0) {
    const names = missing.map(part => SETTINGS[part]).join(', ');
    throw new StoreError('config_invalid', `With S3_BUCKET, set ${names} too.`);
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
