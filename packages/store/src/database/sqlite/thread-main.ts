import { parentPort } from 'node:worker_threads';
import { openSqliteFile, type SqliteFile } from './file.ts';
import type { ThreadReply, ThreadRequest } from './thread.ts';

/** Files that are open in the database thread, which `thread.ts` starts. Requests for each file run in order. */
const files = new Map<number, Promise<SqliteFile>>();

async function answer(request: ThreadRequest): Promise<unknown> {
  const { file } = request;
  if (request.kind === 'open') files.set(file, openSqliteFile(request.path, 'full'));
  const opened = await files.get(file);
  if (request.kind === 'execute') return opened!.execute(request.sql, request.parameters);
  if (request.kind === 'checkpoint') opened!.execute('pragma wal_checkpoint(passive)', []);
  if (request.kind === 'close') {
    files.delete(file);
    opened!.close();
  }
  return null;
}

parentPort!.on('message', (request: ThreadRequest) => {
  const reply = (content: ThreadReply['content']) => parentPort!.postMessage({ id: request.id, content });
  answer(request).then(
    value => reply({ value }),
    (error: Error & { errcode?: number; code?: string }) => {
      const { message, errcode, code } = error;
      reply({ error: { message, ...(errcode !== undefined && { errcode }), ...(code && { code }) } });
    },
  );
});
