import type { ExampleCall } from './call.ts';
import { curl } from './curl.ts';
import { go } from './go.ts';
import { node } from './node.ts';
import { python } from './python.ts';

/**
 * Snippet generators, by language. To add a language, create a file in this folder and add its generator to
 * `LANGUAGES`.
 */
export const LANGUAGES: Readonly<Record<string, (call: ExampleCall) => string>> = {
  curl,
  'Node.js': node,
  Python: python,
  Go: go,
};
