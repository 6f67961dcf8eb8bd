export { describeWithPostgres } from './describe-with-postgres.ts';
export { type Postgres, startPostgres } from './postgres.ts';
export { type S3, type S3Trouble, startS3 } from './s3.ts';
