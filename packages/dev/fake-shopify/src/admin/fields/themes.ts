import { createHash } from 'node:crypto';
import { HOSTS } from '../../hosts.ts';
import { type FakeTheme, numberOf } from '../../shop/shop.ts';
import { connection, type Paging } from '../connection.ts';
import { FIXED_DATE, type ResolverContext } from './resolver-context.ts';

/** Default page size for theme files, and maximum number of filename patterns per query. */
const FILES = 50;
const PATTERNS = 50;

/** Resolves themes and their files. */
export function themeFields(context: ResolverContext) {
  const { shop } = context;
  return {
    themes: ({ roles, names, ...paging }: Paging & { roles?: string[]; names?: string[] }) =>
      connection(
        shop.themes
          .filter(({ role, name }) => (!roles || roles.includes(role)) && (!names || names.includes(name)))
          .map(theme => themeNode(context, theme)),
        paging,
      ),
    theme: ({ id }: { id: string }) => {
      const theme = shop.themes.find(one => one.id === id);
      return theme ? themeNode(context, theme) : null;
    },
  };
}

function themeNode({ shop, faults, operation }: ResolverContext, theme: FakeTheme) {
  const { id, name, role } = theme;
  return {
    __typename: 'OnlineStoreTheme',
    ...{ id, name, role },
    processing: false,
    processingFailed: false,
    themeStoreId: 887,
    createdAt: FIXED_DATE,
    updatedAt: FIXED_DATE,
    files: ({ filenames, first = FILES, ...paging }: Paging & { filenames?: string[] }) => {
      if (filenames && filenames.length > PATTERNS) throw new Error(`filenames must have at most ${PATTERNS} patterns`);
      const failed = faults.take(operation, ['fileErrors'], shop.domain)?.filenames ?? [];
      const as = faults.take(operation, ['fileBodies'], shop.domain)?.as ?? 'text';
      const wanted = [...theme.files.keys()]
        .filter(file => !filenames || filenames.some(pattern => matches(pattern, file)))
        .toSorted();
      const { nodes, pageInfo } = connection(wanted, { ...paging, first });
      const exact = filenames?.filter(pattern => !pattern.includes('*') && !theme.files.has(pattern)) ?? [];
      return {
        nodes: nodes.filter(file => !failed.includes(file)).map(file => fileNode(shop.number, theme, file, as)),
        pageInfo,
        userErrors: [
          ...nodes.filter(file => failed.includes(file)).map(filename => ({ filename, code: 'ERROR' })),
          ...exact.map(filename => ({ filename, code: 'NOT_FOUND' })),
        ],
      };
    },
  };
}

function fileNode(shop: number, theme: FakeTheme, filename: string, as: 'text' | 'base64' | 'url') {
  const content = theme.files.get(filename)!;
  return {
    filename,
    contentType: contentType(filename),
    size: String(Buffer.byteLength(content)),
    checksumMd5: createHash('md5').update(content).digest('hex'),
    updatedAt: FIXED_DATE,
    body: bodyOf(shop, theme, filename, content, as),
  };
}

function bodyOf(shop: number, theme: FakeTheme, filename: string, content: string, as: 'text' | 'base64' | 'url') {
  if (as === 'base64') {
    return {
      __typename: 'OnlineStoreThemeFileBodyBase64',
      contentBase64: Buffer.from(content).toString('base64'),
    };
  }
  if (as === 'url') {
    const path = `/s/files/1/${shop}/t/${numberOf(theme.id)}/${filename.split('/').map(encodeURIComponent).join('/')}`;
    return { __typename: 'OnlineStoreThemeFileBodyUrl', url: `https://${HOSTS.cdn}${path}` };
  }
  return { __typename: 'OnlineStoreThemeFileBodyText', content };
}

const TYPES: Readonly<Record<string, string>> = {
  json: 'application/json',
  liquid: 'application/x-liquid',
  js: 'application/javascript',
  css: 'text/css',
};
const contentType = (filename: string): string => TYPES[filename.split('.').at(-1)!] ?? 'application/octet-stream';

/** Returns whether a filename matches a pattern, in which `*` matches any characters, including slashes. */
const matches = (pattern: string, file: string): boolean =>
  new RegExp(`^${pattern.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '.*')}$`, 's').test(file);
