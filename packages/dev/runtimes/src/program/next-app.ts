/** Files of a Next.js app that runs the program in a Node.js route, an Edge Runtime route, and the browser. */
export const NEXT_APP: Readonly<Record<string, string>> = {
  'next.config.mjs': `import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
export default { turbopack: { root }, outputFileTracingRoot: root };
`,
  'app/layout.js': `export default function Layout({ children }) {
  return <html lang="en"><body>{children}</body></html>;
}
`,
  'app/page.js': `'use client';
import { useEffect } from 'react';
import { computeResults } from '../compute-results.mjs';

export default function Page() {
  useEffect(() => {
    globalThis.outcome = computeResults({ canShapeText: true });
  }, []);
  return <p>Certificates</p>;
}
`,
  'app/node/route.js': `import { computeResults } from '../../compute-results.mjs';

export const dynamic = 'force-dynamic';
export const GET = async () => Response.json(await computeResults({ canShapeText: true }));
`,
  'app/edge/route.js': `import { computeResults } from '../../compute-results.mjs';

export const runtime = 'edge';
export const GET = async () => Response.json(await computeResults({ canShapeText: false }));
`,
};
