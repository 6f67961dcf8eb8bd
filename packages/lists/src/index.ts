/**
 * Publishes, downloads, and verifies signed data sets with The Update Framework (TUF).
 *
 * @module
 */

export { createSigningKey, KeyError, readPublicKey, readSigningKey, type SigningKey } from './keys/keys.ts';
export { type PublishedDataset, publishDataset } from './repository/publish-dataset.ts';
export { type PublishedRoot, publishRoot } from './repository/publish-root.ts';
export { RepositoryError } from './repository/repository-files.ts';
export { UpdateError, type UpdateReason } from './update/update-error.ts';
export { type UpdateResult, updateLists } from './update/update-lists.ts';
