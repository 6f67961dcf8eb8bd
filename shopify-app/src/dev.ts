import { devEnvironment } from './context/dev-environment.ts';

// `shopify app dev` runs this file and passes it the app's credentials and the tunnel's URL.
for (const [name, value] of Object.entries(devEnvironment(process.env))) {
  if (value === undefined) delete process.env[name];
  else process.env[name] = value;
}
await import('./main.ts');
