import { readFileSync } from 'node:fs';
import { readOperations } from './document.ts';
import { goFile } from './go.ts';
import { goDriver } from './go-driver.ts';
import { goMethods } from './go-methods.ts';
import { pythonModule } from './python.ts';
import { asyncModules } from './python-async.ts';
import { pythonMethods } from './python-methods.ts';
import { namedTypes } from './types.ts';
import { typescriptModule } from './typescript.ts';
import { typescriptMethods } from './typescript-methods.ts';

/** Returns the URL and text of each generated client file. */
export function generatedFiles(): { file: URL; text: string }[] {
  const { operations, schemas } = readOperations();
  const types = namedTypes(operations, schemas);
  const client = (path: string) => new URL(`../../../${path}`, import.meta.url);
  const sync = {
    client: readFileSync(client('python/src/compliance/client.py'), 'utf8'),
    methods: pythonMethods(operations, types),
  };
  const aio = asyncModules(sync, operations, types);
  return [
    { file: client('node/src/models.gen.ts'), text: typescriptModule(types) },
    { file: client('node/src/operations.gen.ts'), text: typescriptMethods(operations, types) },
    { file: client('python/src/compliance/models.py'), text: pythonModule(types) },
    { file: client('python/src/compliance/_operations.py'), text: sync.methods },
    { file: client('python/src/compliance/_aio_operations.py'), text: aio.methods },
    { file: client('python/src/compliance/aio.py'), text: aio.client },
    { file: client('go/models.gen.go'), text: goFile(types) },
    { file: client('go/operations.gen.go'), text: goMethods(operations, types) },
    { file: client('vectors/drivers/go/operations.gen.go'), text: goDriver(operations, types) },
  ];
}
