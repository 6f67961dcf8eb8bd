import { readFileSync } from 'node:fs';
import { asyncClient } from './aio.ts';
import { readOperations } from './document.ts';
import { goFile } from './go.ts';
import { pythonModule } from './python.ts';
import { namedTypes } from './types.ts';
import { typescriptModule } from './typescript.ts';

/** The generated files of the clients: address and text. */
export function modelFiles(): { file: URL; text: string }[] {
  const { operations, schemas } = readOperations();
  const types = namedTypes(operations, schemas);
  const client = (path: string) => new URL(`../../../${path}`, import.meta.url);
  return [
    { file: client('node/src/models.gen.ts'), text: typescriptModule(types) },
    { file: client('python/src/compliance/models.py'), text: pythonModule(types) },
    {
      file: client('python/src/compliance/aio.py'),
      text: asyncClient(readFileSync(client('python/src/compliance/client.py'), 'utf8')),
    },
    { file: client('go/models.gen.go'), text: goFile(types) },
  ];
}
