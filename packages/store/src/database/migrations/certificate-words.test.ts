import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, it, onTestFinished } from 'vitest';
import { openStore } from '../../index.ts';

it('makes certificates from earlier releases searchable by name and status', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'compliance-words-'));
  onTestFinished(() => rmSync(dataDir, { recursive: true }));
  const earlier = await openStore({ dataDir, clock: Date.now });
  const records = Array.from({ length: 450 }, (_, i) => ({
    request: { product_info: { name: `Lamp №${i}`, sku: `SKU-${i}-ß` } },
  }));
  for (const [i, record] of [...records, [], null, { request: { product_info: { name: 7 } } }].entries()) {
    const text = JSON.stringify(record);
    await earlier.certificates.issue({
      id: `gcc-${i}`,
      family: 'f',
      record: text,
      pdf: Buffer.from('%PDF-'),
      actor: 'k',
    });
  }
  for (const status of ['incomplete', 'complete']) {
    const record = JSON.stringify({ request: { attestation: {} }, completeness: { status } });
    await earlier.certificates.issue({
      id: `gcc-${status}`,
      family: 'f',
      record,
      pdf: Buffer.from('%PDF-'),
      actor: 'k',
    });
  }
  await earlier.close();
  // Revert the tables to their state before migration 0005.
  const file = new DatabaseSync(join(dataDir, 'compliance.sqlite'));
  const added = [
    'webhook_jobs',
    'bulk_parts',
    'bulk_jobs',
    'watch_events',
    'watch_codes',
    'watches',
    'watch_datasets',
    'certificate_words',
    'code_support',
    'shop_alerts',
    'shop_flow_triggers',
    'shop_renderings',
    'shop_draft_attachments',
    'shop_variant_checks',
  ];
  for (const table of [...added, 'target_rates']) file.exec(`drop table ${table}`);
  for (const index of ['turn', 'own_turn', 'served', 'own_served', 'unplaced', 'failed'])
    file.exec(`drop index shop_jobs_${index}`);
  for (const column of ['priority', 'turn', 'served']) file.exec(`alter table shop_jobs drop column ${column}`);
  for (const column of ['verdict', 'verdict_at']) file.exec(`alter table shop_findings drop column ${column}`);
  for (const index of ['code', 'summary', 'cost', 'status_cost', 'digits_cost', 'order'])
    file.exec(`drop index shop_variants_${index}`);
  for (const [index, columns] of [
    ['order', 'sort_key, variant_id'],
    ['version', 'list_version'],
  ])
    file.exec(`create index shop_variants_${index} on shop_variants (shop, ${columns})`);
  for (const column of ['price', 'duty_min', 'duty_max', 'product_type', 'image_url', 'product_cost'])
    file.exec(`alter table shop_variants drop column ${column}`);
  file.exec('alter table shops drop column catalog_version');
  file.exec('drop index shop_product_certificates_order');
  for (const column of ['gcc_status', 'retest_due', 'sort_key'])
    file.exec(`alter table shop_product_certificates drop column ${column}`);
  file.exec("delete from kysely_migration where name >= '0005'");
  file.close();

  const store = await openStore({ dataDir, clock: Date.now });
  for (const i of [0, 199, 200, 399, 400, 449]) {
    const found = await store.certificates.search({ text: `lamp sku-${i}-ß`, limit: 5 });
    expect(found.map(({ id }) => id)).toEqual([`gcc-${i}`]);
  }
  expect(await store.certificates.search({ text: '7', limit: 500 })).not.toContainEqual(
    expect.objectContaining({ id: 'gcc-452' }),
  );
  expect(await store.certificates.search({ limit: 500 })).toHaveLength(455);
  expect(await store.certificates.search({ status: 'draft', limit: 500 })).toHaveLength(453);
  for (const status of ['incomplete', 'complete'] as const)
    expect((await store.certificates.search({ status, limit: 500 })).map(({ id }) => id)).toEqual([`gcc-${status}`]);
  await store.close();
});
