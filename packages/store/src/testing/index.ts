export { describeWithPostgres } from './describe-with-postgres.ts';
export { type Postgres, startPostgres } from './postgres.ts';
