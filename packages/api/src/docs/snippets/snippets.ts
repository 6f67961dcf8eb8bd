import type { Call } from './call.ts';
import { curl } from './curl.ts';
import { go } from './go.ts';
import { node } from './node.ts';
import { python } from './python.ts';

/** How a call is written, language by language. A further one is a file of this folder and a line here. */
export const LANGUAGES: Readonly<Record<string, (call: Call) => string>> = {
  curl,
  'Node.js': node,
  Python: python,
  Go: go,
};
