import { openFonts, parseLabList, SAMPLE_REQUEST } from '@compliance/core/entry';
import { DATASET } from '@compliance/core/tariff';
import { loadFace } from '@compliance/fonts';
import { describe, expect, it } from 'vitest';
import { OperationError } from '../operations.ts';
import { lookupTool } from '../tools/lookup.ts';
import { performLocally } from './perform-locally.ts';

const NOON = Date.UTC(2026, 10, 21, 17);
const perform = performLocally({
  clock: () => NOON,
  dataset: () => DATASET,
  fonts: () => Promise.reject(new Error('no fonts')),
  scanUrl: () => Promise.reject(new OperationError({ error: 'unavailable', message: 'Pass the HTML.' })),
});

describe('operations in this process', () => {
  it('scans a page from its HTML, and doesn’t score a page without content', async () => {
    const url = 'https://shop.example/';
    expect(await perform('pixel.scan', { url, html: '<script>ga("create", "UA-12345-1")</script>' })).toMatchObject({
      findings: expect.arrayContaining([expect.objectContaining({ rule_id: 'ga_analytics_js_legacy' })]),
      drift: null,
    });
    expect(await perform('pixel.scan', { url, html: '' })).toMatchObject({
      score: null,
      not_scored: expect.any(String),
    });
  });

  it('compares a page with a baseline', async () => {
    const url = 'https://shop.example/';
    const { inventory } = (await perform('pixel.scan', { url, html: '<p>No tags</p>' })) as { inventory: object };
    const html = '<script>ga("create", "UA-12345-1")</script>';
    const changed = await perform('pixel.scan', { url, html, baseline: inventory });
    expect(changed).toMatchObject({ drift: { drift_status: 'changed' } });
  });

  it('uses the current date in US Eastern time by default', async () => {
    expect(await perform('tariff.hts.lookup', { codes: ['7318.15'] })).toMatchObject({ list: { as_of: '2026-11-21' } });
    expect(await perform('tariff.assess', { code: '7318.15', origin: 'CN' })).toMatchObject({ as_of: '2026-11-21' });
    expect(await perform('tariff.lists', {})).toMatchObject({ as_of: '2026-11-21' });
  });

  it('states that CPSC’s list of flagged codes isn’t loaded', async () => {
    const found = await perform('tariff.hts.lookup', { codes: ['6506.10.3045'], efiling: true });
    const message = "We don't know whether CPSC flags this code for eFiling, because CPSC's list isn't loaded.";
    expect(found).toMatchObject({ results: [{ efiling: { status: 'not_loaded', message } }], efiling: null });
    const context = { perform, now: NOON, dataset: DATASET };
    const { text } = await lookupTool.call({ codes: ['6506.10.3045'], efiling: true }, context);
    expect(text).toContain(message);
  });

  it('compares the laboratories on a Children’s Product Certificate with CPSC’s list of accepted laboratories', async () => {
    const labs = [{ cpsc_lab_id: '1234' }];
    const performWithLabs = performLocally({
      clock: () => NOON,
      dataset: () => DATASET,
      acceptedLabs: parseLabList({ as_of: '2026-11-20', source: 'cpsc.gov laboratory search', labs }),
      fonts: async () => openFonts(loadFace),
      scanUrl: () => Promise.reject(new OperationError({ error: 'unavailable', message: 'Pass the HTML.' })),
    });
    const request = {
      ...SAMPLE_REQUEST,
      certificate_type: 'CPC',
      age_grading: { marketing: 'children' },
      testing_lab: { ...SAMPLE_REQUEST.testing_lab, cpsc_lab_id: '5678' },
    };
    expect(await performWithLabs('entry.cpc.generate', request)).toMatchObject({
      data: { record: { childrens: { lab_list: { as_of: '2026-11-20' }, labs: [{ status: 'not_listed' }] } } },
    });
  });

  it('reports problems without advice that applies only to the service', async () => {
    await expect(perform('pixel.scan', { url: 'https://shop.example/' })).rejects.toThrow(
      /^unavailable: Pass the HTML\.$/,
    );
    await expect(perform('tariff.hts.lookup', { codes: ['7318.15'], as_of: '2026-02-30' })).rejects.toThrow('as_of');
    await expect(perform('tariff.assess', { code: 'x', origin: 'CN' })).rejects.toThrow('- code: ');
  });
});
