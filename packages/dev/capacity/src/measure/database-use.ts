import { readdirSync, readFileSync } from 'node:fs';
import pg from 'pg';

/** The work of a PostgreSQL server since it started. */
export interface DatabaseUse {
  /** CPU time of all server processes, in milliseconds. */
  readonly cpu: number;
  readonly commits: number;
  /** Number of rows inserted, updated, and deleted. */
  readonly rows: number;
  /** Size of the write-ahead log in bytes. */
  readonly walBytes: number;
}

/** Clock ticks per second in `/proc`, which is 100 on every supported Linux architecture. */
const TICKS = 100;

/** Reads what the server of a database has done so far. Needs Linux, because it reads `/proc`. */
export async function databaseUse(url: string): Promise<DatabaseUse> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    const { rows } = await client.query<Record<'parent' | 'commits' | 'rows' | 'wal', string>>(`
      select (select pid from pg_stat_activity where backend_type = 'checkpointer') as parent, xact_commit as commits,
        tup_inserted + tup_updated + tup_deleted as rows, pg_current_wal_lsn() - '0/0' as wal
      from pg_stat_database where datname = current_database()`);
    const { parent, commits, rows: written, wal } = rows[0]!;
    return { cpu: serverCpu(Number(parent)), commits: Number(commits), rows: Number(written), walBytes: Number(wal) };
  } finally {
    await client.end();
  }
}

/** Returns the CPU time in ms of all children of a server, including those that ended, given the ID of one of its children. */
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

/** Returns the fields of `/proc/<pid>/stat`, counted from 0. The fields of an ended process are empty. */
function statOf(pid: number): string[] {
  try {
    // The second field, the name of the program, can contain spaces.
    return readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/\(.*\)/s, 'name')
      .split(' ');
  } catch {
    return [];
  }
}
