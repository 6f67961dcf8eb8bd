import { describe, expect, it } from 'vitest';
import { StoreError } from '../errors.ts';
import { readS3InputSettings, readS3Settings } from './s3-settings.ts';

const WHOLE = {
  S3_BUCKET: 'pdfs',
  S3_ENDPOINT: 'https://s3.example.com',
  S3_REGION: 'auto',
  S3_ACCESS_KEY_ID: 'AKIDOFTHETESTS',
  S3_SECRET_ACCESS_KEY: 'only/for+tests',
};

const refusalOf = (change: Record<string, string | undefined>): string => {
  try {
    readS3Settings({ ...WHOLE, ...change });
  } catch (error) {
    expect(error).toBeInstanceOf(StoreError);
    expect(error).toHaveProperty('code', 'config_invalid');
    return (error as Error).message;
  }
  return '';
};

describe('S3 settings', () => {
  it('reads the S3 environment variables and trims their values', () => {
    const spaced = Object.fromEntries(Object.entries(WHOLE).map(([name, value]) => [name, ` ${value}\n`]));
    for (const env of [WHOLE, spaced]) {
      expect(readS3Settings(env)).toEqual({
        bucket: 'pdfs',
        endpoint: 'https://s3.example.com',
        region: 'auto',
        accessKeyId: 'AKIDOFTHETESTS',
        secretAccessKey: 'only/for+tests',
      });
    }
  });

  it.each([undefined, '', ' '])('returns undefined if the bucket is %j, regardless of other settings', bucket => {
    expect(readS3Settings({ ...WHOLE, S3_BUCKET: bucket })).toBeUndefined();
    expect(readS3Settings({ S3_BUCKET: bucket })).toBeUndefined();
  });

  it.each([undefined, ''])('defaults to us-east-1 if the region is %j', region => {
    expect(readS3Settings({ ...WHOLE, S3_REGION: region })).toHaveProperty('region', 'us-east-1');
  });

  it('rejects incomplete settings and names all missing variables', () => {
    expect(refusalOf({ S3_ENDPOINT: undefined, S3_SECRET_ACCESS_KEY: '' })).toBe(
      'S3_BUCKET is set, so set these variables too: S3_ENDPOINT, S3_SECRET_ACCESS_KEY.',
    );
    expect(refusalOf({ S3_ACCESS_KEY_ID: ' ' })).toBe(
      'S3_BUCKET is set, so set these variables too: S3_ACCESS_KEY_ID.',
    );
  });

  it.each([
    ['S3_ENDPOINT', 'https://me:s3cret@s3.example.com'],
    ['S3_ENDPOINT', 's3cret.example.com'],
    ['S3_BUCKET', 'A s3cret'],
    ['S3_REGION', 'a s3cret'],
    ['S3_ACCESS_KEY_ID', 'a s3cret'],
    ['S3_SECRET_ACCESS_KEY', 'a s3cret'],
  ])('rejects an invalid variable, and reports its name but not its value: %s', (name, value) => {
    const message = refusalOf({ [name]: value });
    expect(message).toMatch(new RegExp(`^${name} must be `));
    expect(message).not.toContain('s3cret');
  });
});

describe('S3 input settings', () => {
  const inputOf = (S3_INPUT: string, change: Record<string, string | undefined> = {}) =>
    readS3InputSettings({ ...WHOLE, ...change, S3_INPUT });

  it('reads a bucket and a prefix, even if PDFs are stored in the data folder', () => {
    expect(inputOf('')).toBeUndefined();
    expect(inputOf('s3://imports', { S3_BUCKET: '' })).toMatchObject({ bucket: 'imports', prefix: '', region: 'auto' });
    expect(inputOf('s3://pdfs/codes/')).toMatchObject({ bucket: 'pdfs', prefix: 'codes/' });
  });

  it.each([
    ['s3://pdfs', /own files/],
    ['s3://pdfs/', /own files/],
    ['s3://pdfs/blobs/files/', /own files/],
    ['s3://imports/codes', /slash/],
    ['https://imports.example/', /^S3_INPUT must be/],
    ['imports', /^S3_INPUT must be/],
  ])('rejects %s, which is invalid or would expose the service’s own files', (location, message) => {
    expect(() => inputOf(location)).toThrow(message);
  });
});
