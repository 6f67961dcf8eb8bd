import { z } from 'zod';
import { defineOperation } from '../admin.ts';

/** Which files of a theme, a page at a time. Names are patterns with `*`, fifty at most. */
export interface ThemeFilesVariables {
  readonly id: string;
  readonly filenames: readonly string[];
  readonly after: string | null;
}

/** A page of a theme's files; a theme that is gone has none. */
export interface FilesPage<File> {
  readonly nodes: readonly File[];
  /** Files that could not be read. */
  readonly userErrors: readonly { readonly code: string; readonly filename: string }[];
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
}

/** What a question for a theme's files is answered. */
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

/** Where the text of a file is: in the answer, encoded in it, or at an address that lives for a short time. */
export type ThemeFileBody = z.infer<typeof body>;

/** Files of a theme with their text. Shopify may give fewer than asked for, to keep an answer small. */
export const themeFiles = defineOperation<ThemeFilesVariables>()(
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

/** Names and checksums of a theme's files alone. What is asked for at once stays well below the most a question may cost. */
export const themeChecksums = defineOperation<ThemeFilesVariables>()(
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
