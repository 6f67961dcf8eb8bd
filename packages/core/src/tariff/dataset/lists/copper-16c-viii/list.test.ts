import { describeList } from '../../testing/describe-list.ts';

describeList('copper-16c-viii', {
  counts: {
    '2026-04-06': 4,
  },
  covers: [
    ['8544.42.10', '2026-04-06'],
    ['8544.49.10', '2026-04-06'],
  ],
  doesNotCover: [
    ['8544.42.10', '2026-04-05'],
    ['8544.49.10', '2026-04-05'],
  ],
});
