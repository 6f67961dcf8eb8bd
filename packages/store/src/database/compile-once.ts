import type { Compilable, CompiledQuery } from 'kysely';
import type { Database } from './schema.ts';

/** Placeholder in a statement for a value that is bound on each run. */
class Placeholder {
  readonly name: PropertyKey;
  constructor(name: PropertyKey) {
    this.name = name;
  }
}

/**
 * Compiles a statement once so that it can run with different values. Use this function for every statement that runs
 * on each request, because compiling a statement costs more than running it. `build` can insert the values into the
 * statement but can't compute with the values.
 *
 * @example
 * const findFamily = compileOnce(db, ({ id }: { id: string }) => db.selectFrom('keys').select('family').where('id', '=', id));
 * const [row] = await findFamily({ id: 'key_1' });
 */
export function compileOnce<Values extends object, Row>(
  db: Database,
  build: (values: Values) => Compilable<Row>,
): (values: Values) => Promise<Row[]> {
  const compiled = build(new Proxy({} as Values, { get: (_, name) => new Placeholder(name) })).compile();
  const bind = (values: Values): CompiledQuery<Row> => ({
    ...compiled,
    parameters: compiled.parameters.map(parameter =>
      parameter instanceof Placeholder ? values[parameter.name as keyof Values] : parameter,
    ),
  });
  return async values => (await db.executeQuery(bind(values))).rows;
}
