import { type Compilable, SelectQueryNode } from 'kysely';
import type { Database } from './schema.ts';
import { createStatementQueue, runnerOf, type WaitingStatement } from './statements.ts';

/** Placeholder in a statement for a value that is bound on each run. */
class Placeholder {
  readonly name: PropertyKey;
  constructor(name: PropertyKey) {
    this.name = name;
  }
}

/** Runs a statement. If the argument is a function, it's called exactly once, when the statement is sent. */
export type CompiledStatement<Values extends object, Row> = (values: Values | (() => Values)) => Promise<Row[]>;

/**
 * Compiles a statement once so that it can run with different values. Use this function for every statement that runs
 * on each request, because compiling a statement costs more than running it. `build` receives placeholders, which it
 * can insert into the statement but can't compute with.
 *
 * @example
 * const findFamily = compileOnce(db, ({ id }: { id: string }) => db.selectFrom('keys').select('family').where('id', '=', id));
 * const [row] = await findFamily({ id: 'key_1' });
 */
export function compileOnce<Values extends object, Row>(
  db: Database,
  build: (values: Values) => Compilable<Row>,
): CompiledStatement<Values, Row> {
  const compiled = build(new Proxy({} as Values, { get: (_, name) => new Placeholder(name) })).compile();
  const { sql, parameters, query } = compiled;
  const runWithKysely = ({ bind, resolve, reject }: WaitingStatement) =>
    db.executeQuery({ ...compiled, parameters: bind() }).then(resolve, reject);
  const run = runnerOf(db) ?? createStatementQueue(batch => batch.forEach(runWithKysely));
  const onlyReads = SelectQueryNode.is(query);
  const bindTo = (values: Values) =>
    parameters.map(parameter =>
      parameter instanceof Placeholder ? values[parameter.name as keyof Values] : parameter,
    );
  return async values => {
    const bind = () => bindTo(typeof values === 'function' ? values() : values);
    return (await run({ sql, onlyReads, bind })).rows as Row[];
  };
}

/**
 * Shares a statement between the callers that request the same data before the statement is sent. A later caller gets a
 * separate statement, because the first statement's result might be older than the later caller's request.
 *
 * @param waiting the shared statements that haven't been sent yet
 * @param send receives a function to call when the statement is sent
 */
export function shareUntilSent<Key, Shared>(
  waiting: Map<Key, Shared>,
  key: Key,
  send: (onSent: () => void) => Shared,
): Shared {
  const shared = waiting.get(key);
  if (shared !== undefined) return shared;
  const created = send(() => waiting.delete(key));
  waiting.set(key, created);
  return created;
}
