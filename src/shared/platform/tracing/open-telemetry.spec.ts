import { afterEach, describe, expect, it } from '@jest/globals';
import { openTelemetry } from './open-telemetry.js';
import type { Tracing } from './tracing.js';

const GIVEN = `00-${'ab'.repeat(16)}-${'cd'.repeat(8)}`;

/** Sampling ratio that practically never records a trace by chance. */
const ALMOST_NEVER = 1e-12;

let tracing: Tracing | undefined;
afterEach(() => tracing?.stop());

function sampledFlagOf(flags: string, decidesSampling: boolean): string {
  tracing = openTelemetry(
    { serviceName: 'test', environment: 'development', ratio: ALMOST_NEVER, sentEveryMs: 60_000 },
    'api',
    () => undefined,
  );
  const parent = { traceparent: `${GIVEN}-${flags}`, decidesSampling };
  return tracing.begin({ name: 'GET', kind: 'server', parent }).traceparent;
}

describe('A trace of another process', () => {
  it('is recorded if a trusted process requests it', () => {
    expect(sampledFlagOf('01', true)).toMatch(new RegExp(`^00-${'ab'.repeat(16)}-[0-9a-f]{16}-01$`));
  });

  it('keeps its id and is recorded by the configured ratio if an untrusted process requests it', () => {
    expect(sampledFlagOf('01', false)).toMatch(new RegExp(`^00-${'ab'.repeat(16)}-[0-9a-f]{16}-00$`));
  });
});
