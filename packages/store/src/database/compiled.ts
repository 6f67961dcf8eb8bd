import type { Compilable, CompiledQuery } from 'kysely';
import type { Database } from './schema.ts';

/** Stands in a statement for a value that comes with each run. */
class Slot {
  readonly name: PropertyKey;
  constructor(name: PropertyKey) {
    this.name = name;
  }
}

/**
 * A statement that is built once and run with other values each time. Building one costs more than running it, so every
 * statement that each request needs goes through here. `build` may place its values, but not compute with them.
 *
 * @example
 * const findFamily = compileOnce(db, ({ id }: { id: string }) => db.selectFrom('keys').select('family').where('id', '=', id));
 * const [row] = await findFamily({ id: 'key_1' });
 */
export function compileOnce<Values extends object, Row>(
  db: Database,
  build: (values: Values) => Compilable<Row>,
): (values: Values) => Promise<Row[]> {
  const compiled = build(new Proxy({} as Values, { get: (_, name) => new Slot(name) })).compile();
  const bind = (values: Values): CompiledQuery<Row> => ({
    ...compiled,
    parameters: compiled.parameters.map(parameter =>
      parameter instanceof Slot ? values[parameter.name as keyof Values] : parameter,
    ),
  });
  return async values => (await db.executeQuery(bind(values))).rows;
}
