/** Folders in `packages` that are published as code, dependencies first. */
export const PUBLISHED = [
  'core',
  'contract',
  'fonts-latin',
  'fonts-chinese',
  'fonts-japanese',
  'fonts-korean',
  'fonts',
  'lists',
  'store',
  'crawler',
  'drawing',
  'signing',
  'mcp',
  'server',
  'api',
  'cli',
] as const;
