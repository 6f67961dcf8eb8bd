import { describe, expectTypeOf, it } from 'vitest';
import type { Compliance } from './client.ts';
import type { ComplianceError } from './errors.ts';
import type * as models from './models.gen.ts';

type Profile = models.PixelScanRequest['profile'];

describe('a request type', () => {
  it('accepts only values that the API supports', () => {
    expectTypeOf<'eea'>().toExtend<Profile>();
    expectTypeOf<'us'>().not.toExtend<Profile>();
    expectTypeOf<'a5'>().not.toExtend<models.GccGenerateRequest['paper']>();
    expectTypeOf<'importr'>().not.toExtend<models.GccGenerateRequestCertifier['role']>();
    expectTypeOf<Parameters<Compliance['entry']['gcc']['list']>[0]>().not.toExtend<{ status?: 'lost' } | undefined>();
    expectTypeOf<string>().not.toExtend<models.HtsChangesRequest['codes']>();
  });
});

describe('a response type', () => {
  it('accepts values that are added to the API later, while still suggesting the known values', () => {
    expectTypeOf<'gold'>().toExtend<models.HtsLookupResult['status']>();
    expectTypeOf<models.HtsLookupResult['status']>().toEqualTypeOf<models.Open<models.HtsLookupResultStatus>>();
    expectTypeOf<'robots'>().toExtend<models.ErrorReason>();
    expectTypeOf<ComplianceError['reason']>().toEqualTypeOf<models.Open<models.ErrorReason> | undefined>();
  });
});
