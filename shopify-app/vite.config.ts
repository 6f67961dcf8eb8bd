import { join, relative } from 'node:path';
import { vitePlugin as remix } from '@remix-run/dev';
import { defineConfig } from 'vite';

const services = join(import.meta.dirname, 'src/');
const serverBuild = join(import.meta.dirname, 'build/server');

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
        // The route list is small, so send all of it with the first page to avoid another request.
        v3_lazyRouteDiscovery: false,
        // Single fetch uses the turbo-stream 2 wire format, which has an open security advisory that Remix 2 won't fix.
        v3_singleFetch: false,
      },
    }),
  ],
  resolve: { conditions: ['@compliance/source', 'module', 'browser', 'development|production'] },
  build: {
    assetsInlineLimit: 0,
    // Routes and the server process share the services. If the build contained a copy of the services, that copy would
    // define its own error classes.
    ...(isSsrBuild && {
      rollupOptions: {
        external: id => id.startsWith(services),
        output: { paths: id => (id.startsWith(services) ? relative(serverBuild, id) : id) },
      },
    }),
  },
}));
