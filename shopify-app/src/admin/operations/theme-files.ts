import { z } from 'zod';
import { defineAdminOperation } from './define-admin-operation.ts';

/** Query variables for one page of theme files. A query can contain up to 50 filenames or wildcard patterns (`*`). */
export interface ThemeFilesVariables {
  readonly id: string;
  readonly filenames: readonly string[];
  readonly after: string | null;
}

/** One page of theme files. */
export interface FilesPage<File> {
  readonly nodes: readonly File[];
  /** Files that Shopify couldn't read. */
  readonly userErrors: readonly { readonly code: string; readonly filename: string }[];
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
}

/** Response to a theme file query. The `theme` field is null if the theme was deleted. */
export interface ThemeFilesAnswer<File> {
  readonly theme: { readonly files: FilesPage<File> | null } | null;
}

const connection = <File extends z.ZodType>(file: File) =>
  z.object({
    theme: z
      .object({
        files: z
          .object({
            nodes: z.array(file),
            userErrors: z.array(z.object({ code: z.string(), filename: z.string() })),
            pageInfo: z.object({ hasNextPage: z.boolean(), endCursor: z.string().nullable() }),
          })
          .nullable(),
      })
      .nullable(),
  });

const body = z.discriminatedUnion('__typename', [
  z.object({ __typename: z.literal('OnlineStoreThemeFileBodyText'), content: z.string() }),
  z.object({ __typename: z.literal('OnlineStoreThemeFileBodyBase64'), contentBase64: z.string() }),
  z.object({ __typename: z.literal('OnlineStoreThemeFileBodyUrl'), url: z.string() }),
]);

/** File content as text, as Base64, or at a short-lived URL. */
export type ThemeFileBody = z.infer<typeof body>;

/** Gets theme files with their content. To keep the response small, Shopify might return fewer files than requested. */
export const themeFiles = defineAdminOperation<ThemeFilesVariables>()(
  `#graphql
  query ThemeFiles($id: ID!, $filenames: [String!], $after: String) {
    theme(id: $id) {
      files(first: 50, filenames: $filenames, after: $after) {
        nodes {
          filename
          checksumMd5
          size
          body {
            __typename
            ... on OnlineStoreThemeFileBodyText { content }
            ... on OnlineStoreThemeFileBodyBase64 { contentBase64 }
            ... on OnlineStoreThemeFileBodyUrl { url }
          }
        }
        userErrors { code filename }
        pageInfo { hasNextPage endCursor }
      }
    }
  }`,
  connection(z.object({ filename: z.string(), checksumMd5: z.string().nullable(), size: z.coerce.number(), body })),
);

/**
 * Gets only the names and checksums of a theme's files. The page size keeps the query cost well below Shopify's limit.
 */
export const themeChecksums = defineAdminOperation<ThemeFilesVariables>()(
  `#graphql
  query ThemeChecksums($id: ID!, $filenames: [String!], $after: String) {
    theme(id: $id) {
      files(first: 250, filenames: $filenames, after: $after) {
        nodes { filename checksumMd5 }
        userErrors { code filename }
        pageInfo { hasNextPage endCursor }
      }
    }
  }`,
  connection(z.object({ filename: z.string(), checksumMd5: z.string().nullable() })),
);
