import { describeList } from '../../testing/describe-list.ts';

describeList('steel-articles', {
  counts: {
    '2018-03-23': 39,
    '2025-03-12': 39,
    '2025-06-04': 39,
    '2026-04-06': 39,
  },
  covers: [
    ['7206', '2018-03-23'],
    ['7306', '2018-03-23'],
  ],
  doesNotCover: [
    ['7206', '2018-03-22'],
    ['7306', '2018-03-22'],
  ],
});
