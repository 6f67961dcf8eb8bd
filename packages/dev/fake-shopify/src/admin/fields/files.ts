import { randomUUID } from 'node:crypto';
import { HOSTS } from '../../hosts.ts';
import { type FakeFile, type FakeShop, gid } from '../../shop/shop.ts';
import { productNode } from './catalog.ts';
import { FIXED_DATE, plannedErrors, type ResolverContext, type UserError } from './resolver-context.ts';

/**
 * Resolves the shop's files: staged uploads, the files created from uploads, and each file's status, which the app
 * polls.
 */
export function fileFields(context: ResolverContext) {
  const { shop, faults, operation } = context;
  return {
    stagedUploadsCreate: ({
      input,
    }: {
      input: readonly { filename: string; mimeType: string; httpMethod: string }[];
    }) => {
      const userErrors = plannedErrors(context);
      if (userErrors.length > 0) return { stagedTargets: null, userErrors };
      const stagedTargets = input.map(({ filename, mimeType, httpMethod }) => {
        const key = `tmp/${shop.number}/files/${randomUUID()}/${filename}`;
        const parameters = [
          { name: 'Content-Type', value: mimeType },
          { name: 'success_action_status', value: '201' },
          { name: 'acl', value: 'private' },
          { name: 'key', value: key },
          { name: 'policy', value: Buffer.from(key).toString('base64') },
        ];
        shop.uploads.set(key, { filename, mimeType, parameters, bytes: null });
        const resourceUrl = `https://${HOSTS.uploads}/${encodeURI(key)}`;
        // POST requests use the host's root URL, and PUT requests use the file's final URL.
        return httpMethod === 'POST'
          ? { url: `https://${HOSTS.uploads}/`, resourceUrl, parameters }
          : { url: resourceUrl, resourceUrl, parameters: parameters.slice(0, 1) };
      });
      return { stagedTargets, userErrors };
    },
    fileCreate: ({ files }: { files: readonly { originalSource: string; filename?: string; alt?: string }[] }) => {
      const userErrors = plannedErrors(context);
      const found = files.map(({ originalSource }) => uploadAt(shop, originalSource));
      found.forEach((upload, index) => {
        if (upload?.bytes) return;
        const field = ['files', String(index), 'originalSource'];
        userErrors.push({
          field,
          message: 'Nothing was uploaded to this URL',
          code: 'INVALID',
        } satisfies UserError);
      });
      if (userErrors.length > 0) return { files: null, userErrors };
      const failed = faults.take(operation, ['fileFails'], shop.domain)?.message ?? null;
      const made = found.map((upload, index): FakeFile => {
        const { bytes, mimeType, filename } = upload!;
        const name = files[index]!.filename ?? filename;
        const number = `${shop.number}${shop.files.length + index + 1}`;
        const url = `https://${HOSTS.cdn}/s/files/1/${shop.number}/files/${encodeURIComponent(name)}?v=${number}`;
        const alt = files[index]!.alt ?? null;
        return { id: gid('GenericFile', number), url, bytes: bytes!, mimeType, alt, processing: 2, failed };
      });
      shop.files.push(...made);
      return { files: made.map(fileNode), userErrors };
    },
    fileDelete: ({ fileIds }: { fileIds: readonly string[] }) => {
      const unknown = fileIds.filter(id => !shop.files.some(file => file.id === id));
      const userErrors = [
        ...plannedErrors(context),
        ...unknown.map(id => ({
          field: ['fileIds'],
          message: `File id ${id} does not exist.`,
          code: 'FILE_DOES_NOT_EXIST',
        })),
      ];
      if (userErrors.length > 0) return { deletedFileIds: null, userErrors };
      shop.files = shop.files.filter(({ id }) => !fileIds.includes(id));
      return { deletedFileIds: fileIds, userErrors };
    },
    node: ({ id }: { id: string }) => {
      const file = shop.files.find(one => one.id === id);
      if (file && file.processing > 0) file.processing--;
      if (file) return fileNode(file);
      const product = shop.products.find(one => one.id === id);
      return product ? productNode(shop, product) : null;
    },
  };
}

function uploadAt(shop: FakeShop, resourceUrl: string) {
  const { host, pathname } = URL.parse(resourceUrl) ?? {};
  return host === HOSTS.uploads ? shop.uploads.get(decodeURI(pathname!.slice(1))) : undefined;
}

function fileNode({ id, url, bytes, mimeType, alt, processing, failed }: FakeFile) {
  const status = processing === 2 ? 'UPLOADED' : processing > 0 ? 'PROCESSING' : failed ? 'FAILED' : 'READY';
  return {
    __typename: 'GenericFile',
    ...{ id, mimeType, alt },
    url: status === 'READY' ? url : null,
    fileStatus: status,
    fileErrors: status === 'FAILED' ? [{ code: 'UNKNOWN', message: failed, details: null }] : [],
    createdAt: FIXED_DATE,
    originalFileSize: bytes.length,
  };
}
