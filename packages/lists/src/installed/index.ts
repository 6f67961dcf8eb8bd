/**
 * Reads the data set that `updateLists` installed, and switches running processes to new data sets.
 *
 * @module
 */

export { compareVersions, type InstalledLists, InstalledListsError, readInstalled } from './installed-lists.ts';
export { createListsSource, type ListsSource, type ListsStatus } from './lists-source.ts';
