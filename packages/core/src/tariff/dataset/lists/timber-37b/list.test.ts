import { describeList } from '../../testing/describe-list.ts';

describeList('timber-37b', {
  counts: {
    '2025-10-14': 15,
  },
  covers: [
    ['4403.11.00', '2025-10-14'],
    ['4407.19.00', '2025-10-14'],
  ],
  doesNotCover: [
    ['4403.11.00', '2025-10-13'],
    ['4407.19.00', '2025-10-13'],
  ],
});
