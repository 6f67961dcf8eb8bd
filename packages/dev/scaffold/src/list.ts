import type { Scaffold } from './scaffold.ts';

const FOLDER = 'packages/core/src/tariff/dataset/lists';

const listJson = (id: string) => `{
  "id": "${id}",
  "title": "TODO",
  "program": "steel",
  "role": "derivative",
  "note": "TODO: U.S. note 16(c), subchapter III, chapter 99, HTS",
  "draft": true,
  "terms": [
    {
      "effective_from": "2000-01-01",
      "effective_to": null,
      "dated_by": { "legal": "TODO" },
      "annex": null,
      "headings": [],
      "rate_pct": null,
      "rate_type": "additional",
      "value_basis": "full_customs_value",
      "citation": "TODO",
      "sources": ["TODO"]
    }
  ],
  "batches": [
    {
      "effective_from": "2000-01-01",
      "effective_to": null,
      "dated_by": { "legal": "TODO" },
      "citation": "TODO",
      "sources": ["TODO"],
      "provisions": ["0000.00.00"]
    }
  ]
}
`;

const listTest = (id: string) => `import { describeList } from '../../testing/describe-list.ts';

// Take these facts from the official text, not from list.json. They're tested once the list is no longer a draft.
describeList('${id}', {
  counts: {},
  covers: [],
  doesNotCover: [],
});
`;

/**
 * Scaffold for a Section 232 list. A new list is a draft and isn't part of the data set until its `draft` field is
 * removed.
 */
export default {
  name: /^[a-z0-9]+(-[a-z0-9]+)*$/,
  example: 'steel-16c-xii',
  files: id => ({
    [`${FOLDER}/${id}/list.json`]: listJson(id),
    [`${FOLDER}/${id}/list.test.ts`]: listTest(id),
  }),
  next: [
    'The list is a draft and isn’t part of the data set. Replace every TODO and placeholder, add the official facts to the test,',
    'remove "draft", and run `pnpm gen`. See docs/guides/add-a-list.md.',
  ].join('\n'),
} satisfies Scaffold;
