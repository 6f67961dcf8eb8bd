import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';

/** Resources that a PostgreSQL server used, either since it started or for one job. */
export interface DatabaseUse {
  /** CPU time of all server processes, in milliseconds. */
  readonly cpu: number;
  /** Number of rows inserted, updated, and deleted. */
  readonly rows: number;
  /** Number of bytes written to the write-ahead log. */
  readonly walBytes: number;
}

/** Number of clock ticks per second in `/proc`, which is 100 on every supported Linux architecture. */
const TICKS = 100;

/** Time that idle connections take to report the rows that they wrote, in milliseconds. */
const REPORTED_MS = 11_000;

/** Returns the resources that a database server has used so far. Requires Linux, because it reads `/proc`. */
export async function databaseUse(url: string): Promise<DatabaseUse> {
  const client = new pg.Client(url);
  await client.connect();
  const one = async (query: string) => Number((await client.query<{ value: string }>(query)).rows[0]!.value);
  try {
    const cpu = serverCpu(await one('select pg_backend_pid() as value'));
    const walBytes = await one("select pg_current_wal_lsn() - '0/0' as value");
    await pause(REPORTED_MS);
    const rows = await one('select sum(n_tup_ins + n_tup_upd + n_tup_del) as value from pg_stat_user_tables');
    return { cpu, rows, walBytes };
  } finally {
    await client.end();
  }
}

/**
 * Returns the CPU time, in milliseconds, of a server's child processes, including exited ones. `child` is the process
 * ID of any of the children.
 */
function serverCpu(child: number): number {
  const server = Number(statOf(child)[3]);
  const running = readdirSync('/proc')
    .filter(name => /^\d+$/.test(name))
    .map(name => statOf(Number(name)))
    .filter(fields => fields[3] === `${server}`);
  const ticks = running.reduce((sum, fields) => sum + Number(fields[13]) + Number(fields[14]), 0);
  const [ended, endedSystem] = statOf(server).slice(15, 17);
  return ((ticks + Number(ended) + Number(endedSystem)) * 1000) / TICKS;
}

/** Returns the fields of `/proc/<pid>/stat`, indexed from 0, or an empty list if the process has ended. */
function statOf(pid: number): string[] {
  try {
    // The second field, the program name, can contain spaces.
    return readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/\(.*\)/s, 'name')
      .split(' ');
  } catch {
    return [];
  }
}
