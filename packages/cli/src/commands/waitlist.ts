import type { KeyScope, WaitlistRequest, WaitlistStatus } from '@compliance/store';
import { ACTOR } from '../actor.ts';
import { day, print, printable } from '../output/print.ts';
import { withStore } from '../store.ts';
import { shownOnce } from './keys.ts';

interface Options {
  data: string;
  json?: boolean;
}

/** `compliance waitlist list` */
export async function listWaitlist({
  status,
  limit,
  data,
  json,
}: Options & { status: WaitlistStatus; limit: number }): Promise<void> {
  const requests = await withStore(data, store => store.waitlist.list({ status, limit }));
  if (json) return print(JSON.stringify(requests));
  if (requests.length === 0) return print(status === 'waiting' ? 'Nobody is waiting.' : `No request was ${status}.`);
  print(requests.map(described).join('\n\n'));
}

/** `compliance waitlist approve` */
export async function approveRequest(
  id: string,
  { scope, delegate, founding, data, json }: Options & { scope: KeyScope; delegate?: boolean; founding?: boolean },
): Promise<void> {
  const { key, record } = await withStore(data, async store => {
    if (founding) await store.waitlist.setFounding(id, { founding, actor: ACTOR });
    return await store.waitlist.approve(id, { scope, delegate, actor: ACTOR });
  });
  print(json ? JSON.stringify({ key, ...record }) : shownOnce(key, record));
}

/** `compliance waitlist decline` */
export async function declineRequest(id: string, { data, json }: Options): Promise<void> {
  const request = await withStore(data, store => store.waitlist.decline(id, { actor: ACTOR }));
  print(json ? JSON.stringify(request) : `Declined ${request.id} (${printable(request.company, 80)}).`);
}

function described({ id, company, useCase, expectedVolume, email, ...request }: WaitlistRequest): string {
  const marks = [
    ...(request.founding ? ['founding tier'] : []),
    ...(request.sameEmail > 1 ? [`${request.sameEmail} requests from this address`] : []),
    ...(request.keyId ? [`key ${request.keyId}`] : []),
  ];
  return [
    `${id}  ${[`asked ${day(request.askedAt)}`, ...marks].join(', ')}`,
    `  ${printable(company)} <${printable(email)}>, ${printable(expectedVolume)}`,
    ...useCase.split('\n').map(line => `  ${printable(line)}`),
  ].join('\n');
}
