import { createHash } from 'node:crypto';
import { HOSTS } from '../../hosts.ts';
import { numberOf, type StandInTheme } from '../../shop/shop.ts';
import { connection, type Paging } from '../connection.ts';
import { type Asked, LONG_AGO } from './asked.ts';

/** Files that a call gives at most without saying how many, and how many patterns it takes. */
const FILES = 50;
const PATTERNS = 50;

/** Themes and their files. */
export function themeFields(asked: Asked) {
  const { shop } = asked;
  return {
    themes: ({ roles, names, ...paging }: Paging & { roles?: string[]; names?: string[] }) =>
      connection(
        shop.themes
          .filter(({ role, name }) => (!roles || roles.includes(role)) && (!names || names.includes(name)))
          .map(theme => themeNode(asked, theme)),
        paging,
      ),
    theme: ({ id }: { id: string }) => {
      const theme = shop.themes.find(one => one.id === id);
      return theme ? themeNode(asked, theme) : null;
    },
  };
}

function themeNode({ shop, faults, operation }: Asked, theme: StandInTheme) {
  const { id, name, role } = theme;
  return {
    __typename: 'OnlineStoreTheme',
    ...{ id, name, role },
    processing: false,
    processingFailed: false,
    themeStoreId: 887,
    createdAt: LONG_AGO,
    updatedAt: LONG_AGO,
    files: ({ filenames, first = FILES, ...paging }: Paging & { filenames?: string[] }) => {
      if (filenames && filenames.length > PATTERNS) throw new Error(`filenames takes at most ${PATTERNS} patterns`);
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

function fileNode(shop: number, theme: StandInTheme, filename: string, as: 'text' | 'base64' | 'url') {
  const content = theme.files.get(filename)!;
  return {
    filename,
    contentType: contentType(filename),
    size: String(Buffer.byteLength(content)),
    checksumMd5: createHash('md5').update(content).digest('hex'),
    updatedAt: LONG_AGO,
    body: bodyOf(shop, theme, filename, content, as),
  };
}

function bodyOf(shop: number, theme: StandInTheme, filename: string, content: string, as: 'text' | 'base64' | 'url') {
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

/** `*` stands for any letters, slashes too. */
const matches = (pattern: string, file: string): boolean =>
  new RegExp(`^${pattern.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '.*')}$`, 's').test(file);
