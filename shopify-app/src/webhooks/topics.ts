import { appScopesUpdate } from './app-scopes-update.ts';
import { appUninstalled } from './app-uninstalled.ts';
import { bulkOperationsFinish } from './bulk-operations-finish.ts';
import { customersDataRequest } from './customers-data-request.ts';
import { customersRedact } from './customers-redact.ts';
import { domainsUpdate } from './domains-update.ts';
import { inventoryItemsUpdate } from './inventory-items-update.ts';
import { productsCreate } from './products-create.ts';
import { productsDelete } from './products-delete.ts';
import { productsUpdate } from './products-update.ts';
import { shopRedact } from './shop-redact.ts';
import { shopUpdate } from './shop-update.ts';
import { themesPublish } from './themes-publish.ts';
import type { Topic } from './topic.ts';

/** Every topic that the app hears. */
export const topics: readonly Topic[] = [
  appScopesUpdate,
  appUninstalled,
  bulkOperationsFinish,
  customersDataRequest,
  customersRedact,
  domainsUpdate,
  inventoryItemsUpdate,
  productsCreate,
  productsDelete,
  productsUpdate,
  shopRedact,
  shopUpdate,
  themesPublish,
];
