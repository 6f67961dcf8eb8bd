import { defineConfig } from 'tsdown';

export default defineConfig([
  {
    entry: 'src/index.ts',
    format: ['esm', 'cjs'],
    platform: 'neutral',
    target: 'es2022',
    deps: { neverBundle: ['#webcrypto'] },
    dts: true,
    fixedExtension: true,
  },
  { entry: 'src/webcrypto.ts', format: 'esm', platform: 'neutral', dts: false, fixedExtension: true },
  {
    entry: 'src/webcrypto-node.ts',
    format: 'cjs',
    platform: 'node',
    target: 'node18',
    dts: false,
    fixedExtension: true,
  },
]);
