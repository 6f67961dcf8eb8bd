export { describeWithPostgres } from './describe-with-postgres.ts';
export { type Postgres, startPostgres } from './postgres.ts';
export { type S3, type S3Fault, startS3 } from './s3-server.ts';
