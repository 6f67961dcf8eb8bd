import { StoreError } from '../errors.ts';
import { locateBucket, type S3Names, type S3Options } from './s3-backend.ts';
import type { S3InputOptions } from './s3-input.ts';

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
 * @throws StoreError with `config_invalid`; the message names missing or invalid variables but never contains their
 *   values
 * @example
 * const store = await openStore({ dataDir: './data', s3: readS3Settings(process.env), clock: Date.now });
 */
export function readS3Settings(env: S3Environment): S3Options | undefined {
  const bucket = env[SETTINGS.bucket]?.trim() ?? '';
  return bucket === '' ? undefined : readOptions(env, bucket, SETTINGS);
}

/** Environment variables. */
type S3Environment = Readonly<Record<string, string | undefined>>;

/** Environment variable for the location of the files that jobs can read, such as `s3://imports/codes/`. */
const INPUT_SETTING = 'S3_INPUT';

/**
 * Reads the location of the files that jobs can read. `S3_INPUT` requires the same variables as `S3_BUCKET`.
 *
 * @returns the location, or undefined if `S3_INPUT` is unset
 * @throws StoreError with `config_invalid` if a setting is missing or invalid, or if the location contains the
 *   service's own files; the message never contains a secret
 * @example readS3InputSettings({ ...process.env, S3_INPUT: 's3://imports/codes/' })?.prefix // 'codes/'
 */
export function readS3InputSettings(env: S3Environment): S3InputOptions | undefined {
  const location = env[INPUT_SETTING]?.trim() ?? '';
  if (location === '') return undefined;
  const [, bucket = '', prefix = ''] = /^s3:\/\/([^/]+)(?:\/(.*))?$/.exec(location) ?? [];
  if (prefix !== '' && !prefix.endsWith('/'))
    throw new StoreError('config_invalid', `${INPUT_SETTING} must end with a slash, as in s3://imports/codes/.`);
  if (bucket === env[SETTINGS.bucket]?.trim() && (prefix === '' || prefix.startsWith('blobs/'))) {
    const message = `${INPUT_SETTING} must not point to the service's own files. Use another bucket, or a prefix other than blobs/.`;
    throw new StoreError('config_invalid', message);
  }
  return { ...readOptions(env, bucket, { ...SETTINGS, bucket: INPUT_SETTING }), prefix };
}

function readOptions(env: S3Environment, bucket: string, names: S3Names): S3Options {
  const read = (part: keyof S3Options): string => env[names[part]]?.trim() ?? '';
  const missing = (['endpoint', 'accessKeyId', 'secretAccessKey'] as const).filter(part => read(part) === '');
  if (missing.length > 0) {
    const unset = missing.map(part => names[part]).join(', ');
    throw new StoreError('config_invalid', `${names.bucket} is set, so set these variables too: ${unset}.`);
  }
  const options: S3Options = {
    endpoint: read('endpoint'),
    bucket,
    region: read('region') || 'us-east-1',
    accessKeyId: read('accessKeyId'),
    secretAccessKey: read('secretAccessKey'),
  };
  locateBucket(options, names);
  return options;
}
