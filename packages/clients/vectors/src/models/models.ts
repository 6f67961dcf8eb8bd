import { readOperations } from './document.ts';
import { goFile } from './go.ts';
import { pythonModule } from './python.ts';
import { namedTypes } from './types.ts';
import { typescriptModule } from './typescript.ts';

/** The generated file of each client: its address and its text. */
export function modelFiles(): { file: URL; text: string }[] {
  const { operations, schemas } = readOperations();
  const types = namedTypes(operations, schemas);
  const client = (path: string) => new URL(`../../../${path}`, import.meta.url);
  return [
    { file: client('node/src/models.gen.ts'), text: typescriptModule(types) },
    { file: client('python/src/compliance/models.py'), text: pythonModule(types) },
    { file: client('go/models.gen.go'), text: goFile(types) },
  ];
}
