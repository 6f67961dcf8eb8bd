import { describeList } from '../../testing/describe-list.ts';

describeList('aluminum-16c-ii', {
  counts: {
    '2026-04-06': 17,
  },
  covers: [
    ['7308.20.00.35', '2026-04-06'],
    ['7616.99.51.90', '2026-04-06'],
  ],
  doesNotCover: [
    ['7308.20.00.35', '2026-04-05'],
    ['7616.99.51.90', '2026-04-05'],
  ],
});
