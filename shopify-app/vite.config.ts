import { join, relative } from 'node:path';
import { vitePlugin as remix } from '@remix-run/dev';
import { defineConfig } from 'vite';

const services = join(import.meta.dirname, 'src/');
const written = join(import.meta.dirname, 'build/server');

declare module '@remix-run/node' {
  interface Future {
    v3_singleFetch: false;
  }
}

export default defineConfig(({ isSsrBuild }) => ({
  plugins: [
    remix({
      ignoredRouteFiles: ['**/.*', '**/*.test.*'],
      future: {
        v3_fetcherPersist: true,
        v3_relativeSplatPath: true,
        v3_throwAbortReason: true,
        // The list of routes is small: one request less on the way to the first page.
        v3_lazyRouteDiscovery: false,
        // Its wire format is turbo-stream 2, which has an open advisory that Remix 2 will not mend.
        v3_singleFetch: false,
      },
    }),
  ],
  resolve: { conditions: ['@compliance/source', 'module', 'browser', 'development|production'] },
  build: {
    assetsInlineLimit: 0,
    // Routes share the services with the process that serves them; a copy in the build would have errors of its own classes.
    ...(isSsrBuild && {
      rollupOptions: {
        external: id => id.startsWith(services),
        output: { paths: id => (id.startsWith(services) ? relative(written, id) : id) },
      },
    }),
  },
}));
